// Random moves of a neighborhood: draw k of a step gives the index of move k.
struct Sampled : SampledData {
    typedef decltype(SampledData::neighborhood) Whole;
    typedef Whole::Move Move;

    MH_FN void resample(Random random) {
        seed = random.seed;
        walk = random.walk;
        stream = random.stream;
        iteration = random.iteration;
    }
    MH_FN i64 drawn(i64 k) const {
        const Random random{u32(seed), u32(walk), u32(stream), iteration};
        return random.index(u32(k), neighborhood.size());
    }

    MH_FN i64 size() const { return neighborhood.size() ? count : 0; }
    MH_FN i64 groups() const { return 1; }
    MH_FN int length(i64) const { return int(size()); }
    MH_FN i64 first(i64) const { return 0; }
    MH_FN Move move(i64, int k) const { return unrank(k); }
    MH_FN i64 group(Move) const { return 0; }
    MH_FN Move unrank(i64 k) const { return neighborhood.unrank(drawn(k)); }

    template <class F> MH_FN void resolve(Move m, F f) const { ::resolve(neighborhood, m, f); }
};
