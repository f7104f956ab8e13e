// The kinds of segments: of each length, from two items on in both orders if `reverse`.
MH_FN int segment_length(int kind, bool reverse) { return reverse ? (kind + 3) / 2 : kind + 1; }
MH_FN int segment_turned(int kind, bool reverse) { return reverse && kind > 0 && kind % 2 == 0; }
MH_FN int segment_kind(int length, int turned, bool reverse) {
    return !reverse ? length - 1 : length == 1 ? 0 : 2 * length - 3 + turned;
}

// The `first` items behind place p change places with the `second` items behind place q.
struct SegmentsMove {
    int p, q, first, second, turned;

    // what is `count` steps behind a place
    MH_FN static int behind(const Item* x, int place, int count) {
        for (; count > 0; --count) place = x[place];
        return place;
    }

    // lets the segment from ... to follow a place, in either order, and `beyond` follow its last item
    MH_FN static void link(Item* x, int place, int from, int to, bool turn, int beyond) {
        if (!turn) {
            x[to] = Item(beyond);
            x[place] = Item(from);
            return;
        }
        for (int at = from, ahead = beyond;;) {
            const int next = x[at];
            x[at] = Item(ahead);
            if (at == to) break;
            ahead = at;
            at = next;
        }
        x[place] = Item(to);
    }

    // whether both places have so many items behind them, and neither is among these; the places from `items` on are
    // heads; an item may be left out if `removes`
    MH_FN bool fits(const Item* x, int items, bool removes) const {
        if (p == q || (q < items && x[q] == q)) return false;
        const bool lone = first == 1 && second == 0;
        if (p < items && x[p] == p) return lone;
        bool meets = false;
        int at = p;
        for (int k = 0; k < first; ++k) {
            at = x[at];
            if (at >= items) return false;
            meets = meets || at == q;
        }
        if (meets) return lone && removes;
        at = q;
        for (int k = 0; k < second; ++k) {
            at = x[at];
            if (at >= items || at == p) return false;
        }
        return true;
    }

    template <class T> MH_FN void apply(T team, Item* x) const {
        if (team.rank != 0) return;
        const int one = x[p], last = behind(x, p, first), after = x[last];
        const int other = x[q], end = behind(x, q, second), beyond = x[end];
        if (second) link(x, p, other, end, turned & 2, after);
        else x[p] = Item(after);
        link(x, q, one, last, turned & 1, beyond);
    }
    MH_FN SegmentsMove inverse() const { return {q, p, first, second, turned}; }
};
