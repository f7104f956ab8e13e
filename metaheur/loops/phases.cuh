// Several searches, one after the other. Only the caches of one search at a time follow the solution, the search
// `ready`: when another search begins a phase, its caches are built anew.
struct Phases : PhasesData {
    static constexpr bool tabulates = Tabulates<Searches>::value;
    static constexpr bool leaves_state = LeavesState<Searches>::value;

    MH_FN void prepare(Walk&) { ready = -1; }

    MH_FN void init(Walk& walk) {
        begin_own(walk);
        ready = -1;
    }

    // a search around this one took the walk to another solution: all searches begin anew
    MH_FN void enter(Walk& walk) {
        begin_own(walk);
        clear(order, walk);
        begin(order, walk);
    }

    MH_FN void begin_own(Walk& walk) {
        note_best(walk, 0);
        began_cost = 0;
        began = 0;
        turn = -1;
    }

    MH_FN Outcome step(Walk& walk) {
        if (turn < 0) begin_phase(walk, next(walk, -1, false, false), true, walk.iteration - 1);
        Outcome outcome{};
        searches(turn, [&](auto& search) {
            if (ready != turn) search.prepare(walk);
            outcome = search.step(walk);
        });
        ready = turn;
        if (walk.cut) return outcome;
        if (walk.cost < found_cost) note_best(walk, walk.iteration);
        bool over = outcome.finished;
        limits(turn, [&](const auto& limit) {
            over = over || limit.reached(walk.iteration - began, walk.iteration - bettered);
        });
        if (!over) return outcome;
        if constexpr (keeps_best) return_to_best(walk);
        const bool done = outcome.finished;
        const i64 following = next(walk, turn, walk.cost < began_cost, done);
        if (following >= 0) begin_phase(walk, following, done, walk.iteration);
        return {following < 0, outcome.evaluated};
    }

    MH_FN i64 next(Walk& walk, i64 before, bool improved, bool done) {
        return order.next(walk.team, {before, Searches::count, improved, done}, walk.random(order_stream));
    }

    // a phase of a search, which begins anew, unless it is not done and is chosen again; `now` counts iterations
    MH_FN void begin_phase(Walk& walk, i64 following, bool done, i64 now) {
        if (done || following != turn) {
            if constexpr (leaves_state) prepare_state(walk);
            searches(following, [&](auto& search) {
                if (search.keeps) ready = -1;
                const i64 iteration = walk.iteration;
                walk.iteration = walk.began = now;
                clear(search, walk);
                begin(search, walk);
                ::enter(search, walk);
                walk.iteration = iteration;
            });
        }
        turn = following;
        began = now;
        began_cost = walk.cost;
        note_best(walk, now);
    }

    MH_FN void note_best(Walk& walk, i64 now) {
        if constexpr (keeps_best) {
            copy_solution(walk.team, found.data, walk.x, walk.problem.n);
            walk.team.sync();
        }
        found_cost = walk.cost;
        bettered = now;
    }

    MH_FN void return_to_best(Walk& walk) {
        walk.team.sync();
        copy_solution(walk.team, walk.x, found.data, walk.problem.n);
        walk.cost = found_cost;
        prepare_state(walk);
        ready = -1;
    }

    MH_FN static void prepare_state(Walk& walk) {
        walk.team.sync();
        prepare_problem(walk.problem, walk.team, walk.x, walk.state);
        walk.team.sync();
    }

    // a move of a search around this one; caches that are not updated are built anew when they are needed
    template <class N, class M> MH_FN bool join(Walk& walk, const N& neighborhood, M m, Cost delta, bool stale) {
        bool follows = false;
        searches(turn < 0 ? 0 : i64(turn),
                 [&](auto& search) { follows = ::join(search, walk, neighborhood, m, delta, stale || ready != turn); });
        if (!follows) ready = -1;
        return true;
    }
};
