// Penalties of edges, each with a weight, are added to their lengths.
struct Penalties {
    typedef typename Either<IsDouble<Cost>::value, double, i64>::type Length;
    static constexpr bool guides = true;
    const i32* table;
    i64 stride;
    Total weight;

    MH_FN Length operator()(int a, int b) const { return weight * table[a * stride + b]; }
};

// Descend, and penalise the edges of the local optimum that have the largest utility.
struct GuidedLocalSearch : GuidedLocalSearchData {
    static constexpr bool tabulates = decltype(GuidedLocalSearchData::descent)::tabulates;
    static constexpr bool leaves_state = true;

    MH_FN void prepare(Walk& walk) const { descent.prepare(walk); }

    MH_FN Outcome step(Walk& walk) {
        auto tour = descent.tour(walk, Penalties{penalties.data, penalties.stride, weight});
        if (weight != 0) penalise(tour);
        else tour.wait_all();
        descent.descend(tour, walk);
        if (weight == 0) {
            const double first = strength * ((walk.cost < 0 ? -double(walk.cost) : double(walk.cost)) / double(n));
            weight = IsDouble<Total>::value || first > 1 ? Total(first) : 1;
        }
        return {false, tour.team.reduce(tour.evaluated)};
    }

    // penalises the edges with the largest utility, and puts their ends into the queue
    template <class Tour> MH_FN void penalise(Tour& tour) const {
        const int size = n;
        int top = 0;
        for (int p = 1; p < size; ++p)
            if (beats(tour, p, top)) top = p;
        const Total cost = tour.length_ahead(top), share = shared(tour, top);
        for (int p = 0; p < size; ++p) {
            const int a = tour.x[p], b = tour.x[p + 1 == size ? 0 : p + 1];
            if (Total(tour.length_ahead(p)) * share != cost * shared(tour, p)) continue;
            tour.team.sync();
            if (tour.team.rank == 0) penalties(b, a) = penalties(a, b) = penalties(a, b) + 1;
            tour.wait(a, b);
        }
    }

    template <class Tour> MH_FN Total shared(const Tour& tour, int p) const {
        return 1 + Total(penalties(tour.x[p], tour.x[p + 1 == n ? 0 : p + 1]));
    }
    template <class Tour> MH_FN bool beats(const Tour& tour, int p, int q) const {
        return Total(tour.length_ahead(p)) * shared(tour, q) > Total(tour.length_ahead(q)) * shared(tour, p);
    }

    // a search around this one took the walk to another solution: penalties begin at 0
    MH_FN void enter(Walk& walk) {
        i32* table = penalties.data;
        walk.team.for_each(penalties.stored(), [=](i64 k) { table[k] = 0; });
        weight = 0;
        walk.team.sync();
    }

    template <class O, class M> MH_FN bool join(Walk& walk, const O& other, M m, Cost delta, bool stale) const {
        return descent.join(walk, other, m, delta, stale);
    }
};
