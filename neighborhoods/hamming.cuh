// n choose k, exact wherever it fits: each step divides before it multiplies
template <int k> MH_FN i64 binomial(i64 n) {
    if constexpr (k == 0) {
        return 1;
    } else {
        i64 before = binomial<k - 1>(n), factor = n - k + 1;
        return before / k * factor + before % k * factor / k;
    }
}

// a positive root of w^3 - w = six: Newton from a third of the exponent, which is within a tenth of it
MH_FN double cubic_root(double six) {
    union {
        double value;
        u64 bits;
    } start;
    start.value = six + 1.0;
    start.bits = start.bits / 3 + 0x2A9F84FE36D22425ull;
    double w = start.value;
    for (int step = 0; step < 4; ++step) w = (2.0 * w * w * w + six) / (3.0 * w * w - 1.0);
    return w;
}

// the largest y with (y choose k) <= rank: the root of a polynomial, corrected until it holds the rank
template <int k> MH_FN i64 largest(i64 rank) {
    if constexpr (k == 1) {
        return rank;
    } else {
        double v = double(rank), root;
        if constexpr (k == 2) root = 0.5 + sqrt(0.25 + 2.0 * v);
        if constexpr (k == 3) root = 1.0 + cubic_root(6.0 * v);
        if constexpr (k == 4) root = 1.5 + sqrt(1.25 + sqrt(24.0 * v + 1.0));
        i64 y = i64(root);
        y -= binomial<k>(y) > rank;
        y += binomial<k>(y + 1) <= rank;
        return y;
    }
}

// the k increasing positions below n that `behind` others follow in lexicographic order
template <int k> MH_FN void combination(i64 n, i64 behind, int* at) {
    if constexpr (k > 0) {
        i64 y = largest<k>(behind);
        at[0] = int(n - 1 - y);
        combination<k - 1>(n, behind - binomial<k>(y), at + 1);
    }
}

template <int k> MH_FN i64 behind(i64 n, const int* at) {
    if constexpr (k == 0) {
        return 0;
    } else {
        return binomial<k>(n - 1 - at[0]) + behind<k - 1>(n, at + 1);
    }
}

// Combinations of positions in lexicographic order; a group is the moves that share all positions but the last.
template <int flips> struct Hamming : HammingData {
    typedef FlipMove<flips> Move;
    static constexpr bool places_all = true;

    MH_FN i64 size() const { return binomial<flips>(n); }
    MH_FN i64 groups() const { return binomial<flips - 1>(n - 1); }

    // the first move of a group
    MH_FN Move head(i64 g) const {
        Move m;
        combination<flips - 1>(n - 1, groups() - 1 - g, m.at);
        if constexpr (flips == 1) m.at[0] = 0;
        else m.at[flips - 1] = m.at[flips - 2] + 1;
        return m;
    }

    MH_FN int length(i64 g) const { return n - head(g).at[flips - 1]; }
    MH_FN i64 first(i64 g) const { return index(head(g)); }
    MH_FN Move move(i64 g, int k) const {
        Move m = head(g);
        m.at[flips - 1] += k;
        return m;
    }
    MH_FN i64 group(Move m) const { return groups() - 1 - behind<flips - 1>(n - 1, m.at); }
    MH_FN i64 index(Move m) const { return size() - 1 - behind<flips>(n, m.at); }
    MH_FN Move unrank(i64 k) const {
        Move m;
        combination<flips>(n, size() - 1 - k, m.at);
        return m;
    }

    // the flip of the bit
    MH_FN Move towards(const Item*, const Item*, const i32*, int at) const {
        static_assert(flips == 1, "one bit at a time");
        return {{at}};
    }

    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }

    // the moves that share a position with m, each once: those with m's first position, then those with its second and
    // without its first, and so on; an int wherever a table of all moves fits into memory
    MH_FN int touched() const { return int(size() - binomial<flips>(n - flips)); }
    MH_FN bool around(Move m, int t, Move& other) const {
        i64 rest = t, others = binomial<flips - 1>(n - 1);
        int shared = 0;
        for (; rest >= others; others = binomial<flips - 1>(n - 1 - shared)) {
            rest -= others;
            ++shared;
        }
        combination<flips - 1>(n - 1 - shared, others - 1 - rest, other.at);
        int carried = m.at[0];
        for (int c = 0; c < flips; ++c) {
            if (c > shared) continue;
            carried = m.at[c];
            for (int d = 0; d < flips - 1; ++d) other.at[d] += other.at[d] >= carried;  // counted without m's positions
        }
        for (int d = 0; d < flips - 1; ++d) {
            int next = other.at[d];
            other.at[d] = next < carried ? next : carried;
            carried = next < carried ? carried : next;
        }
        other.at[flips - 1] = carried;
        return true;
    }
};
