// A search around a search: phases of the inner one, and between two of them an acceptance and a perturbation. `home`
// is the solution that was accepted last, `found` the best one of the phase; where the inner search only descends, the
// best one is the present one, and `found` is not kept.
struct Nest : NestData {
    typedef decltype(NestData::inner) Inner;
    typedef decltype(NestData::perturbation) Disturbance;

    static constexpr bool tabulates = Inner::tabulates;

    MH_FN void prepare(Walk& walk) { inner.prepare(walk); }

    MH_FN void init(Walk& walk) {
        copy(walk, home.data, walk.x);
        home_cost = walk.cost;
        rounds = 0;
        note_best(walk, 0);
        began = 0;
        resting = 0;
    }

    // a search around this one took the walk elsewhere: what is remembered stays
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

    // the phase's best solution is the present one
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

    // the phase is over: its best solution is accepted or not, and perturbed
    MH_FN Outcome restart(Walk& walk) {
        const Item* result = Inner::descends ? walk.x : found.data;
        const bool yes = rounds == 0 || accepts(acceptance, walk, found_cost - home_cost, home_cost);
        bool stale = !Inner::descends || !yes;  // whether the walk has to go elsewhere before it is perturbed
        note(perturbation, walk, found_cost - home_cost, yes, rounds > 0, result, home.data);
        if (yes) {
            copy(walk, home.data, result);
            home_cost = found_cost;
        }
        walk.team.sync();
        record(acceptance, walk, yes, home_cost);
        if (stale) {
            copy(walk, walk.x, home.data);
            walk.cost = home_cost;
            walk.team.sync();
            prepare_problem(walk.problem, walk.team, walk.x, walk.state);
            walk.team.sync();
        }
        const i64 evaluated = perturbation.perturb(walk, [&](const auto& neighborhood, auto m, Cost delta) {
            stale |= !::join(inner, walk, neighborhood, m, delta, stale);
        });
        rounds = rounds + 1;
        if constexpr (Disturbance::replaces) {
            walk.team.sync();
            prepare_problem(walk.problem, walk.team, walk.x, walk.state);
            walk.team.sync();
            stale = true;
        }
        enter_inner(walk);
        if (stale || forgets()) inner.prepare(walk);
        begin_phase(walk);
        return {false, evaluated};
    }

    // a move that a search around this one makes; whether all that is kept beside the walk follows
    template <class N, class M> MH_FN bool join(Walk& walk, const N& neighborhood, M m, Cost delta, bool stale) {
        return ::join(inner, walk, neighborhood, m, delta, stale || forgets()) && !forgets();
    }

    // whether the inner search begins a phase without what it remembered, on which what follows the walk may depend
    MH_FN bool forgets() const { return Inner::keeps && !remembers; }
};
