// A loop may put off the copy of a new best solution, at most to the end of a chunk.
template <class L> MH_FN void begin_best(L& loop, Walk& walk) {
    if constexpr (CopiesLate<L>::value) loop.begin_since(walk.team, false);
}
template <class L> MH_FN void end_best(L& loop, Walk& walk) {
    if constexpr (CopiesLate<L>::value) loop.copy_best(walk);
}
template <class L> MH_FN bool puts_off_best(L& loop, Walk& walk) {
    if constexpr (CopiesLate<L>::value) {
        if (loop.late()) loop.begin_since(walk.team, true);
        return loop.late();
    }
    return false;
}

// Drives any loop: counts, remembers the best solution, records improvements, and tests for the end of a chunk after
// every iteration. A loop needs `prepare` and `step`.
struct Driver {
    const Until& until;
    Walk& walk;
    Loop& loop;
    Control& c;
    Improvement* improvements;  // the improvements of the walk

    MH_FN void run() {
        bool ends = false;
        begin_best(loop, walk);
        while (!ends) {
            ++walk.iteration;
            const Total before = walk.cost;
            walk.moved = false;
            const Outcome outcome = loop.step(walk);
            if (walk.cut) {  // the step has decided nothing, so it does not count
                --walk.iteration;
                if (walk.offered) note_improvement();
                break;
            }
            c.evaluated += outcome.evaluated;
            c.finished = outcome.finished;
            c.moved += walk.moved;
            c.neutral += walk.moved && walk.cost == before;
            if (walk.cost < walk.best) improve();
            ends = outcome.finished || reached() || cancelled();
        }
        end_best(loop, walk);
        c.iteration = walk.iteration;
        c.began = walk.began;
        c.cost = walk.cost;
        c.best = walk.best;
        const bool over = !walk.cut && (c.finished || reached());
        c.stale = !(walk.cut || cancelled()) ? 0
                  : over                     ? 1
                                             : 2;  // 1: evaluations may be incomplete; 2: the chunk is incomplete, too
    }

    MH_FN bool reached() const {
        return walk.iteration >= until.end || (until.has_target && walk.best <= until.target) ||
               ::reached(until, walk.iteration, c.improved_at, c.evaluated) || c.improvements == until.room;
    }

    MH_FN void improve() {
        walk.best = walk.cost;
        if (!puts_off_best(loop, walk) && walk.team.league_rank == 0) {
            const Item* x = walk.x;
            Item* kept = walk.met;
            walk.team.for_each(walk.problem.n, [=](i64 k) { kept[k] = x[k]; });
        }
        note_improvement();
    }

    MH_FN void note_improvement() {
        c.improved_at = walk.iteration;
        const bool records = until.room > 0;
        if (records && walk.team.league_rank == 0 && walk.team.rank == 0)
            improvements[c.improvements] = {walk.iteration, walk.best, c.evaluated};
        c.improvements += records;
    }
};

// kept arrays begin as the loop says; the best solution is the first one
MH_FN void begin_walk(Walk& walk, Loop& loop, Item* best) {
    clear(loop, walk);
    begin(loop, walk);
    const Item* x = walk.x;
    if (walk.team.league_rank == 0) walk.team.for_each(walk.problem.n, [=](i64 k) { best[k] = x[k]; });
}

// One walk, from the state in its control until a chunk ends. The problem and the loop are copies whose read-only data
// is in place; `own` is the team's memory.
MH_FN void drive_walk(const Arguments& a, const Problem& problem, Loop loop, Team team, i64 number, Arena own,
                      Item* scratch) {
    Control c = fetch(team, a.controls + number);
    const Until until = fetch(team, a.until);
    if (c.finished || c.stopped || c.iteration >= until.end) return;
    const i64 n = problem.n, replica = number * team.league_size + team.league_rank;
    Problem::State state = a.state;
    Item* home = a.x + replica * n;
    Item* x = MH_OWN_SOLUTION ? own.take<Item>(n) : home;
    if (MH_OWN_SOLUTION) team.for_each(n, [=](i64 k) { x[k] = home[k]; });
    Item* best = MH_OWN_BEST ? own.take<Item>(n) : a.best + number * n;  // written often, where walks begin
    const Placing placing{team, number, own};
    state.each(placing);
    loop.each(placing);
    loop.each(LoadingNumbers{number});
    const Loading loading{team};
    if (c.fresh || c.stale) {
        loop.saved(loading);  // all other arrays are built anew
    } else {
        state.each(loading);
        loop.each(loading);
    }
    team.sync();
    Walk walk{problem, a.space, state,   team, x,     scratch, c.cost, c.best,   c.iteration,
              c.seed,  c.walk,  c.began, 0,    false, false,   best,   a.cancel, false};
    if (c.fresh) begin_walk(walk, loop, a.best + number * n);
    if (c.fresh && cancelled()) {  // kept arrays may be incomplete: the walk begins again
        if (team.league_rank == 0 && team.rank == 0) a.controls[number].stale = 2;
        return;
    }
    if (c.fresh || c.stale) {
        team.sync();
        prepare_problem(problem, team, x, state);
        team.sync();
        if (c.entered) enter(loop, walk);
        team.sync();
        loop.prepare(walk);
        team.sync();
    }
    c.fresh = c.entered = c.improvements = 0;
    Driver driver{until, walk, loop, c, a.improvements + (until.room > 0 ? number * until.room : 0)};
    const i64 improved_at = c.improved_at;
    if (cancelled()) c.stale = 2;
    else driver.run();
    team.sync();
    if (MH_OWN_BEST && (walk.offered || c.improved_at != improved_at))
        copy_solution(team, a.best + number * n, best, n);
    team.meet(walk.turn);  // all blocks have read the control
    const Saving saving{team};
    state.each(saving);
    loop.each(saving);
    if (team.league_rank == 0 && team.rank == 0) loop.each(SavingNumbers{number});
    if (MH_OWN_SOLUTION) team.for_each(n, [=](i64 k) { home[k] = x[k]; });
    if (team.league_rank == 0 && team.rank == 0) a.controls[number] = c;
}

MH_ENTRY(capabilities) { arguments->answer[0] = Loop::tabulates; }
