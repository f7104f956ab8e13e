// The moves of one part, whose entries begin at `offset`.
template <int part> struct On : OnData {
    typedef decltype(OnData::neighborhood) Whole;
    typedef typename Whole::Move Inside;
    typedef PartMove<part, Inside> Move;

    // the first part begins at entry 0, which the compiler knows
    MH_FN i64 begin() const { return part == 0 ? i64(0) : i64(offset); }
    MH_FN Move lifted(Inside m) const { return {int(begin()), m}; }

    MH_FN i64 size() const { return neighborhood.size(); }
    MH_FN i64 groups() const { return neighborhood.groups(); }
    MH_FN int length(i64 g) const { return neighborhood.length(g); }
    MH_FN i64 first(i64 g) const { return neighborhood.first(g); }
    MH_FN Move move(i64 g, int k) const { return lifted(neighborhood.move(g, k)); }
    MH_FN i64 group(Move m) const { return neighborhood.group(m.move); }
    MH_FN i64 index(Move m) const { return neighborhood.index(m.move); }
    MH_FN Move unrank(i64 k) const { return lifted(neighborhood.unrank(k)); }
    MH_FN void apply(Team team, Item* x, Move m) const { neighborhood.apply(team, x + begin(), m.move); }

    MH_FN bool reaches(int at) const { return begin() <= at && at < behind; }
    template <class Places> MH_FN Move towards(const Item* x, const Item* guide, const Places* places, int at) const {
        return lifted(towards_of(neighborhood, x + begin(), guide + begin(), places + begin(), int(at - begin())));
    }

    // the members that only some neighborhoods have
    template <class N = Whole>
    MH_FN auto feasible(const Item* x, Move m) const -> decltype(declval<const N&>().feasible(x, m.move)) {
        return static_cast<const N&>(neighborhood).feasible(x + begin(), m.move);
    }
    template <class N = Whole> MH_FN auto touched() const -> decltype(declval<const N&>().touched()) {
        return static_cast<const N&>(neighborhood).touched();
    }
    template <class N = Whole>
    MH_FN auto around(Move m, i64 t, Move& other) const -> decltype(declval<const N&>().around(m.move, t, other.move)) {
        other.first = m.first;
        return static_cast<const N&>(neighborhood).around(m.move, t, other.move);
    }
    template <class F, class N = Whole>
    MH_FN auto touch(Move m, F f) const -> decltype(declval<const N&>().touch(m.move, AnyTouched{})) {
        static_cast<const N&>(neighborhood).touch(m.move, [&](i64 k, auto inner) { f(k, lifted(inner)); });
    }
};
