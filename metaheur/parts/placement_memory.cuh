struct PlacementMemory : PlacementMemoryData {
    static constexpr bool forbids = true;

    template <class Move> MH_FN i64 expiry(const Item* x, Move move) const {
        i64 soonest = expiries(move.place(0), move.value(x, 0));
        for (int c = 1; c < Move::placements; ++c) {
            i64 other = expiries(move.place(c), move.value(x, c));
            soonest = other < soonest ? other : soonest;
        }
        return soonest;
    }

    // x is the solution before the move
    template <class Move> MH_FN void remember(Team team, const Item* x, Move move, Random random) const {
        team.for_each(Move::placements, [&](i64 c) {
            int place = move.place(int(c));
            expiries(place, x[place]) = random.iteration + tenure.draw(random.bits(u32(c)), n);
        });
    }
};
