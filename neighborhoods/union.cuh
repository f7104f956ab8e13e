// The moves of two neighborhoods, one range after the other.
struct Union : UnionData {
    typedef decltype(UnionData::left) Left;
    typedef decltype(UnionData::right) Right;

    // `which` selects one of the two moves; the other one is zero.
    struct Move {
        int which;
        Left::Move left;
        Right::Move right;
    };

    MH_FN static Move of_left(Left::Move m) { return {0, m, {}}; }
    MH_FN static Move of_right(Right::Move m) { return {1, {}, m}; }

    MH_FN i64 size() const { return left.size() + right.size(); }
    MH_FN i64 groups() const { return left.groups() + right.groups(); }
    MH_FN int length(i64 g) const {
        const i64 before = left.groups();
        return g < before ? left.length(g) : right.length(g - before);
    }
    MH_FN i64 first(i64 g) const {
        const i64 before = left.groups();
        return g < before ? left.first(g) : left.size() + right.first(g - before);
    }
    MH_FN Move move(i64 g, int k) const {
        const i64 before = left.groups();
        return g < before ? of_left(left.move(g, k)) : of_right(right.move(g - before, k));
    }
    MH_FN i64 group(Move m) const { return m.which ? left.groups() + right.group(m.right) : left.group(m.left); }
    MH_FN i64 index(Move m) const { return m.which ? left.size() + right.index(m.right) : left.index(m.left); }
    MH_FN Move unrank(i64 k) const {
        const i64 before = left.size();
        return k < before ? of_left(left.unrank(k)) : of_right(right.unrank(k - before));
    }

    // where the neighborhoods are those of different parts
    MH_FN bool reaches(int at) const { return reaches_of(left, at) || reaches_of(right, at); }
    template <class Places> MH_FN Move towards(const Item* x, const Item* guide, const Places* places, int at) const {
        return reaches_of(left, at) ? of_left(towards_of(left, x, guide, places, at))
                                    : of_right(towards_of(right, x, guide, places, at));
    }

    template <class Tour, class Offer> MH_FN bool exchanges(Tour& tour, int item, Offer offer) const {
        return tour.any(exchanges_of(left, tour, item, offer)) || exchanges_of(right, tour, item, offer);
    }

    template <class F> MH_FN void resolve(Move m, F f) const {
        if (m.which) ::resolve(right, m.right, f);
        else ::resolve(left, m.left, f);
    }
};
