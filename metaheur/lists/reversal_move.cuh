// The items first ... last, which follow place p, in the opposite order.
struct ReversalMove {
    int p, first, last;

    template <class T> MH_FN void apply(T team, Item* x) const {
        if (team.rank != 0) return;
        for (int at = first, ahead = x[last];;) {
            const int next = x[at];
            x[at] = Item(ahead);
            if (at == last) break;
            ahead = at;
            at = next;
        }
        x[p] = Item(last);
    }
    MH_FN ReversalMove inverse() const { return {p, last, first}; }
};
