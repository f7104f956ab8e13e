// Which members a problem has, found when the unit is compiled; each is optional, `delta` or `cost` must be there.
#define MH_DETECT(name, expression)                                                                 \
    template <class P, class M, class = void> struct name { static constexpr bool value = false; }; \
    template <class P, class M> struct name<P, M, typename Voided<decltype(expression)>::type> {    \
        static constexpr bool value = true;                                                         \
    };

#define MH_TEAM declval<Team>()
#define MH_X static_cast<const Item*>(nullptr)
#define MH_STATE declval<typename P::State>()

MH_DETECT(HasCost, declval<const P&>().cost(MH_TEAM, MH_X))
MH_DETECT(HasDelta, declval<const P&>().delta(MH_TEAM, MH_X, declval<M>()))
MH_DETECT(HasKeptDelta, declval<const P&>().delta(MH_TEAM, MH_X, MH_STATE, declval<M>()))
MH_DETECT(HasInit, declval<const P&>().init(MH_TEAM, MH_X, MH_STATE))
MH_DETECT(HasCommit, declval<const P&>().commit(MH_TEAM, MH_X, MH_STATE, declval<M>()))
MH_DETECT(HasUpdate, declval<const P&>().update(MH_STATE, declval<M>(), declval<Cost>(), declval<M>()))

MH_DETECT(HasAround, declval<const P&>().around(declval<M>(), i64(0), declval<M&>()))
MH_DETECT(HasSeek, declval<P&>().seek(declval<Random>()))
MH_DETECT(HasGroupDeltas, declval<const P&>().deltas(MH_TEAM, MH_X, MH_STATE, declval<const M&>(), i64(0),
                                                     static_cast<Cost*>(nullptr)))  // M is a neighborhood

typedef Neighborhood::Move Move;

// what a problem does with a move of a union, it does with the moves of its neighborhoods
template <class P, class M> struct Does {
    static constexpr bool delta = HasDelta<P, M>::value || HasKeptDelta<P, M>::value;
    static constexpr bool commit = HasCommit<P, M>::value;
};
template <class P, class A, class B> struct Does<P, UnionMove<A, B>> {
    static constexpr bool delta = Does<P, A>::delta && Does<P, B>::delta;
    static constexpr bool commit = Does<P, A>::commit && Does<P, B>::commit;
};

static constexpr bool has_cost = HasCost<Problem, Move>::value;
static constexpr bool has_delta = Does<Problem, Move>::delta;
static constexpr bool has_init = HasInit<Problem, Move>::value;
static constexpr bool has_commit = Does<Problem, Move>::commit;
static constexpr bool has_around = HasAround<Neighborhood, Move>::value && !HasSeek<Neighborhood, Move>::value;
static constexpr bool has_seek = HasSeek<Neighborhood, Move>::value;  // other moves in every step
static constexpr bool has_update = HasUpdate<Problem, Move>::value && has_around && !has_seek;
static constexpr bool has_group_deltas = HasGroupDeltas<Problem, Neighborhood>::value;

static_assert(has_cost || has_delta || has_group_deltas,
              "the C++ half needs cost(Team, const Item*) const or delta(Team, const Item*[, State], Move) const");
static_assert(!has_update || has_delta, "a problem with update() needs delta() for the moves that share an attribute");

template <class N> struct OwnsGroups { static constexpr bool value = has_group_deltas; };

template <class P, class M> MH_FN Cost delta_of(const P& problem, Team team, const Item* x, typename P::State s, M m) {
    if constexpr (HasKeptDelta<P, M>::value) return Cost(problem.delta(team, x, s, m));
    else return Cost(problem.delta(team, x, m));
}

template <class P, class A, class B>
MH_FN Cost delta_of(const P& problem, Team team, const Item* x, typename P::State s, UnionMove<A, B> m) {
    return m.which ? delta_of(problem, team, x, s, m.second) : delta_of(problem, team, x, s, m.first);
}

template <class P, class S, class M> MH_FN void commit_to(const P& problem, Team team, const Item* x, S s, M m) {
    problem.commit(team, x, s, m);
}
template <class P, class S, class A, class B>
MH_FN void commit_to(const P& problem, Team team, const Item* x, S s, UnionMove<A, B> m) {
    if (m.which) commit_to(problem, team, x, s, m.second);
    else commit_to(problem, team, x, s, m.first);
}

template <class P> MH_FN Total cost_of(const P& problem, Team team, const Item* x) {
    if constexpr (has_cost) return problem.cost(team, x);
    else return 0;
}

// the change of cost by two full evaluations; `scratch` is the thread's own copy of a solution
template <class P, class N, class M>
MH_FN Cost change_of(const P& problem, const N& neighborhood, Team team, const Item* x, Total cost, M m,
                     Item* scratch) {
    for (int k = 0; k < problem.n; ++k) scratch[k] = x[k];
    neighborhood.apply(team, scratch, m);
    return Cost(cost_of(problem, team, scratch) - cost);
}

template <class P, class S> MH_FN void prepare_state(const P& problem, Team team, const Item* x, S s) {
    if constexpr (has_init) problem.init(team, x, s);
}

// the move is made and what is kept follows; x is the team's own
template <class P, class N, class S, class M>
MH_FN void make(const P& problem, const N& neighborhood, Team team, Item* x, S s, M m) {
    neighborhood.apply(team, x, m);
    team.sync();
    if constexpr (has_commit) commit_to(problem, team, x, s, m);
    else prepare_state(problem, team, x, s);  // a move that the problem cannot follow: what is kept is built anew
    team.sync();
}

// out[k] = the change of cost of every move of the team's part
template <class P, class N, class S>
MH_FN void evaluate_all(const P& problem, const N& neighborhood, Team team, const Item* x, S s, Cost* out,
                        Item* scratch) {
    if constexpr (has_group_deltas) {
        team.groups(neighborhood, 0, neighborhood.groups(),
                    [&](Team one, i64 g) { problem.deltas(one, x, s, neighborhood, g, out + neighborhood.first(g)); });
    } else if constexpr (has_delta) {
        team.visit(neighborhood, [&](i64 k, auto m) { out[k] = delta_of(problem, team.alone(), x, s, m); });
    } else {
        Total cost = cost_of(problem, team.alone(), x);
        team.visit(neighborhood, [&](i64 k, auto m) {
            out[k] = change_of(problem, neighborhood, team.alone(), x, cost, m, scratch);
        });
    }
}
