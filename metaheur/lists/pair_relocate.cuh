// The first item of a pair goes behind a place, and the second one some items later; a group is the moves of one pair.
struct PairRelocate : PairRelocateData {
    struct Move { int first, second, place, steps; };

    template <class M> struct Joined {
        typedef M Move;
        typedef Neighborhoods<> Inner;
        static constexpr bool resamples = false, partial = false;
        template <class T> MH_FN void apply(T team, Item* x, M m) const { m.apply(team, x); }
    };
    typedef Neighborhoods<Joined<PairsMove>> Inner;

    MH_FN i64 size() const { return groups() * share; }
    MH_FN i64 groups() const { return pairs.rows; }
    MH_FN int length(i64) const { return int(share); }
    MH_FN i64 first(i64 g) const { return g * share; }
    MH_FN Move move(i64 g, int k) const {
        const int wide = int(between) + 1;
        return {int(pairs(g, 0)), int(pairs(g, 1)), k / wide, k % wide};
    }
    MH_FN i64 group(Move m) const {
        i64 g = 0;
        while (pairs(g, 0) != m.first) ++g;
        return g;
    }
    MH_FN i64 index(Move m) const { return first(group(m)) + i64(m.place) * (i64(between) + 1) + m.steps; }
    MH_FN Move unrank(i64 k) const { return move(k / share, int(k % share)); }

    MH_FN void prepare(Team team, const Item* x) const {
        auto before = previous, then = following;
        team.for_each(n, [=](i64 k) {
            before(x[k]) = int(k);
            then(k) = x[k];
        });
    }

    template <class F> MH_FN void resolve(Move m, F f) const {
        if (m.place == m.first || m.place == m.second) return;
        int at = m.place;
        for (int step = 0; step < m.steps; ++step) {
            do at = int(following(at));
            while (at == m.first || at == m.second);
            if (at >= items) return;
        }
        const PairsMove found{int(previous(m.first)), int(previous(m.second)), m.place, m.steps ? at : m.first};
        if (found.first_at == found.first_to && found.second_at == found.second_to) return;
        f(Joined<PairsMove>{}, found);
    }
};
