// Two lists exchange the items behind place p and behind place q.
struct TailsMove {
    int p, q, p_end, q_end;

    template <class T> MH_FN void apply(T team, Item* x) const {
        if (team.rank != 0) return;
        const TailsMove back = inverse();
        exchange(x, p, q);
        exchange(x, back.p_end, back.q_end);  // the heads follow the last places again
    }
    MH_FN static void exchange(Item* x, int a, int b) {
        const Item item = x[a];
        x[a] = x[b];
        x[b] = item;
    }
    MH_FN TailsMove inverse() const { return {p, q, q_end == q ? p : q_end, p_end == p ? q : p_end}; }
};
