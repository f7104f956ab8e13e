// For each kind 1 ... 7 the cuts i < j < k, row by row; a group is the moves with the same kind, i and j. A block that
// is reversed holds two items or more: the cuts of a kind are the triples of `places(kind)` numbers, spread apart.
struct ThreeOpt : ThreeOptData {
    typedef ThreeOptMove Move;

    static constexpr int begin = cyclic ? 1 : 0;  // the first cut

    // How much further apart i and j are, and j and k: 0 or 1. They are digits and not bits of the kind, since an
    // assembler lost carries of them (docs/decisions/a-lost-carry.md).
    MH_FN static int wide(int kind) { return int(0x10101010u >> 4 * kind & 15); }
    MH_FN static int high(int kind) { return int(0x11001100u >> 4 * kind & 15); }
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
    MH_FN i64 root_of_triples(i64 k) const {
        i64 low = 0, high = i64(n) + 2;
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
    // what a row's moves share: the kind, known to the compiler, and two cuts
    template <int kind> struct Row {
        int i, j, of;

        MH_FN int length() const { return of; }
        MH_FN Move move(int k) const { return {i, j, j + high(kind) + 1 + k, kind}; }
    };
    template <class F> MH_FN void row(i64 g, F f) const {
        const Move m = move(g, 0);
        const int of = int(n - wide_cut(m));
        switch (m.kind) {
        case 1:
            return f(Row<1>{m.i, m.j, of});
        case 2:
            return f(Row<2>{m.i, m.j, of});
        case 3:
            return f(Row<3>{m.i, m.j, of});
        case 4:
            return f(Row<4>{m.i, m.j, of});
        case 5:
            return f(Row<5>{m.i, m.j, of});
        case 6:
            return f(Row<6>{m.i, m.j, of});
        default:
            return f(Row<7>{m.i, m.j, of});
        }
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

    // Sequential 3-opt, reversals included: the edges t1-t2, t3-t4, t5-t6 become t2-t3, t4-t5, t6-t1; t3 is a candidate
    // of t2 and t5 one of t4, and each partial sum of removed less added edges is positive.
    template <class Tour, class Offer> MH_FN bool exchanges(Tour& tour, int t2, Offer offer) const {
        const int width = tour.width(), shares = tour.spare(width);           // of the candidates of t4
        for (int side = tour.first_side(); side < 2; side += tour.sides()) {  // t2 comes behind t1, seen from here
            const int t1 = tour.beside(t2, 1 - side), next = tour.beside(t2, side);
            const auto removed = tour.edge_beside(t2, 1 - side, t1);
            for (int place = tour.first_place(); place < width * shares; place += tour.places_apart()) {
                const int k = place / shares;
                const int t3 = tour.candidate(t2, k);
                if (removed <= tour.least_to(t2, k)) break;
                const auto gain = removed - tour.length_to(t2, k);
                if (gain <= 0 || t3 == t1 || t3 == next) continue;
                const Third<typename Tour::Length> third{side, t1, t2, t3, gain};
                const Share share{(side * width + k) * (3 * width + 1), place % shares, shares};
                if (reversing(tour, third, share, offer) || exchanging(tour, third, share, offer)) return true;
            }
        }
        return false;
    }

    // t1-t2 is removed and t2-t3 added, which gains something
    template <class Length> struct Third {
        int side, t1, t2, t3;
        Length gain;
    };
    // the number of the first offer that follows; every how many-th candidate of t4 a thread looks at, from which on
    struct Share { int number, first, apart; };

    // a reversal alone closes the tour; or a second one follows
    template <class Tour, class Offer>
    MH_FN bool reversing(Tour& tour, Third<typename Tour::Length> s, Share share, Offer offer) const {
        const int t1 = s.t1, t2 = s.t2, t3 = s.t3, t4 = tour.beside(t3, 1 - s.side);
        const int before = tour.beside(t4, 1 - s.side), all = tour.steps_to(t2, t3, s.side);
        const auto gain = s.gain + tour.edge_beside(t3, 1 - s.side, t4);
        tour.at(share.number);
        if (share.first == 0 && offer(gain - tour.edge(t4, t1), t1, t2, t4, t3)) return true;
        for (int k = share.first; k < tour.width(); k += share.apart) {
            const int t5 = tour.candidate(t4, k);
            if (gain <= tour.least_to(t4, k)) break;
            const auto rest = gain - tour.length_to(t4, k);
            if (rest <= 0 || t5 == t3 || t5 == t1 || t5 == before) continue;
            const int way = tour.steps_to(t2, t5, s.side) < all ? s.side : 1 - s.side, t6 = tour.beside(t5, way);
            tour.at(share.number + 1 + k);
            if (offer(rest + tour.edge_beside(t5, way, t6) - tour.edge(t6, t1), t1, t2, t4, t3, t4, t1, t5, t6))
                return true;
        }
        return false;
    }

    // two tours: t5 must lie in that of t2 ... t3
    template <class Tour, class Offer>
    MH_FN bool exchanging(Tour& tour, Third<typename Tour::Length> s, Share share, Offer offer) const {
        const int side = s.side, t1 = s.t1, t2 = s.t2, t3 = s.t3, t4 = tour.beside(t3, side);
        const int all = tour.steps_to(t2, t3, side);
        const auto gain = s.gain + tour.edge_beside(t3, side, t4);
        for (int k = share.first; k < tour.width(); k += share.apart) {
            const int t5 = tour.candidate(t4, k);
            if (gain <= tour.least_to(t4, k)) break;
            const auto rest = gain - tour.length_to(t4, k);
            if (rest <= 0 || t5 == t3 || tour.steps_to(t2, t5, side) > all) continue;
            tour.at(share.number + 1 + tour.width() + 2 * k);
            int t6 = tour.beside(t5, side);
            if (offer(rest + tour.edge_beside(t5, side, t6) - tour.edge(t6, t1), t1, t2, t3, t4, t1, t3, t6, t5, t3, t5,
                      t2, t4))
                return true;
            if (t5 == t2) continue;
            t6 = tour.beside(t5, 1 - side);
            if (offer(rest + tour.edge_beside(t5, 1 - side, t6) - tour.edge(t6, t1), t1, t2, t6, t5, t2, t5, t3, t4))
                return true;
        }
        return false;
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
