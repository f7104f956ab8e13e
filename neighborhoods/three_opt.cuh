// For each kind 1 ... 7 the cuts i < j < k, row by row; a group is the moves with the same kind, i and j. A block that
// is reversed holds two items or more: the cuts of a kind are the triples of `places(kind)` numbers, spread apart.
struct ThreeOpt : ThreeOptData {
    typedef ThreeOptMove Move;

    static constexpr int begin = cyclic ? 1 : 0;  // the first cut

    MH_FN static int wide(int kind) { return kind & 1; }       // how much further apart i and j are
    MH_FN static int high(int kind) { return kind >> 1 & 1; }  // and j and k
    MH_FN i64 places(int kind) const { return i64(n) + 1 - begin - wide(kind) - high(kind); }
    MH_FN static i64 pairs(i64 a) { return a > 1 ? a * (a - 1) / 2 : 0; }
    MH_FN static i64 triples(i64 a) { return a > 2 ? a * (a - 1) / 2 * (a - 2) / 3 : 0; }

    MH_FN i64 size() const { return total(8); }
    // the moves, and the groups, of the kinds below this one
    MH_FN i64 total(int kind) const {
        i64 sum = 0;
        for (int each = 1; each < kind; ++each) sum += triples(places(each));
        return sum;
    }
    MH_FN i64 rows(int kind) const {
        i64 sum = 0;
        for (int each = 1; each < kind; ++each) sum += pairs(places(each) - 1);
        return sum;
    }
    MH_FN i64 groups() const { return rows(8); }

    // the largest a with pairs(a) <= k, by a float root; with triples(a) <= k, by halving
    MH_FN static i64 root_of_pairs(i64 k) {
        i64 a = i64((sqrt(8.0 * double(k) + 1.0) + 1.0) / 2.0);
        a -= pairs(a) > k;
        a += pairs(a + 1) <= k;
        return a;
    }
    MH_FN static i64 root_of_triples(i64 k) {
        i64 low = 0, high = i64(1) << 21;
        while (high - low > 1) {
            const i64 middle = (low + high) / 2;
            if (triples(middle) <= k) low = middle;
            else high = middle;
        }
        return low;
    }

    // the cuts numbered from the end: a > b > c
    MH_FN Move placed(int kind, i64 a, i64 b, i64 c) const {
        const i64 last = places(kind) - 1 + begin;
        return {int(last - a), int(last - b + wide(kind)), int(last - c + wide(kind) + high(kind)), kind};
    }
    MH_FN Move move(i64 g, int k) const {
        int kind = 1;
        for (; g >= pairs(places(kind) - 1); ++kind) g -= pairs(places(kind) - 1);
        const i64 after = pairs(places(kind) - 1) - 1 - g, a = root_of_pairs(after), b = after - pairs(a);
        return placed(kind, a + 1, b + 1, b - k);
    }
    MH_FN int length(i64 g) const {
        const Move m = move(g, 0);
        return int(n - wide_cut(m));
    }
    MH_FN static i64 wide_cut(Move m) { return i64(m.j) + high(m.kind); }
    MH_FN i64 group(Move m) const {
        const i64 last = places(m.kind) - 1 + begin, a = last - m.i, b = last - m.j + wide(m.kind);
        return rows(m.kind + 1) - 1 - pairs(a - 1) - (b - 1);
    }
    MH_FN i64 index(Move m) const {
        const i64 last = places(m.kind) - 1 + begin;
        const i64 a = last - m.i, b = last - m.j + wide(m.kind), c = last - m.k + wide(m.kind) + high(m.kind);
        return total(m.kind + 1) - 1 - triples(a) - pairs(b) - c;
    }
    MH_FN i64 first(i64 g) const { return g < groups() ? index(move(g, 0)) : size(); }

    MH_FN Move unrank(i64 k) const {
        int kind = 1;
        for (; k >= triples(places(kind)); ++kind) k -= triples(places(kind));
        const i64 after = triples(places(kind)) - 1 - k, a = root_of_triples(after), rest = after - triples(a);
        const i64 b = root_of_pairs(rest);
        return placed(kind, a, b, rest - pairs(b));
    }

    // the items at the positions from ... end - 1 in the opposite order
    MH_FN static void turn(Team team, Item* x, int from, int end) {
        team.for_each((end - from) / 2, [=](i64 k) {
            Item item = x[from + k];
            x[from + k] = x[end - 1 - k];
            x[end - 1 - k] = item;
        });
        team.sync();
    }

    // two blocks change places: each is turned, then both together
    MH_FN void apply(Team team, Item* x, Move m) const {
        const bool exchange = m.kind & 4;
        if (((m.kind & 1) != 0) != exchange) turn(team, x, m.i, m.j);
        if (((m.kind & 2) != 0) != exchange) turn(team, x, m.j, m.k);
        if (exchange) turn(team, x, m.i, m.k);
    }
};
