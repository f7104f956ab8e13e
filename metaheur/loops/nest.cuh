// A search around an inner one: phases of the inner search, with an acceptance and a perturbation between two phases.
// `home` is the solution that was accepted last, `found` the best one of the phase; if the inner search only
// descends, the current solution is the best one, and `found` is not kept.
struct Nest : NestData {
    typedef decltype(NestData::inner) Inner;
    typedef decltype(NestData::perturbation) Disturbance;

    static constexpr bool tabulates = Inner::tabulates;
    static constexpr bool leaves_state = LeavesState<Inner>::value;

    MH_FN void prepare(Walk& walk) { inner.prepare(walk); }

    MH_FN void init(Walk& walk) {
        copy(walk, home.data, walk.x);
        home_cost = walk.cost;
        rounds = 0;
        note_best(walk, 0);
        began = 0;
        resting = 0;
    }

    // a search around this one took the walk to another solution: the kept arrays stay
    MH_FN void enter(Walk& walk) {
        enter_inner(walk);
        init(walk);
        begin_phase(walk);
    }

    MH_FN void enter_inner(Walk& walk) {
        if (!remembers) {
            clear(inner, walk);
            begin(inner, walk);
        }
        ::enter(inner, walk);
    }

    MH_FN static void copy(const Walk& walk, Item* to, const Item* from) {
        copy_solution(walk.team, to, from, walk.problem.n);
    }

    MH_FN void begin_phase(Walk& walk) {
        note_best(walk, walk.iteration);
        began = walk.began = walk.iteration;
        resting = 0;
    }

    // the current solution becomes the phase's best one
    MH_FN void note_best(const Walk& walk, i64 now) {
        if constexpr (!Inner::descends) copy(walk, found.data, walk.x);
        found_cost = walk.cost;
        bettered = now;
        walk.team.sync();
    }

    MH_FN Outcome step(Walk& walk) { return resting ? restart(walk) : search(walk); }

    MH_FN Outcome search(Walk& walk) {
        const Outcome outcome = inner.step(walk);
        if (walk.cut) return outcome;
        if (walk.cost < found_cost) note_best(walk, walk.iteration);
        resting = outcome.finished || limit.reached(walk.iteration - began, walk.iteration - bettered);
        return {false, outcome.evaluated};
    }

    // ends a phase: accepts its best solution or not, and perturbs the accepted one
    MH_FN Outcome restart(Walk& walk) {
        const Item* result = Inner::descends ? walk.x : found.data;
        const bool yes = rounds == 0 || accepts(acceptance, walk, found_cost - home_cost, home_cost);
        bool stale = !Inner::descends || !yes;  // whether the walk must go to `home` before the perturbation
        note(perturbation, walk, found_cost - home_cost, yes, rounds > 0, result, home.data);
        if (yes) {
            copy(walk, home.data, result);
            home_cost = found_cost;
        }
        walk.team.sync();
        record(acceptance, walk, yes, home_cost);
        if (stale) {
            go_to(perturbation, walk, home.data);
            walk.cost = home_cost;
            walk.team.sync();
        }
        const i64 evaluated = perturbation.perturb(walk, [&](const auto& neighborhood, auto m, Cost delta) {
            stale |= !::join(inner, walk, neighborhood, m, delta, stale);
        });
        rounds = rounds + 1;
        if constexpr (Disturbance::replaces) {
            walk.team.sync();
            if constexpr (!KeepsState<Disturbance>::value) prepare_problem(walk.problem, walk.team, walk.x, walk.state);
            walk.team.sync();
            stale = true;
        }
        enter_inner(walk);
        if (stale || forgets()) inner.prepare(walk);
        begin_phase(walk);
        return {false, evaluated};
    }

    // leads the walk to another solution, and builds what the problem keeps, if the perturbation does not
    template <class D> MH_FN static void go_to(const D& disturbance, Walk& walk, const Item* solution) {
        if constexpr (HasGoBack<D, Walk>::value && !leaves_state) {
            disturbance.go_back(walk, solution);
        } else {
            copy(walk, walk.x, solution);
            walk.team.sync();
            prepare_problem(walk.problem, walk.team, walk.x, walk.state);
        }
    }

    // a move of a search around this one; returns whether all arrays beside the walk were updated
    template <class N, class M> MH_FN bool join(Walk& walk, const N& neighborhood, M m, Cost delta, bool stale) {
        return ::join(inner, walk, neighborhood, m, delta, stale || forgets()) && !forgets();
    }

    // whether the inner search begins a phase with an empty memory, on which arrays beside the walk may depend
    MH_FN bool forgets() const { return Inner::keeps && !remembers; }
};
