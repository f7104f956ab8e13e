// Segments i..j that are reversed, pairs i < j row by row; a group is a row: the segments that begin at i. In a cyclic
// permutation position 0 stays, and the last pair of the first row, which only turns the tour around, is left out.
struct TwoOpt : TwoOptData {
    typedef TwoOptMove Move;

    static constexpr int begin = cyclic ? 1 : 0;  // the first position of the first segment

    MH_FN i64 places() const { return n - begin; }
    MH_FN i64 all() const { return places() * (places() - 1) / 2; }
    MH_FN i64 size() const { return all() > begin ? all() - begin : 0; }
    MH_FN i64 groups() const { return size() ? places() - 1 : 0; }
    MH_FN int length(i64 g) const { return int(places() - 1 - g) - (g ? 0 : begin); }
    MH_FN i64 first(i64 g) const { return g * (2 * places() - 1 - g) / 2 - (g ? begin : 0); }
    MH_FN Move move(i64 g, int k) const { return {int(g) + begin, int(g) + begin + 1 + k}; }
    MH_FN i64 group(Move m) const { return m.i - begin; }
    MH_FN i64 index(Move m) const { return first(group(m)) + m.j - m.i - 1; }

    // the row is an integer root of the number of pairs from k on: a float root, corrected until the row holds k
    MH_FN Move unrank(i64 k) const {
        i64 after = size() - 1 - k;
        i64 row = i64((sqrt(8.0 * double(after) + 1.0) - 1.0) / 2.0);
        row -= row * (row + 1) / 2 > after;
        row += (row + 1) * (row + 2) / 2 <= after;
        i64 g = places() - 2 - row;
        return move(g, int(k - first(g)));
    }

    // the items at positions p and q become neighbors: as the ends of an edge each keeps the item before it (variant 0)
    // or behind it (variant 1)
    MH_FN bool connect(int p, int q, int variant, Move& m) const {
        const int low = p < q ? p : q, high = p < q ? q : p;
        m = variant == 0 ? Move{low + 1, high} : Move{low, high - 1};
        if (begin && m.i == 0) m = {high, n - 1};  // the same tour, position 0 in its place
        return m.i < m.j && !(begin && m.i == 1 && m.j == n - 1);
    }

    // a candidate takes the place of the item behind a (side 0) or before it (side 1)
    template <class Tour, class Offer> MH_FN bool exchanges(Tour& tour, int a, Offer offer) const {
        for (int side = tour.first_side(); side < 2; side += tour.sides()) {
            const int b = tour.beside(a, side);
            const auto removed = tour.edge_beside(a, side, b);
            for (int k = tour.first_place(); k < tour.width(); k += tour.places_apart()) {
                const int c = tour.candidate(a, k);
                if (removed <= tour.least_to(a, k)) break;
                const auto gain = removed - tour.length_to(a, k);
                if (Tour::guided && gain <= 0) continue;
                const int d = tour.beside(c, side);
                tour.at(side * tour.width() + k);
                if (offer(gain + tour.edge_beside(c, side, d) - tour.edge(b, d), a, b, c, d)) return true;
            }
        }
        return false;
    }

    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }
};
