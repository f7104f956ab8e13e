// Beside the walk lie the coordinates in the order of the tour, and the lengths of its edges: edges(k) is that of the
// edge from position k to k + 1. They go twice around, so that positions need not be counted modulo n. gains(k) is what
// reversing the first k edges costs.
struct TSP : TSPData {
    // floor(sqrt(x² + y²) + 0.5) of whole numbers with x² + y² < 2^30, without a double: a rough root, right or one too
    // small, which whole numbers tell exactly
    MH_FN static Cost straight(i32 x, i32 y) {
        const i32 square = x * x + y * y, root = rough_root(square);
        return root + i32(u32(root * root + root - square) >> 31);  // one more where that is negative
    }

    // a float root within 0.009, or 0.33 below, rounded a little early
    MH_FN static i32 rough_root(i32 square) {
#ifdef __CUDACC__
        float root;
        asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(float(square)));
        return __float_as_int(__fmaf_rn(root, 0.99999f, 8388608.0f)) - 0x4B000000;  // the last bits of 2^23 and more
#else
        return i32(sqrtf(float(square)) + 0.49f);
#endif
    }

    // TSPLIB's formulas, operation by operation
    MH_FN static Cost straight(double x, double y) {
        double result = 0.0;
        if (metric == EUC_2D) {
            result = floor(sqrt(x * x + y * y) + 0.5);
        } else if (metric == CEIL_2D) {
            result = ceil(sqrt(x * x + y * y));
        } else if (metric == ATT) {
            double exact = sqrt((x * x + y * y) / 10.0);
            result = floor(exact + 0.5);
            if (result < exact) result += 1.0;
        } else {
            x = floor(metric == MAN_2D ? fabs(x) + fabs(y) + 0.5 : fabs(x) + 0.5);
            y = metric == MAN_2D ? 0.0 : floor(fabs(y) + 0.5);
            result = x > y ? x : y;
        }
        return Cost(result);
    }

    template <class T> struct Point { T x, y; };
    template <class T> MH_FN static Cost straight(Point<T> a, Point<T> b) { return straight(a.x - b.x, a.y - b.y); }

    // where a city lies; a GPU reads both coordinates at once
    MH_FN auto point(int city) const {
        typedef decltype(TSPData::points) Points;
        typedef decltype(points(0)) Value;
#ifdef __CUDACC__
        if constexpr (sizeof(typename Points::stored_type) == 2 && Points::place != Texture) {
            const u32 both = points.data.word(city);
            return Point<Value>{i16(both), i16(both >> 16)};
        }
#endif
        return Point<Value>{points(2 * i64(city)), points(2 * i64(city) + 1)};
    }

    // from city to city
    MH_FN Cost edge(int a, int b) const {
        if constexpr (tabulated) return Cost(matrix(a, b));
        else return straight(point(a), point(b));
    }

    // from the city at position p to the one at position q, 0 ... 2 n
    MH_FN Cost apart(const Item* x, State s, int p, int q) const {
        if constexpr (tabulated) return edge(x[wrapped(p)], x[wrapped(q)]);
        else return straight(s.xs(p) - s.xs(q), s.ys(p) - s.ys(q));
    }

    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n, [&](int k) { return Total(edge(x[k], x[k + 1 == n ? 0 : k + 1])); });
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(n, [=](i64 k) {
            const int city = x[k];
            if constexpr (!tabulated) {
                const auto here = point(city);
                s.xs(k) = s.xs(k + n) = here.x;
                s.ys(k) = s.ys(k + n) = here.y;
                if (k == 0) {
                    s.xs(2 * n) = here.x;
                    s.ys(2 * n) = here.y;
                }
            }
            s.edges(k) = s.edges(k + n) = edge(city, x[k + 1 == n ? 0 : k + 1]);
        });
        if (!symmetric && team.rank == 0) {
            s.gains(0) = 0;
            for (int k = 1; k < n; ++k) s.gains(k) = s.gains(k - 1) + edge(x[k], x[k - 1]) - edge(x[k - 1], x[k]);
        }
    }

    template <class Move> MH_FN void commit(Team team, const Item* x, State s, Move) const { init(team, x, s); }

    MH_FN int wrapped(int p) const { return p < n ? p : p < 2 * n ? p - n : p - 2 * n; }

    // The tour's blocks A = k ... i-1, B = i ... j-1, C = j ... k-1 become A, B, C with B reversed where kind has the
    // bit 1, C reversed where it has the bit 2, and both exchanged where it has the bit 4; k may lie up to n beyond the
    // end. There may be no A only where `all` says so.
    template <bool all> MH_FN Cost reconnected(const Item* x, State s, int i, int j, int k, int kind) const {
        const int turns = i ? 0 : n, b = i + turns, c = j + turns, d = k + turns;
        const int b0 = kind & 1 ? c - 1 : b, b1 = kind & 1 ? b : c - 1, c0 = kind & 2 ? d - 1 : c;
        const int c1 = kind & 2 ? c : d - 1;
        const int p0 = kind & 4 ? c0 : b0, p1 = kind & 4 ? c1 : b1, q0 = kind & 4 ? b0 : c0, q1 = kind & 4 ? b1 : c1;
        Cost gain = apart(x, s, p1, q0) - s.edges(c - 1) - s.edges(d - 1);
        if (!symmetric) {
            if (kind & 1) gain += s.gains(wrapped(c - 1)) - s.gains(wrapped(b));
            if (kind & 2) gain += s.gains(wrapped(d - 1)) - s.gains(wrapped(c));
        }
        if (all && k - i == n) return gain + apart(x, s, q1, p0);  // there is no A
        return gain + apart(x, s, b - 1, p0) + apart(x, s, q1, d) - s.edges(b - 1);
    }

    MH_FN Cost delta(Team, const Item* x, State s, TwoOptMove m) const {
        if constexpr (symmetric) {  // and cyclic: i is not 0
            return apart(x, s, m.i - 1, m.j) + apart(x, s, m.i, m.j + 1) - s.edges(m.i - 1) - s.edges(m.j);
        } else {
            const Cost gain = s.gains(m.j) - s.gains(m.i) - s.edges(m.j);
            if (m.j - m.i == n - 1) return gain + apart(x, s, m.i, m.j);
            const int before = m.i ? m.i - 1 : n - 1;
            return gain + apart(x, s, before, m.j) + apart(x, s, m.i, m.j + 1) - s.edges(before);
        }
    }

    MH_FN Cost delta(Team team, const Item* x, State s, OrOptMove m) const {
        if (m.shift < 0) return reconnected<true>(x, s, m.i + m.shift, m.i, m.i + m.length, 4 + 2 * m.reverse);
        return delta(team, x, s, RightOrOptMove{m});
    }

    MH_FN Cost delta(Team, const Item* x, State s, RightOrOptMove m) const {
        const int next = m.i + m.length;
        return reconnected<!symmetric>(x, s, m.i, next, next + m.shift, 4 + m.reverse);
    }

    MH_FN Cost delta(Team, const Item* x, State s, ThreeOptMove m) const {
        return reconnected<!symmetric>(x, s, m.i, m.j, m.k, m.kind);
    }

    MH_FN Cost delta(Team, const Item* x, State s, InsertionMove m) const {
        return m.i < m.j ? reconnected<true>(x, s, m.i, m.i + 1, m.j + 1, 4)
                         : reconnected<true>(x, s, m.j, m.i, m.i + 1, 4);
    }

    MH_FN Cost delta(Team, const Item* x, State s, SwapMove m) const {
        const bool next = m.j - m.i == 1, around = m.j - m.i == n - 1;  // the edge between the two stays
        if constexpr (!symmetric) {
            if (next) return reconnected<true>(x, s, m.i, m.j, m.j + 1, 4);
            if (around) return reconnected<true>(x, s, m.j, n, n + 1, 4);
        }
        const int before = m.i ? m.i - 1 : n - 1;
        const Cost gain = apart(x, s, before, m.j) + apart(x, s, m.j, m.i + 1) + apart(x, s, m.j - 1, m.i) +
                          apart(x, s, m.i, m.j + 1) - s.edges(before) - s.edges(m.i) - s.edges(m.j - 1) - s.edges(m.j);
        return gain + (next ? 2 * s.edges(m.i) : Cost(0)) + (around ? 2 * s.edges(m.j) : Cost(0));
    }
};
