// Entry `giver` falls by an amount, and entry `taker` rises by it.
struct TransferMove {
    int giver, taker, amount, giver_most, taker_most;

    static constexpr int placements = 2;
    MH_FN int place(int c) const { return c == 0 ? giver : taker; }
    MH_FN bool feasible(const Item* x) const { return i64(x[giver]) >= amount && i64(x[taker]) + amount <= taker_most; }
    MH_FN Item value(const Item* x, int c) const {
        const i64 given = feasible(x) ? amount : 0;
        return Item(c == 0 ? i64(x[giver]) - given : i64(x[taker]) + given);
    }
    MH_FN TransferMove inverse() const { return {taker, giver, amount, taker_most, giver_most}; }

    template <class T> MH_FN void apply(T team, Item* x) const {
        if (team.rank != 0) return;
        const Item given = value(x, 0), taken = value(x, 1);
        x[giver] = given;
        x[taker] = taken;
    }
};
