// Rows: for each kind of segment, (1, as it is), (2, as it is), (2, reversed), (3, as it is), ..., each position i
// where one begins; a group is a row: all places where that segment may go. Left out are the nearest places, which
// other segments reach: fewer than `near` positions to the right, fewer than `far` to the left.
struct OrOpt : OrOptData {
    typedef OrOptMove Move;

    struct Kind { i64 length, reverse, near, far; };

    MH_FN static i64 least(i64 a, i64 b) { return a < b ? a : b; }
    MH_FN static i64 positive(i64 a) { return a > 0 ? a : 0; }
    MH_FN static i64 triangle(i64 a) { return a > 0 ? a * (a + 1) / 2 : 0; }

    MH_FN i64 longest_here() const {
        return positive(least(longest, cyclic ? least((n - 3) / 2, (n - 1) / 3) : n - 1));
    }
    MH_FN i64 kinds() const { return positive(2 * longest_here() - 1); }
    MH_FN static Kind kind(i64 c) {
        const i64 length = (c + 3) / 2, reverse = c > 0 && c % 2 == 0;
        return {length, reverse, reverse ? 1 : length, reverse ? 2 : length + 1};
    }

    // for one kind of segment: the number of rows, of moves in a row, and of moves in the rows before row i
    MH_FN i64 rows(Kind a) const { return cyclic ? n : n - a.length + 1; }
    MH_FN i64 width(Kind a) const { return n - a.length - a.near - a.far + 1; }
    MH_FN i64 before(Kind a, i64 i) const {
        if (cyclic) return i * width(a);
        const i64 last = n - a.length, right = last - a.near + 1;
        return triangle(i - a.far) + triangle(right) - triangle(least(right, right - i));
    }
    MH_FN i64 left(Kind a, i64 i) const { return cyclic ? 0 : positive(i - a.far + 1); }
    MH_FN i64 right(Kind a, i64 i) const { return cyclic ? width(a) : positive(n - a.length - i - a.near + 1); }

    MH_FN i64 size() const { return first(groups()); }
    MH_FN i64 groups() const {
        i64 total = 0;
        for (i64 c = 0, count = kinds(); c < count; ++c) total += rows(kind(c));
        return total;
    }
    // the kind and the row of a group; the index of the first move of that kind
    MH_FN i64 locate(i64 g, i64& row, i64& base) const {
        base = 0;
        i64 c = 0;
        for (i64 count = kinds(); c < count && g >= rows(kind(c)); ++c) {
            g -= rows(kind(c));
            base += before(kind(c), rows(kind(c)));
        }
        row = g;
        return c;
    }
    MH_FN i64 first(i64 g) const {
        i64 row, base, c = locate(g, row, base);
        return row ? base + before(kind(c), row) : base;
    }
    MH_FN int length(i64 g) const {
        i64 row, base, c = locate(g, row, base);
        return int(left(kind(c), row) + right(kind(c), row));
    }
    MH_FN Move move(i64 g, int k) const {
        i64 row, base, c = locate(g, row, base);
        return placed(kind(c), row, k);
    }
    MH_FN Move placed(Kind a, i64 i, i64 k) const {
        const i64 passed = left(a, i);
        const i64 shift = k < passed ? k - i : k - passed + a.near;
        return {int(i), int(a.length), int(shift), int(a.reverse)};
    }

    // what a row's moves share, the orientation known to the compiler; on a cyclic permutation all go to the right
    template <int reverse> struct Row {
        int i, segment, left, near, of;

        MH_FN int length() const { return of; }
        MH_FN auto move(int k) const {
            if constexpr (cyclic) return RightOrOptMove{{i, segment, k + near, reverse}};
            else return Move{i, segment, k < left ? k - i : k - left + near, reverse};
        }
    };
    template <class F> MH_FN void row(i64 g, F f) const {
        i64 i, base;
        const Kind a = kind(locate(g, i, base));
        const int before = int(left(a, i)), of = int(before + right(a, i));
        if (a.reverse) f(Row<1>{int(i), int(a.length), before, int(a.near), of});
        else f(Row<0>{int(i), int(a.length), before, int(a.near), of});
    }

    MH_FN i64 number(Move m) const { return m.length < 2 ? 0 : 2 * i64(m.length) - 3 + m.reverse; }
    MH_FN i64 group(Move m) const {
        i64 g = m.i;
        for (i64 c = 0; c < number(m); ++c) g += rows(kind(c));
        return g;
    }
    MH_FN i64 index(Move m) const {
        const Kind a = kind(number(m));
        return first(group(m)) + (m.shift < 0 ? m.i + m.shift : left(a, m.i) + m.shift - a.near);
    }

    // the row by a division, as if all were equally long, corrected until it holds k
    MH_FN Move unrank(i64 k) const {
        i64 c = 0;
        for (; k >= before(kind(c), rows(kind(c))); ++c) k -= before(kind(c), rows(kind(c)));
        const Kind a = kind(c);
        i64 i = width(a) > 0 ? least(k / width(a), rows(a) - 1) : 0;
        while (before(a, i) > k) --i;
        while (before(a, i + 1) <= k) ++i;
        return placed(a, i, k - before(a, i));
    }

    // the items at the positions from ... from + count - 1 in the opposite order, counted around the permutation
    MH_FN void turn(Team team, Item* x, i64 from, i64 count) const {
        const i64 around = n;
        team.for_each(count / 2, [=](i64 k) {
            i64 p = from + k, q = from + count - 1 - k;
            p -= p < around ? 0 : around;
            q -= q < around ? 0 : around;
            Item item = x[p];
            x[p] = x[q];
            x[q] = item;
        });
        team.sync();
    }

    // The segment that begins or ends with the item at position p goes beside the item at position q, so that these two
    // are neighbors. Variants 0 and 1: the item alone, behind or before q. Then for two items, three items, ...: begins
    // with it, behind; the same reversed, before; ends with it, before; the same reversed, behind.
    MH_FN bool connect(int p, int q, int variant, Move& m) const {
        const int length = variant < 2 ? 1 : 2 + (variant - 2) / 4,
                  form = variant < 2 ? 2 * variant : (variant - 2) % 4;
        const int before = form == 1 || form == 2, reverse = form % 2;
        int i = form < 2 ? p : p - length + 1;
        if (cyclic && i < 0) i += n;
        if (i < 0 || length > longest_here() || (!cyclic && i + length > n)) return false;
        int passed = q - (i + length - 1);  // to the right, q itself included
        if (cyclic) {
            passed = passed < 0 ? passed + n : passed;
            m = {i, length, passed - before, reverse};
            return passed > 0 && passed <= n - length && m.shift > 0 && m.shift < n - length;
        }
        if (q >= i && passed <= 0) return false;  // q is in the segment
        m = {i, length, passed > 0 ? passed - before : q - i + 1 - before, reverse};
        return m.shift != 0;
    }

    // before `next`; `removed` is what its removal gains
    template <class Length> struct Segment {
        int next;
        Length removed;
    };
    // the segment of a and `more` more items
    template <class Tour> MH_FN auto segment(const Tour& tour, int p, int a, int more, int side) const {
        const int last = tour.along(a, more, side), next = tour.along(a, more + 1, side);
        return Segment<typename Tour::Length>{next, tour.edge_beside(a, 1 - side, p) +
                                                        tour.edge_beside(last, side, next) - tour.edge(p, next)};
    }

    // the segments of a and fewer than `few` more items; in a warp each thread computes one edge: the first `few`
    // threads the edge after a segment, the next ones the edge from p to the item after it, the last one the edge from
    // p to a
    template <int few, class Tour> MH_FN auto segments(const Tour& tour, int p, int a, int side) const {
        typedef Segment<typename Tour::Length> One;
        struct { One of[few]; } all;
        if (tour.shares(2 * few + 1)) {
            const int place = tour.first_place(), more = place < few ? place : place < 2 * few ? place - few : -1;
            const int next = tour.along(a, more + 1, side);
            const auto own = tour.edge(place < few ? tour.along(a, more, side) : p, next);
            const auto removed = own + tour.told(own, 2 * few) - tour.told(own, place < few ? place + few : 0);
            for (int k = 0; k < few; ++k) all.of[k] = tour.told(One{next, removed}, k);
        } else {
            for (int k = 0; k < few; ++k) all.of[k] = segment(tour, p, a, k, side);
        }
        return all;
    }

    // The segments that begin with a, in both directions, go between a candidate c of a and the item e beside it. Those
    // of few items are kept.
    template <class Tour, class Offer> MH_FN bool exchanges(Tour& tour, int a, Offer offer) const {
        constexpr int few = 3;
        const int most = int(least(longest, n - 3)), places = 2 * tour.width();
        for (int side = tour.first_side(); side < 2; side += tour.sides()) {
            const int p = tour.beside(a, 1 - side);
            const auto kept = segments<few>(tour, p, a, side);
            auto top = kept.of[0].removed;
            for (int k = 1; k < few; ++k)
                if (k < most && kept.of[k].removed > top) top = kept.of[k].removed;
            for (int k = few; k < most; ++k) {
                const auto removed = segment(tour, p, a, k, side).removed;
                top = removed > top ? removed : top;
            }
            for (int place = tour.first_place(); place < places; place += tour.places_apart()) {
                const int c = tour.candidate(a, place / 2), way = place % 2;
                if (top <= tour.least_to(a, place / 2)) break;
                const auto added = tour.length_to(a, place / 2);
                if (way == 0 && c == p) continue;
                const int e = tour.beside(c, side ^ way), passed = tour.steps_to(a, c, side);
                const int longest_here = passed < most ? passed : most;  // c is not in it
                const auto rest = tour.edge_beside(c, side ^ way, e) - added;
                tour.at((side * places + place) * most);
                int last = a;
                const auto reinserted = [&](const auto& s) {
                    const int end = last;
                    last = s.next;
                    if (s.removed <= added || (way && c == s.next)) return false;
                    return offer(s.removed + rest - tour.edge(end, e),
                                 [&](auto keep) { reconnect(way, p, a, end, s.next, c, e, keep); });
                };
                for (int k = 0; k < few; ++k)
                    if (k < longest_here && reinserted(kept.of[k])) return true;
                for (int k = few; k < longest_here; ++k)
                    if (reinserted(segment(tour, p, a, k, side))) return true;
            }
        }
        return false;
    }

    // a ... last, which stands between p and z, goes between c and e
    template <class Keep> MH_FN static void reconnect(int way, int p, int a, int last, int z, int c, int e, Keep keep) {
        if (way == 0) {
            keep(p, a, c, e);
            if (c != z) keep(p, c, z, last);
            keep(c, last, a, e);
        } else {
            keep(p, a, e, c);
            if (e != z) keep(p, e, z, last);
        }
    }

    // two neighboring blocks change places: each is turned, then both together
    MH_FN void apply(Team team, Item* x, Move m) const {
        const i64 passed = m.shift < 0 ? -m.shift : m.shift, from = m.shift < 0 ? m.i + m.shift : m.i;
        turn(team, x, m.shift < 0 ? from : i64(m.i) + m.length, passed);
        if (!m.reverse) turn(team, x, m.i, m.length);
        turn(team, x, from, passed + m.length);
    }
};
