// The moves of each copy, whose entries follow those of the copies before; a group is one of a copy.
struct OnEach : OnEachData {
    typedef decltype(OnEachData::neighborhood) Whole;
    typedef Whole::Move Move;

    MH_FN int copy_of(Move m) const { return int(m.place(0) / width); }
    MH_FN Move inside(Move m) const { return shifted(m, -copy_of(m) * int(width)); }

    MH_FN i64 size() const { return copies * neighborhood.size(); }
    MH_FN i64 groups() const { return copies * neighborhood.groups(); }
    MH_FN int length(i64 g) const { return neighborhood.length(g % neighborhood.groups()); }
    MH_FN i64 first(i64 g) const {
        const i64 each = neighborhood.groups();
        return g / each * neighborhood.size() + neighborhood.first(g % each);
    }
    MH_FN Move move(i64 g, int k) const {
        const i64 each = neighborhood.groups();
        return shifted(neighborhood.move(g % each, k), int(g / each * width));
    }
    MH_FN i64 group(Move m) const { return copy_of(m) * neighborhood.groups() + neighborhood.group(inside(m)); }
    MH_FN i64 index(Move m) const { return copy_of(m) * neighborhood.size() + neighborhood.index(inside(m)); }
    MH_FN Move unrank(i64 k) const {
        const i64 each = neighborhood.size();
        return shifted(neighborhood.unrank(k % each), int(k / each * width));
    }
    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }

    // the members that only some neighborhoods have
    template <class N = Whole>
    MH_FN auto feasible(const Item* x, Move m) const -> decltype(declval<const N&>().feasible(x, m)) {
        return static_cast<const N&>(neighborhood).feasible(x, m);
    }
    template <class N = Whole> MH_FN auto touched() const -> decltype(declval<const N&>().touched()) {
        return static_cast<const N&>(neighborhood).touched();
    }
    template <class N = Whole>
    MH_FN auto around(Move m, i64 t, Move& other) const -> decltype(declval<const N&>().around(m, t, other)) {
        const bool there = static_cast<const N&>(neighborhood).around(inside(m), t, other);
        if (there) other = shifted(other, copy_of(m) * int(width));
        return there;
    }
};
