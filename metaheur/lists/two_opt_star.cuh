// Lists are cut behind two places: two lists exchange their tails, one reverses what is between.
struct TwoOptStar : TwoOptStarData {
    struct Move { int p, q; };

    // the neighborhoods of the moves that problems know
    template <class M> struct Joined {
        typedef M Move;
        typedef Neighborhoods<> Inner;
        static constexpr bool resamples = false, partial = false;
        template <class T> MH_FN void apply(T team, Item* x, M m) const { m.apply(team, x); }
    };
    typedef Neighborhoods<Joined<TailsMove>, Joined<ReversalMove>> Inner;

    MH_FN i64 size() const { return pairs.size(); }
    MH_FN i64 groups() const { return pairs.groups(); }
    MH_FN int length(i64 g) const { return pairs.length(g); }
    MH_FN i64 first(i64 g) const { return pairs.first(g); }
    MH_FN Move move(i64 g, int k) const { return from(pairs.move(g, k)); }
    MH_FN i64 group(Move m) const { return pairs.group(to(m)); }
    MH_FN i64 index(Move m) const { return pairs.index(to(m)); }
    MH_FN Move unrank(i64 k) const { return from(pairs.unrank(k)); }
    MH_FN static Move from(SwapMove m) { return {m.i, m.j}; }
    MH_FN static SwapMove to(Move m) { return m.p < m.q ? SwapMove{m.p, m.q} : SwapMove{m.q, m.p}; }

    MH_FN void prepare(Team team, const Item* x) const {
        auto on = list, at = rank, then = following, end = last;
        const i64 heads = items;
        team.for_each(heads, [=](i64 k) { on(k) = -1; });
        team.sync();
        team.for_each(last.size, [=](i64 k) {
            int place = int(heads + k);
            for (int step = 0;; ++step) {
                on(place) = int(k);
                at(place) = step;
                end(k) = place;
                place = then(place) = x[place];
                if (place >= heads) break;
            }
        });
    }

    template <class F> MH_FN void resolve(Move m, F f) const {
        const int one = list(m.p), other = list(m.q);
        if (one < 0 || other < 0) return;
        if (one != other) {
            const TailsMove tails{m.p, m.q, int(last(one)), int(last(other))};
            if (tails.p_end != tails.p || tails.q_end != tails.q) f(Joined<TailsMove>{}, tails);
        } else if (rank(m.p) + 1 < rank(m.q)) {
            f(Joined<ReversalMove>{}, ReversalMove{m.p, int(following(m.p)), m.q});
        } else if (rank(m.q) + 1 < rank(m.p)) {
            f(Joined<ReversalMove>{}, ReversalMove{m.q, int(following(m.q)), m.p});
        }
    }

    // the move that makes an item and a candidate neighbors
    template <class Before> MH_FN Move near(int item, int candidate, int variant, Before before) const {
        if (list(item) == list(candidate))
            return variant ? Move{before(item, 1), before(candidate, 1)} : Move{item, candidate};
        return variant ? Move{item, before(candidate, 1)} : Move{candidate, before(item, 1)};
    }
};
