// What a walk does with its problem and with neighborhoods.
template <class N> struct SharesGroups { static constexpr bool value = HasGroupDeltas<Problem, N>::value; };

template <class P> MH_FN Total cost_of(const P& problem, Team team, const Item* x) {
    if constexpr (HasCost<P, int>::value) return problem.cost(team, x);
    else return 0;
}

// A change of cost that is not a finite number becomes the lowest there is: the move is made at once, and Python sees
// it.
template <class T> MH_FN T as_number(T value) {
    if constexpr (IsDouble<T>::value) return value - value == 0 ? value : -Never<T>::value;
    else return value;
}

// of a move that the problem knows
template <class P, class M>
MH_FN Cost formula_of(const P& problem, Team team, const Item* x, typename P::State s, M move) {
    if constexpr (HasKeptDelta<P, M>::value) return as_number(Cost(problem.delta(team, x, s, move)));
    else return as_number(Cost(problem.delta(team, x, move)));
}

// the change of cost of a move by the problem's formula; the largest number where the move is infeasible
template <class P, class N, class M>
MH_FN Cost delta_of(const P& problem, const N& neighborhood, Team team, const Item* x, typename P::State s, M move) {
    Cost delta = Never<Cost>::value;
    resolve(neighborhood, move, [&](const auto&, auto leaf) { delta = formula_of(problem, team, x, s, leaf); });
    return delta;
}

// the change of cost by a full evaluation of the moved solution, which is made in `scratch`, the team's own
template <class P, class N, class M>
MH_FN Cost change_of(const P& problem, const N& neighborhood, Team team, const Item* x, Total cost, M move,
                     Item* scratch) {
    static_assert(HasCost<P, int>::value, "neither cost nor delta");  // Neighborhood.kernel says it in full
    Cost delta = Never<Cost>::value;
    resolve(neighborhood, move, [&](const auto& inner, auto leaf) {
        team.sync();
        team.for_each(problem.n, [=](i64 k) { scratch[k] = x[k]; });
        team.sync();
        inner.apply(team, scratch, leaf);
        team.sync();
        delta = as_number(Cost(cost_of(problem, team, scratch) - cost));
    });
    return delta;
}

// what a neighborhood and those that it is made of keep beside a solution
template <class N> MH_FN void prepare_neighborhood(const N& neighborhood, Team team, const Item* x) {
    neighborhood.components([=](const auto& inner) { prepare_neighborhood(inner, team, x); });
    if constexpr (HasPrepare<N, int>::value) neighborhood.prepare(team, x);
}

template <class P> MH_FN void prepare_problem(const P& problem, Team team, const Item* x, typename P::State s) {
    if constexpr (HasInit<P, int>::value) problem.init(team, x, s);
}

// what the problem keeps follows a move that was made; it is built anew where the problem does not know the move
template <class P, class M>
MH_FN void commit_move(const P& problem, Team team, const Item* x, typename P::State s, M move) {
    if constexpr (HasCommit<P, M>::value) problem.commit(team, x, s, move);
    else prepare_problem(problem, team, x, s);
}

// the move is made in x, the team's own, and what the problem keeps follows
template <class P, class N, class M>
MH_FN void apply_move(const P& problem, const N& neighborhood, Team team, Item* x, typename P::State s, M move) {
    resolve(neighborhood, move, [&](const auto& inner, auto leaf) {
        inner.apply(team, x, leaf);
        team.sync();
        commit_move(problem, team, x, s, leaf);
        team.sync();
    });
}

// out[k] = the change of cost of every move of the team's share
template <class P, class N>
MH_FN void evaluate_all(const P& problem, const N& neighborhood, Team team, const Item* x, typename P::State s,
                        Cost* out, Item* scratch) {
    if constexpr (Does<P, N>::groups) {
        team.groups(neighborhood, 0, neighborhood.groups(),
                    [&](Team one, i64 g) { problem.deltas(one, x, s, neighborhood, g, out + neighborhood.first(g)); });
    } else if constexpr (Does<P, N>::delta) {
        team.visit(neighborhood,
                   [=](i64 k, auto m) { out[k] = delta_of(problem, neighborhood, team.alone(), x, s, m); });
    } else {
        Total cost = cost_of(problem, team.alone(), x);
        team.visit(neighborhood, [&](i64 k, auto m) {
            out[k] = change_of(problem, neighborhood, team.alone(), x, cost, m, scratch);
        });
    }
}

// known changes of cost after a move, of all moves of the team's share; those that it touched are wrong as yet
template <class P, class N, class M>
MH_FN void update_all(const P& problem, const N& neighborhood, Team team, typename P::State s, Cost* deltas, M made) {
    team.visit(neighborhood,
               [=](i64 k, auto other) { deltas[k] = as_number(problem.update(s, other, deltas[k], made)); });
}

// What one decision of a loop came to.
struct Outcome {
    bool finished;  // the search has come to its own end
    i64 evaluated;  // moves, counted as the sequential definition evaluates them
};

// What a loop sees of a walk. Its numbers are the same in all threads of the team.
struct Walk {
    Problem problem;
    Problem::State state;
    Team team;
    Item* x;        // the solution, the team's own
    Item* scratch;  // a solution of the thread's own
    Total cost, best;
    i64 iteration;  // that of the step being made
    u32 seed, number;
    i64 began;   // the iteration at which a search around another last took the walk elsewhere
    u64 turn;    // how often the blocks that share the walk have agreed
    bool cut;    // the step was cut short before anything was decided
    bool moved;  // a move was made in the step

    MH_FN Random random(u32 stream) const { return {seed, number, stream, iteration}; }

    // all members of the team work on the change of cost of one move
    template <class N, class M> MH_FN Cost delta(const N& neighborhood, M move) const {
        if constexpr (Does<Problem, N>::delta) return delta_of(problem, neighborhood, team, x, state, move);
        else return change_of(problem, neighborhood, team, x, cost, move, scratch - i64(team.rank) * problem.n);
    }

    // the move is made; neighborhoods that keep something are prepared anew by the loops that use them
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

// the moves of a perturbation that is made of reversals, one after the other; how many there were
template <class P, class Make> MH_FN i64 reverse_segments(const P& perturbation, Walk& walk, Make make) {
    typedef decltype(P::moves) Moves;
    i64 made = 0;
    perturbation.reversals(walk.random(perturbation_stream), [&](int i, int last) {
        if (i >= last || (Moves::cyclic && last - i == walk.problem.n - 2)) return;  // which only turns the tour around
        const TwoOptMove m{i, last};
        make(perturbation.moves, m, walk.delta(perturbation.moves, m));
        ++made;
    });
    return made;
}

// ---- parts: what one offers is called, what it does not offer is left out ----

// the last iteration in which a move is forbidden
template <class A, class M> MH_FN i64 expiry_of(const A& memory, const Item* x, M move) {
    if constexpr (A::forbids) return memory.expiry(x, move);
    else return 0;
}

template <class A, class M> MH_FN void remember(const A& memory, Team team, const Item* x, M move, Random random) {
    if constexpr (A::forbids) {
        memory.remember(team, x, move, random);
        team.sync();
    }
}

// the moves of a step
template <class N> MH_FN void resample(N& neighborhood, Random random) {
    if constexpr (N::resamples) neighborhood.resample(random);
}

// the kept numbers and arrays of a part and of those it is made of begin as `init` says; they are zero before
template <class P> MH_FN void begin(P& part, Walk& walk) {
    part.components([&](auto& inner) { begin(inner, walk); });
    if constexpr (HasBegin<P, Walk>::value) {
        part.init(walk);
        walk.team.sync();
    }
}

// an acceptance takes note of its answer and of the cost that it led to
template <class P> MH_FN void record(P& acceptance, const Walk& walk, bool accepted, Total cost) {
    if constexpr (HasRecord<P, int>::value) {
        acceptance.record(walk.team, accepted, cost, cost < walk.best ? cost : walk.best);
        walk.team.sync();
    }
}

// whether an acceptance brings the search to its own end, as a schedule does
template <class P> MH_FN bool ended(const P& acceptance) {
    if constexpr (HasEnded<P, int>::value) return acceptance.ended();
    else return false;
}

// the kept numbers and arrays of a part and of those it is made of become zero, as they are before `init`
template <class P> MH_FN void clear(P& part, const Walk& walk) {
    part.saved([&](auto& kept) { clear_kept(kept, walk.team); });
    walk.team.sync();
}
