// Random moves of a neighborhood: move k is the one that draw k of the moment names.
template <class Data> struct Sampled : Data {
    typedef decltype(Data::neighborhood) Whole;
    typedef typename Whole::Move Move;

    MH_FN const Whole& whole() const { return Data::neighborhood; }
    MH_FN void seek(Random moment) {
        Data::seed = moment.seed;
        Data::walk = moment.walk;
        Data::stream = moment.stream;
        Data::iteration = moment.iteration;
    }
    MH_FN i64 drawn(i64 k) const {
        Random random{u32(Data::seed), u32(Data::walk), u32(Data::stream), Data::iteration};
        return random.index(u32(k), whole().size());
    }

    MH_FN i64 size() const { return whole().size() ? Data::count : 0; }
    MH_FN i64 groups() const { return 1; }
    MH_FN int length(i64) const { return int(size()); }
    MH_FN i64 first(i64) const { return 0; }
    MH_FN Move move(i64, int k) const { return unrank(k); }
    MH_FN i64 group(Move) const { return 0; }
    MH_FN Move unrank(i64 k) const { return whole().unrank(drawn(k)); }
    MH_FN void apply(Team team, Item* x, Move m) const { whole().apply(team, x, m); }
};
