// Functions of a walk for its problem and for neighborhoods.
template <class N> struct SharesGroups {
    static constexpr bool value = Does<Problem, N>::groups && !Does<Problem, N>::runs;
};

// the run that the problem evaluates; a sector of the table if known changes of cost are updated; otherwise as many
// moves as a warp evaluates
template <class P, class N> constexpr u32 run_of() {
    if constexpr (Does<P, N>::runs) return P::run;
    else return Does<P, N>::update ? 8 : 32;
}
template <class N> struct OwnedRun { static constexpr u32 length = run_of<Problem, N>(); };

template <class P> MH_FN Total cost_of(const P& problem, Team team, const Item* x) {
    if constexpr (HasCost<P, int>::value) return problem.cost(team, x);
    else return 0;
}

// the change of cost of a move that the problem knows
template <class P, class M>
MH_FN Cost formula_of(const P& problem, Team team, const Item* x, typename P::State s, M move) {
    if constexpr (HasKeptDelta<P, M>::value && !MH_STATELESS) return as_number(Cost(problem.delta(team, x, s, move)));
    else return as_number(Cost(problem.delta(team, x, move)));
}

// whether the problem allows a move that its neighborhood allows; all if it has no hard constraints
template <class P, class M>
MH_FN bool allowed(const P& problem, Team team, const Item* x, typename P::State s, M move) {
    if constexpr (!P::judges) return true;
    else if constexpr (HasKeptJudgement<P, M>::value && !MH_STATELESS) return problem.feasible(team, x, s, move);
    else {
        static_assert(HasPlainJudgement<P, M>::value, "`feasible` of the problem does not take this class of moves");
        return problem.feasible(team, x, move);
    }
}

// the change of cost of a move by the problem's formula; the largest number if the move is infeasible
template <class P, class N, class M>
MH_FN Cost delta_of(const P& problem, const N& neighborhood, Team team, const Item* x, typename P::State s, M move) {
    Cost delta = Never<Cost>::value;
    resolve_in(x, neighborhood, move, [&](const auto&, auto leaf) {
        if (allowed(problem, team, x, s, leaf)) delta = formula_of(problem, team, x, s, leaf);
    });
    return delta;
}

// the change of cost by a full evaluation of the moved solution, which is made in the team's `scratch`
template <class P, class N, class M>
MH_FN Cost change_of(const P& problem, const N& neighborhood, Team team, const Item* x, typename P::State s, Total cost,
                     M move, Item* scratch) {
    static_assert(HasCost<P, int>::value, "neither cost nor delta");  // Neighborhood.kernel says it in full
    Cost delta = Never<Cost>::value;
    resolve_in(x, neighborhood, move, [&](const auto& inner, auto leaf) {
        if (!allowed(problem, team, x, s, leaf)) return;
        team.sync();
        team.for_each(problem.n, [=](i64 k) { scratch[k] = x[k]; });
        team.sync();
        inner.apply(team, scratch, leaf);
        team.sync();
        delta = change_between(cost, cost_of(problem, team, scratch));
    });
    return delta;
}

// builds the kept arrays, beside a solution, of a neighborhood and of the neighborhoods that it is made of
template <class N> MH_FN void prepare_neighborhood(const N& neighborhood, Team team, const Item* x) {
    neighborhood.components([=](const auto& inner) { prepare_neighborhood(inner, team, x); });
    if constexpr (HasPrepare<N, int>::value) neighborhood.prepare(team, x);
}

template <class P> MH_FN void prepare_problem(const P& problem, Team team, const Item* x, typename P::State s) {
    if constexpr (HasInit<P, int>::value && !MH_STATELESS) problem.init(team, x, s);
}

// updates the problem's kept arrays after a move; builds them anew if the problem does not know the move
template <class P, class M>
MH_FN void commit_move(const P& problem, Team team, const Item* x, typename P::State s, M move) {
    if constexpr (HasCommit<P, M>::value && !MH_STATELESS) problem.commit(team, x, s, move);
    else prepare_problem(problem, team, x, s);
}

// makes the move in x, which the team owns, and updates the problem's kept arrays
template <class P, class N, class M>
MH_FN void apply_move(const P& problem, const N& neighborhood, Team team, Item* x, typename P::State s, M move) {
    resolve(neighborhood, move, [&](const auto& inner, auto leaf) {
        inner.apply(team, x, leaf);
        team.sync();
        commit_move(problem, team, x, s, leaf);
        team.sync();
    });
}

// out[k] = the change of cost of the k-th move of a group, for all moves of a run that share work
template <class P, class N>
MH_FN void deltas_of(const P& problem, Team team, const Item* x, typename P::State s, const N& neighborhood, Run run,
                     Cost* out) {
    if constexpr (Does<P, N>::runs) problem.deltas(team, x, s, neighborhood, run, out);
    else problem.deltas(team, x, s, neighborhood, run.group, out);
    if constexpr (IsDouble<Number>::value) {
        team.sync();
        team.for_each(run.to - run.from, [=](i64 k) { out[run.from + k] = as_number(out[run.from + k]); });
    }
}

// f(team, run) for the team's share of the groups from ... to - 1: runs, where the problem evaluates them; else groups
template <class P, class N, class F> MH_FN void share_groups(const N& neighborhood, Team team, i64 from, i64 to, F f) {
    if constexpr (Does<P, N>::runs) team.runs(neighborhood, from, to, f);
    else team.groups(neighborhood, from, to, [&](Team one, i64 g) { f(one, Run{g, 0, neighborhood.length(g)}); });
}

// called before groups of moves are evaluated, by the team that owns the problem's kept arrays
template <class P, class N>
MH_FN void arrange_groups(const P& problem, const N&, Team team, const Item* x, typename P::State s) {
    if constexpr (Does<P, N>::groups && !Does<P, N>::runs && HasArrange<P, int>::value) problem.arrange(team, x, s);
}

// out[k] = the change of cost of every move of the team's share; moves(f) passes each of these moves to f
template <class P, class N, class Moves>
MH_FN void evaluate_moves(const P& problem, const N& neighborhood, Team team, const Item* x, typename P::State s,
                          Cost* out, Item* scratch, Moves moves) {
    if constexpr (Does<P, N>::groups) {
        arrange_groups(problem, neighborhood, team, x, s);
        share_groups<P>(neighborhood, team, 0, neighborhood.groups(), [&](Team one, Run run) {
            deltas_of(problem, one, x, s, neighborhood, run, out + neighborhood.first(run.group));
        });
    } else if constexpr (Does<P, N>::delta) {
        moves([=](i64 k, auto m) { out[k] = delta_of(problem, neighborhood, team.alone(), x, s, m); });
    } else {
        Total cost = cost_of(problem, team.alone(), x);
        moves([&](i64 k, auto m) { out[k] = change_of(problem, neighborhood, team.alone(), x, s, cost, m, scratch); });
    }
}

// the share has the moves that the team owns later, too
template <class P, class N>
MH_FN void evaluate_all(const P& problem, const N& neighborhood, Team team, const Item* x, typename P::State s,
                        Cost* out, Item* scratch) {
    evaluate_moves(problem, neighborhood, team, x, s, out, scratch, [&](auto f) { team.visit(neighborhood, f); });
}

// the share consists of runs of indices, in which adjacent threads have adjacent moves
template <class P, class N>
MH_FN void evaluate_runs(const P& problem, const N& neighborhood, Team team, const Item* x, typename P::State s,
                         Cost* out, Item* scratch) {
    evaluate_moves(problem, neighborhood, team, x, s, out, scratch,
                   [&](auto f) { team.enumerate(neighborhood, 0, neighborhood.size(), f); });
}

// updates known changes of cost after a move, for the team's share; moves that share attributes with it are wrong until
// later
template <class P, class N, class M>
MH_FN void update_all(const P& problem, const N& neighborhood, Team team, typename P::State s,
                      Cost* __restrict__ deltas, M made) {
    team.visit(neighborhood,
               [=](i64 k, auto other) { deltas[k] = as_number(problem.update(s, other, deltas[k], made)); });
}

// The outcome of one decision of a loop.
struct Outcome {
    bool finished;  // the search has come to its own end
    i64 evaluated;  // moves, counted as the sequential definition evaluates them
};

// The move that a loop tries, and random bits for its acceptance.
struct Draw {
    i64 index;
    u32 bits;
};

// A walk, as a loop sees it. Its numbers are the same in all threads of the team.
struct Walk {
    Problem problem;
    Space space;  // of the solutions, as their representation says
    Problem::State state;
    Team team;
    Item* x;        // the solution, the team's own
    Item* scratch;  // a solution of the thread's own
    Total cost, best;
    i64 iteration;  // of the current step
    u32 seed, number;
    i64 began;   // the iteration at which a search around another one last took the walk to another solution
    u64 turn;    // number of exchanges between the blocks that share the walk
    bool cut;    // the step was cut short before anything was decided
    bool moved;  // a move was made in the step
    Item* met;   // the best solution, in memory
    const volatile i32* asked;  // whether the host asks for the end of a long step
    bool offered;               // the step was cut short, and has met the best solution so far
    SharedWords shared;

    MH_FN Random random(u32 stream) const { return {seed, number, stream, iteration}; }
    MH_FN u32 shared_word(u32 stream) { return shared.at(random(stream)); }

    // whether a long step is to break off; all threads of the team ask together
    MH_FN bool stops() const { return team.told(team.rank == 0 ? i32(*asked) : 0, 0) != 0; }

    // The outcome of a step that breaks off. Its solution is kept if it is the best so far, and the walk goes back to
    // where the step began, to a solution of a cost.
    MH_FN Outcome back_to(const Item* home, Total before) {
        cut = true;
        offered = cost < best;
        best = offered ? cost : best;
        const bool keeps = offered;
        Item *here = x, *kept = met;
        team.sync();
        team.for_each(problem.n, [=](i64 k) {
            if (keeps) kept[k] = here[k];
            here[k] = home[k];
        });
        team.sync();
        cost = before;
        return {false, 0};
    }

    // all threads of the team compute the change of cost of one move, which may be made afterwards
    template <class N, class M> MH_FN Cost delta(const N& neighborhood, M move) const {
        Cost found;
        if constexpr (Does<Problem, N>::delta) found = delta_of(problem, neighborhood, team, x, state, move);
        else found = change_of(problem, neighborhood, team, x, state, cost, move, scratch - i64(team.rank) * problem.n);
        team.sync();  // threads may still read entries that a move changes
        return found;
    }

    // a thread of the team works on it alone, each on one of its own
    template <class N, class M> MH_FN Cost delta_alone(const N& neighborhood, M move) const {
        if constexpr (Does<Problem, N>::delta) return delta_of(problem, neighborhood, team.alone(), x, state, move);
        else return change_of(problem, neighborhood, team.alone(), x, state, cost, move, scratch);
    }

    // makes the move; loops prepare the kept arrays of their neighborhoods again
    template <class N, class M> MH_FN void make_move(const N& neighborhood, M move, Cost delta) {
        apply_move(problem, neighborhood, team, x, state, move);
        cost += delta;
        moved = true;
    }
};

// -ln((bits + 1) / 2**32), an exponential number: the leading one, a table and interpolation, all whole numbers
template <class Table> MH_FN double exponential(u32 bits, const Table& logarithms, i64 ln2) {
    const u64 word = u64(bits) + 1;
#ifdef __CUDACC__
    const int power = 63 - __clzll(i64(word));
#else
    const int power = 63 - __builtin_clzll(word);
#endif
    const u64 mantissa = word << (32 - power);
    const i64 place = i64(mantissa >> 24) - 256, rest = i64(mantissa & 0xFFFFFF);
    const i64 low = logarithms(place), logarithm = low + ((logarithms(place + 1) - low) * rest >> 24);
    return double(i64(32 - power) * ln2 - logarithm) * 0x1p-32;
}

// ---- solutions as a whole ----

MH_FN void copy_solution(Team team, Item* to, const Item* from, i64 n) {
    team.for_each(n, [=](i64 k) { to[k] = from[k]; });
}

// in all threads of the team
MH_FN bool same(const Walk& walk, const Item* x, const Item* y) {
    return walk.team.sum(walk.problem.n, [=](int k) { return i64(x[k] != y[k]); }) == 0;
}

// The first and the last position of a segment.
struct Segment { i64 first, last; };

// a random segment of n positions, by the draws 0 and 1
MH_FN Segment random_segment(Random random, i64 n) {
    const i64 a = random.index(0, n), b = random.index(1, n);
    return {a < b ? a : b, a < b ? b : a};
}

// how many members of a population have a lower cost, or the same cost and a lower index
template <class Costs> MH_FN i64 rank_of(Team team, const Costs& costs, i64 size, i64 s) {
    const auto own = costs(s);
    return team.sum(size, [&](int t) { return i64(costs(t) < own || (costs(t) == own && t < s)); });
}

// ---- one group of moves ----

// out[k] = the change of cost of the k-th move of a group; the largest number where it is infeasible
template <class P, class N>
MH_FN void evaluate_group(const P& problem, Walk& walk, const N& neighborhood, i64 group, Cost* out) {
    const Team team = walk.team;
    const Item* x = walk.x;
    team.sync();  // threads may still read entries that are overwritten
    if constexpr (Does<P, N>::groups) {
        const Run all{group, 0, neighborhood.length(group)};
        team.one_tile([&](Team tile) { deltas_of(problem, tile, x, walk.state, neighborhood, all, out); });
    } else {
        team.for_each(neighborhood.length(group),
                      [&](i64 k) { out[k] = walk.delta_alone(neighborhood, neighborhood.move(group, int(k))); });
    }
    team.sync();
}

// the lowest of cost(k) for k < count, the first among equals, with its number; none that is the largest number
template <class F> MH_FN EvaluatedMove lowest(Team team, i64 count, F cost) {
    EvaluatedMove best = no_move();
#ifndef __CUDACC__
    if constexpr (sizeof(Cost) <= sizeof(i64)) {  // a number: the lowest in vectors, then where it is
        Cost least = Never<Cost>::value;
        for (i64 k = 0; k < count; ++k) least = cost(k) < least ? cost(k) : least;
        for (i64 k = 0; k < count && best.index < 0; ++k)
            if (cost(k) == least) offer(best, least, least, k);
        return best;
    }
#endif
    for (i64 k = team.rank; k < count; k += team.size) offer(best, cost(k), cost(k), k);
    return team.reduce_best(best);
}

// the best move of a group, with its index in the neighborhood
template <class N> MH_FN EvaluatedMove best_of_group(Walk& walk, const N& neighborhood, i64 group, Cost* deltas) {
    evaluate_group(walk.problem, walk, neighborhood, group, deltas);
    EvaluatedMove best = lowest(walk.team, neighborhood.length(group), [=](i64 k) { return deltas[k]; });
    if (best.index >= 0) best.index += neighborhood.first(group);
    return best;
}

// The end of a phase of several searches; turn is -1 before the first phase.
struct PhaseEnd {
    i64 turn, count;
    bool improved, done;

    MH_FN i64 behind() const { return turn + 1 < count ? turn + 1 : 0; }
    MH_FN i64 failed(i64 before) const { return turn < 0 || (improved && !done) ? 0 : improved ? 1 : before + 1; }
};

// the hash of a solution: see metaheur/parts/memory/hashing.py
MH_FN i64 hash_of(Team team, const Item* x, int n, bool cyclic) {
    u64 total = 0;
    for (int k = team.rank; k < n; k += team.size)
        total += cyclic ? hash_of_edge(u32(x[k]), u32(x[k + 1 < n ? k + 1 : 0])) : hash_word(u32(k), u32(x[k]));
    return i64(team.reduce(total));
}

// ---- parts: optional members are called if a part has them ----

// calls f(key, its neighborhood) with a memory's key of a move: its index, or the move that it stands for
template <class A, class N, class M, class F>
MH_FN void tell(const A&, const N& neighborhood, const Item* x, i64 index, M move, F f) {
    if constexpr (A::by_index) f(index, neighborhood);
    else if constexpr (!HasResolve<N, M>::value && !HasFeasible<N, M>::value) f(move, neighborhood);  // inlined
    else resolve_in(x, neighborhood, move, [&](const auto& inner, auto leaf) { f(leaf, inner); });
}

// the last iteration in which a move is forbidden; for moves that the memory does not know, it gets the moved solution,
// which is made in the thread's scratch
template <class A, class N, class M>
MH_FN i64 expiry_as_told(const A& memory, const N& inner, const Walk& walk, M told) {
    if constexpr (!A::forbids) {
        return 0;
    } else if constexpr (HasExpiry<A, M>::value) {
        return memory.expiry(walk.x, told);
    } else {
        Item* moved = walk.scratch;
        for (int k = 0; k < walk.problem.n; ++k) moved[k] = walk.x[k];
        inner.apply(walk.team.alone(), moved, told);
        return memory.expiry_of(walk.team.alone(), moved);
    }
}
template <class A, class N, class M>
MH_FN i64 expiry_of(const A& memory, const N& neighborhood, const Walk& walk, i64 index, M move) {
    i64 expiry = 0;
    tell(memory, neighborhood, walk.x, index, move,
         [&](auto told, const auto& inner) { expiry = expiry_as_told(memory, inner, walk, told); });
    return expiry;
}

template <class A, class N, class M>
MH_FN void remember(A& memory, const N& neighborhood, Walk& walk, i64 index, M move) {
    const Random random = walk.random(memory_stream);
    if constexpr (!A::forbids) return;
    else if constexpr (A::reverses) memory.remember(walk.team, walk.x, neighborhood.index(move.inverse()), random);
    else
        tell(memory, neighborhood, walk.x, index, move,
             [&](auto told, const auto&) { memory.remember(walk.team, walk.x, told, random); });
    walk.team.sync();
}

// the penalty that a memory adds to the change of cost of a move that does not improve
template <class A, class N, class M>
MH_FN i64 penalty_of(const A& memory, const N& neighborhood, const Item* x, i64 index, M move) {
    i64 penalty = 0;
    tell(memory, neighborhood, x, index, move, [&](auto told, const auto&) { penalty = memory.penalty(x, told); });
    return penalty;
}

// updates kept arrays that depend on the solution, of a part and of its parts: after a move, or `elsewhere`
template <class P> MH_FN void arrive(P& part, const Walk& walk, bool elsewhere) {
    part.components([&](auto& inner) { arrive(inner, walk, elsewhere); });
    if constexpr (HasArrive<P, int>::value) part.arrive(walk.team, walk.x, elsewhere);
}

// lets a part, and its parts, record the solution after a move
template <class P> MH_FN void visit(P& part, const Walk& walk) {
    part.components([&](auto& inner) { visit(inner, walk); });
    if constexpr (HasVisit<P, int>::value) part.visit(walk.team, walk.x, walk.random(escape_stream));
}

// the moves of a step
template <class N> MH_FN void resample(N& neighborhood, Random random) {
    if constexpr (N::resamples) neighborhood.resample(random);
}

// calls `init` of a part and of its parts, whose kept numbers and arrays are zero before
template <class P> MH_FN void begin(P& part, Walk& walk) {
    part.components([&](auto& inner) { begin(inner, walk); });
    if constexpr (HasBegin<P, Walk>::value) {
        part.init(walk);
        walk.team.sync();
    }
}

// whether an acceptance accepts a change of the current cost
template <class P, class C> MH_FN bool accepts(const P& acceptance, const Walk& walk, C change, Total current) {
    u32 draw = 0;
    if constexpr (P::draws) draw = walk.random(acceptance_stream).bits(0);
    return acceptance.accepts(change, current, walk.best, draw);
}

// lets an acceptance record its decision and the cost after it
template <class P> MH_FN void record(P& acceptance, const Walk& walk, bool accepted, Total cost) {
    if constexpr (HasRecord<P, int>::value) {
        acceptance.record(walk.team, accepted, cost, cost < walk.best ? cost : walk.best);
        walk.team.sync();
    }
}

// the same for an acceptance inside another one, which reads the costs in its own way
template <class P> MH_FN void record_inside(P& acceptance, Team team, bool accepted, Total cost, Total best) {
    if constexpr (HasRecord<P, int>::value) acceptance.record(team, accepted, cost, best);
}

// lets a perturbation record the end of a phase, and whether the phase came back to the solution accepted before
template <class P>
MH_FN void note(P& perturbation, const Walk& walk, Total delta, bool accepted, bool again, const Item* found,
                const Item* before) {
    if constexpr (HasNote<P, int>::value) {
        const bool returned = same(walk, found, before);
        perturbation.record(walk.team, delta, accepted, again && returned);
        walk.team.sync();
    }
}

// whether an acceptance ends the search, as a schedule does
template <class P> MH_FN bool ended(const P& acceptance) {
    if constexpr (HasEnded<P, int>::value) return acceptance.ended();
    else return false;
}

// sets a kept array or number to zero, or breaks off
template <class K> MH_FN void clear_kept(K& array, Team team) {
    auto* data = array.data;
    constexpr i64 part = 1 << 18;
    for (i64 from = 0, count = array.stored(); from < count && !cancelled(); from += part) {
        const i64 left = count - from;
        team.for_each(left < part ? left : part, [=](i64 k) { data[from + k] = 0; });
    }
}
template <class T> MH_FN void clear_kept(Kept<T>& number, Team) { number.value = T(0); }

// sets the kept numbers and arrays of a part and of its parts to zero, as before `init`
template <class P> MH_FN void clear(P& part, const Walk& walk) {
    part.saved([&](auto& kept) { clear_kept(kept, walk.team); });
    walk.team.sync();
}

// ---- loops ----

// makes a loop's own move, and updates its arrays beside the walk
template <class L, class M> MH_FN void make_own(L& loop, Walk& walk, M m, Cost delta) {
    walk.team.sync();
    walk.make_move(loop.neighborhood, m, delta);
    loop.prepare(walk);
}

// a loop around this one took the walk to another solution: the kept arrays stay, unless the loop has `enter`
template <class L> MH_FN void enter(L& loop, Walk& walk) {
    if constexpr (HasEnter<L, Walk>::value) loop.enter(walk);
}

// a move of a loop around this one; returns whether all arrays beside the walk were updated
template <class L, class N, class M>
MH_FN bool join(L& loop, Walk& walk, const N& neighborhood, M m, Cost delta, bool stale) {
    if constexpr (HasJoin<L, Walk>::value) {
        return loop.join(walk, neighborhood, m, delta, stale);
    } else {
        walk.team.sync();
        walk.make_move(neighborhood, m, delta);
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
        loop.prepare(walk);
        return true;
    }
}
