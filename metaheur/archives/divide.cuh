// Non-dominated costs by divide and conquer, on a CPU. A row has the index of a cost, and its ranks in all objectives
// but the first; rows come in the lexicographic order of the costs, equal ones by index. So a row is beaten if and only
// if the ranks of an earlier row are nowhere larger. Source: H. T. Kung, F. Luccio and F. P. Preparata, "On finding the
// maxima of a set of vectors", Journal of the ACM 22, 1975; M. T. Jensen, "Reducing the run-time complexity of
// multiobjective EAs", IEEE Transactions on Evolutionary Computation 7, 2003.
constexpr int WIDTH = K <= 4 ? 4 : 8;
constexpr int TOGETHER = 32;              // rows that are compared in vectors
constexpr u32 ALL = (2u << (K - 1)) - 2;  // the ranks 1 ... K - 1, a bit each

struct Row {
    i32 of[WIDTH];  // the index, the ranks
};

struct Filtering {
    u8* beaten;
    Row* end;  // of free memory, which begins at `top`

    // the least and the largest numbers of the rows that are not beaten; false if all rows are beaten
    bool ends(const Row* rows, i64 n, Row& low, Row& high) const {
        for (int w = 0; w < WIDTH; ++w) {
            low.of[w] = Never<i32>::value;
            high.of[w] = -1;
        }
        for (i64 i = 0; i < n; ++i) {
            if (beaten[rows[i].of[0]]) continue;
            for (int w = 0; w < WIDTH; ++w) {
                low.of[w] = rows[i].of[w] < low.of[w] ? rows[i].of[w] : low.of[w];
                high.of[w] = rows[i].of[w] > high.of[w] ? rows[i].of[w] : high.of[w];
            }
        }
        return high.of[0] >= 0;
    }

    // compares every row of one side with every row of the other side
    void compare(const Row* left, i64 n, const Row* right, i64 m) const {
        for (i64 first = 0; first < n; first += TOGETHER) {
            i32 ranks[K - 1][TOGETHER];
            for (int t = 0; t < TOGETHER; ++t)
                for (int k = 1; k < K; ++k) ranks[k - 1][t] = first + t < n ? left[first + t].of[k] : Never<i32>::value;
            for (i64 j = 0; j < m; ++j) {
                const Row row = right[j];
                i32 found = 0;
                for (int t = 0; t < TOGETHER; ++t) {
                    i32 covers = -1;
                    for (int k = 1; k < K; ++k) covers &= -i32(ranks[k - 1][t] <= row.of[k]);
                    found |= covers;
                }
                beaten[row.of[0]] |= found & 1;
            }
        }
    }

    // compares two sides if only the first rank, by which both sides are sorted, and one other rank decide
    void sweep(const Row* left, i64 n, const Row* right, i64 m, bool first, int other) const {
        i32 least = Never<i32>::value;
        for (i64 i = 0, j = 0; j < m; ++j) {
            for (; i < n && (!first || left[i].of[1] <= right[j].of[1]); ++i)
                least = left[i].of[other] < least ? left[i].of[other] : least;
            beaten[right[j].of[0]] |= least <= right[j].of[other];
        }
    }

    // a rank near the middle of a sample of both sides; below the largest one, so that it divides them
    i32 pivot(const Row* left, i64 n, const Row* right, i64 m, int k, i32 low, i32 high) const {
        i32 sample[15];
        for (int s = 0; s < 15; ++s) {
            const i64 at = (n + m) / 15 * s + (n + m) / 30;
            const i32 rank = at < n ? left[at].of[k] : right[at - n].of[k];
            int place = s;
            for (; place && sample[place - 1] > rank; --place) sample[place] = sample[place - 1];
            sample[place] = rank;
        }
        return low <= sample[7] && sample[7] < high ? sample[7] : low + (high - low) / 2;
    }

    // divides the rows that can matter: rows up to a rank, and rows above it, each in their order; returns how many
    // rows are up to the rank
    i64 divide(const Row* rows, i64 n, int k, i32 at, const Row& low, const Row& high, Row* top, i64& above) const {
        i64 below = 0;
        above = 0;
        for (i64 i = 0; i < n; ++i) {
            const Row row = rows[i];
            bool matters = !beaten[row.of[0]];
            for (int w = 1; w < K; ++w) matters &= low.of[w] <= row.of[w] && row.of[w] <= high.of[w];
            const bool lower = row.of[k] <= at;
            top[lower ? below : n + above] = row;
            below += matters && lower;
            above += matters && !lower;
        }
        return below;
    }

    // marks the rows on the right that rows on the left beat in the ranks of `ranks`
    void marry(const Row* left, i64 n, const Row* right, i64 m, u32 ranks, Row* top) const {
        if (!n || !m) return;
        if (n * m <= FEW_PAIRS || end - top < 2 * (n + m)) return compare(left, n, right, m);
        Row least, most, low, high;
        if (!ends(left, n, least, most) || !ends(right, m, low, high)) return;
        for (int k = 1; k < K; ++k) {
            if (least.of[k] > high.of[k]) return;
            if (most.of[k] <= low.of[k]) ranks &= ~(1u << k);
        }
        const u32 unsorted = ranks & ~2u;
        if (!(unsorted & (unsorted - 1))) {
            const int other = unsorted ? 31 - __builtin_clz(unsorted) : 1;
            return sweep(left, n, right, m, ranks & 2, other);
        }
        const int k = 31 - __builtin_clz(unsorted);
        const i32 at = pivot(left, n, right, m, k, least.of[k] < low.of[k] ? least.of[k] : low.of[k],
                             most.of[k] > high.of[k] ? most.of[k] : high.of[k]);
        Row any;
        for (int w = 0; w < WIDTH; ++w) any.of[w] = w < K ? Never<i32>::value : 0;
        Row none{};
        Row *lefts = top, *rights = top + 2 * n, *free = rights + 2 * m;
        i64 left_above, right_above;
        const i64 left_below = divide(left, n, k, at, none, high, lefts, left_above);
        const i64 right_below = divide(right, m, k, at, least, any, rights, right_above);
        marry(lefts, left_below, rights + m, right_above, ranks & ~(1u << k), free);
        marry(lefts, left_below, rights, right_below, ranks, free);
        marry(lefts + n, left_above, rights + m, right_above, ranks, free);
    }

    i64 solve_few(Row* rows, i64 n) const {
        i64 found = 0;
        for (i64 j = 0; j < n; ++j) {
            const Row row = rows[j];
            compare(rows, found, &row, 1);
            if (beaten[row.of[0]]) continue;
            i64 place = found++;
            for (; place && rows[place - 1].of[1] > row.of[1]; --place) rows[place] = rows[place - 1];
            rows[place] = row;
        }
        return found;
    }

    // keeps the rows that are not beaten, sorted by their first rank; returns their number
    i64 solve(Row* rows, i64 n, Row* top) const {
        if (n <= 8) return solve_few(rows, n);
        const i64 half = n / 2, a = solve(rows, half, top), b = solve(rows + half, n - half, top);
        marry(rows, a, rows + half, b, ALL, top);
        i64 found = 0;
        for (i64 i = 0, j = 0; i < a || j < b;) {
            const bool first = j >= b || (i < a && rows[i].of[1] <= rows[half + j].of[1]);
            const Row row = first ? rows[i++] : rows[half + j++];
            if (!beaten[row.of[0]]) top[found++] = row;
        }
        for (i64 i = 0; i < found; ++i) rows[i] = top[i];
        return found;
    }
};

// for two ranks: a binary indexed tree of least second ranks by first rank (Fenwick 1994)
static void sweep_tree(const Row* rows, i64 n, u8* beaten, i32* tree) {
    for (i64 node = 0; node <= n; ++node) tree[node] = Never<i32>::value;
    for (i64 i = 0; i < n; ++i) {
        const Row row = rows[i];
        i32 least = Never<i32>::value;
        for (i64 node = row.of[1] + 1; node > 0; node &= node - 1) least = tree[node] < least ? tree[node] : least;
        beaten[row.of[0]] = least <= row.of[2];
        for (i64 node = row.of[1] + 1; node <= n && tree[node] > row.of[2]; node += node & -node)
            tree[node] = row.of[2];
    }
}

MH_ENTRY(divide) {
    const Arguments& a = *arguments;
    if (K == 3) sweep_tree(a.rows, a.m, a.out, &a.top->of[0]);
    else if (a.m) Filtering{a.out, a.top + a.n}.solve(a.rows, a.m, a.top);
}

// out[i] = 1 if one of a few costs beats cost i
MH_ENTRY(sift) {
    const Arguments& a = *arguments;
    for (i64 i = 0; i < a.n; ++i) {
        const i64* own = a.costs + i * K;
        bool beaten = false;
        for (i64 p = 0; p < a.m && !beaten; ++p) {
            const i64* other = a.costs + a.few[p] * K;
            bool covers = true, equal = true;
            for (int k = 0; k < K; ++k) {
                covers &= other[k] <= own[k];
                equal &= other[k] == own[k];
            }
            beaten = covers && (!equal || a.few[p] < i);
        }
        a.out[i] = beaten;
    }
}
