// If the move k is remembered, moves(k mod capacity) = k, and expiries(k mod capacity) is its expiry.
struct MoveMemory : MoveMemoryData {
    MH_FN i64 expiry(const Item*, i64 k) const {
        const i64 slot = k % capacity;
        return moves(slot) == k ? expiries(slot) : 0;
    }

    MH_FN void remember(Team team, const Item*, i64 k, Random random) const {
        if (team.rank != 0) return;
        moves(k % capacity) = k;
        expiries(k % capacity) = random.iteration + tenure.draw(random.bits(0), n);
    }

    template <class F> MH_FN void gains(const Item*, i64 k, F f) const { f(k % capacity); }
};
