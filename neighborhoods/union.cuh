// The moves of two neighborhoods, one range after the other. Of the two moves of a UnionMove the one that is not meant
// is zero, for there may be none.
template <class Data> struct Union : Data {
    typedef decltype(Data::first) First;
    typedef decltype(Data::second) Second;
    typedef UnionMove<typename First::Move, typename Second::Move> Move;

    MH_FN const First& one() const { return Data::first; }
    MH_FN const Second& two() const { return Data::second; }
    MH_FN static Move of_first(typename First::Move m) { return {0, m, {}}; }
    MH_FN static Move of_second(typename Second::Move m) { return {1, {}, m}; }

    MH_FN i64 size() const { return one().size() + two().size(); }
    MH_FN i64 groups() const { return one().groups() + two().groups(); }
    MH_FN int length(i64 g) const { return g < one().groups() ? one().length(g) : two().length(g - one().groups()); }
    MH_FN i64 first(i64 g) const {
        return g < one().groups() ? one().first(g) : one().size() + two().first(g - one().groups());
    }
    MH_FN Move move(i64 g, int k) const {
        if (g < one().groups()) return of_first(one().move(g, k));
        return of_second(two().move(g - one().groups(), k));
    }
    MH_FN i64 group(Move m) const { return m.which ? one().groups() + two().group(m.second) : one().group(m.first); }
    MH_FN i64 index(Move m) const { return m.which ? one().size() + two().index(m.second) : one().index(m.first); }
    MH_FN Move unrank(i64 k) const {
        return k < one().size() ? of_first(one().unrank(k)) : of_second(two().unrank(k - one().size()));
    }
    MH_FN void apply(Team team, Item* x, Move m) const {
        if (m.which) two().apply(team, x, m.second);
        else one().apply(team, x, m.first);
    }
};
