// Pairs i < j, row by row; a group is a row: the moves with the same i.
struct Swap : SwapData {
    typedef SwapMove Move;
    static constexpr bool places_all = true;

    MH_FN i64 size() const { return i64(n) * (n - 1) / 2; }
    MH_FN i64 groups() const { return n - 1; }
    MH_FN int length(i64 g) const { return n - 1 - int(g); }
    MH_FN i64 first(i64 g) const { return g * (2 * i64(n) - 1 - g) / 2; }
    MH_FN Move move(i64 g, int k) const { return {int(g), int(g) + 1 + k}; }
    MH_FN i64 group(Move m) const { return m.i; }
    MH_FN i64 index(Move m) const { return first(m.i) + m.j - m.i - 1; }

    // the row is an integer root of the number of moves from k on: a float root, corrected until the row holds k
    template <class I, class Root> MH_FN Move unranked(I k, Root root) const {
        const I after = I(n) * (n - 1) / 2 - 1 - k;
        I row = I((root(after) - 1) / 2);
        row -= row * (row + 1) / 2 > after;
        row += (row + 1) * (row + 2) / 2 <= after;
        const I g = n - 2 - row;
        return move(g, int(k - g * (2 * I(n) - 1 - g) / 2));
    }
    MH_FN Move unrank(i64 k) const {
        if (n <= 2048) return unranked(i32(k), [](i32 after) { return sqrtf(8.0f * float(after) + 1.0f); });
        return unranked(k, [](i64 after) { return sqrt(8.0 * double(after) + 1.0); });
    }

    // The q-th move in an order that needs no root, and its index: the first row and the last one, the second and the
    // one before the last ... follow each other; two such rows have n moves together.
    MH_FN void folded(i32 q, i64& k, Move& m) const {
        const i32 r = i32((float(q) + 0.5f) * (1.0f / float(n))), c = q - r * n;
        m = c < n - 1 - r ? Move{r, r + 1 + c} : Move{n - 2 - r, c};
        k = m.i * (2 * n - 1 - m.i) / 2 + m.j - m.i - 1;
    }

    // the item at position q changes places with the one behind (variant 0) or before (variant 1) position p
    MH_FN bool connect(int p, int q, int variant, Move& m) const {
        const int beside = variant == 0 ? p + 1 : p - 1;
        m = beside < q ? Move{beside, q} : Move{q, beside};
        return m.i != m.j && m.i >= 0 && m.j < n;
    }

    // the item that position `at` has in the other solution comes from where it is
    MH_FN Move towards(const Item*, const Item* guide, const i32* places, int at) const {
        const int from = places[guide[at]];
        return at < from ? Move{at, from} : Move{from, at};
    }

    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }

    // the moves that share a position with m, each once: (i, *), then (j, *) without i
    MH_FN i64 touched() const { return 2 * i64(n); }
    MH_FN bool around(Move m, i64 t, Move& other) const {
        int fixed = t < n ? m.i : m.j, free = int(t < n ? t : t - n);
        other = fixed < free ? Move{fixed, free} : Move{free, fixed};
        return fixed != free && !(t >= n && free == m.i);
    }

    // f(index, move) for them, one after the other
    template <class F> MH_FN void touch(Move m, F f) const {
        for (int c = 0; c < 2; ++c) {
            const int fixed = c ? m.j : m.i, without = c ? m.i : -1;
            i64 k = fixed - 1;
            for (int free = 0; free < fixed; ++free) {
                if (free != without) f(k, Move{free, fixed});
                k += n - 2 - free;
            }
            k = first(fixed);
            for (int free = fixed + 1; free < n; ++free) f(k++, Move{fixed, free});
        }
    }
};
