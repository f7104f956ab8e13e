// What each entry gives to each other one; a group is a giver.
struct Transfer : TransferData {
    typedef TransferMove Move;

    MH_FN bool feasible(const Item* x, Move m) const { return m.feasible(x); }

    MH_FN i64 size() const { return i64(amounts.size) * n * (n - 1); }
    MH_FN i64 groups() const { return n; }
    MH_FN int length(i64) const { return int(amounts.size * (n - 1)); }
    MH_FN i64 first(i64 g) const { return i64(amounts.size) * (n - 1) * g; }
    MH_FN Move move(i64 g, int k) const {
        const int giver = int(g), other = k / int(amounts.size), taker = other + (other >= giver);
        return {giver, taker, int(amounts(k % int(amounts.size))), int(most(giver)), int(most(taker))};
    }
    MH_FN i64 group(Move m) const { return m.giver; }
    MH_FN i64 index(Move m) const {
        int s = 0;
        while (s + 1 < int(amounts.size) && int(amounts(s)) != m.amount) ++s;
        return first(m.giver) + i64(m.taker - (m.taker > m.giver)) * amounts.size + s;
    }
    MH_FN Move unrank(i64 index) const {
        const i64 width = i64(amounts.size) * (n - 1);
        return move(index / width, int(index % width));
    }
    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }
};
