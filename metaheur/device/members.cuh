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

// What a problem does with the moves of a neighborhood; and whether an index may denote no move. Unions, samples and
// candidates stand for the moves of others.
template <class P, class N> struct Does {
    typedef typename N::Move M;
    static constexpr bool delta = HasDelta<P, M>::value || HasKeptDelta<P, M>::value;
    static constexpr bool commit = HasCommit<P, M>::value;
    static constexpr bool partial = false;
};
template <class P, class D> struct Does<P, Union<D>> {
    typedef Does<P, decltype(D::first)> A;
    typedef Does<P, decltype(D::second)> B;
    static constexpr bool delta = A::delta && B::delta;
    static constexpr bool partial = A::partial || B::partial;
};
template <class P, class D> struct Does<P, Sampled<D>> : Does<P, decltype(D::neighborhood)> {};
template <class P, class D> struct Does<P, Restricted<D>> : Does<P, decltype(D::neighborhood)> {
    static constexpr bool partial = true;
};

static constexpr bool has_cost = HasCost<Problem, Move>::value;
static constexpr bool has_delta = Does<Problem, Neighborhood>::delta;
static constexpr bool has_init = HasInit<Problem, Move>::value;
static constexpr bool partial = Does<Problem, Neighborhood>::partial;
static constexpr bool has_around = HasAround<Neighborhood, Move>::value && !HasSeek<Neighborhood, Move>::value;
static constexpr bool has_seek = HasSeek<Neighborhood, Move>::value;  // other moves in every step
static constexpr bool has_update = HasUpdate<Problem, Move>::value && has_around && !has_seek;
static constexpr bool has_group_deltas = HasGroupDeltas<Problem, Neighborhood>::value;

static_assert(has_cost || has_delta || has_group_deltas,
              "the C++ half needs cost(Team, const Item*) const or delta(Team, const Item*[, State], Move) const");
static_assert(!has_update || has_delta, "a problem with update() needs delta() for the moves that share an attribute");

template <class N> struct OwnsGroups { static constexpr bool value = has_group_deltas; };

// the change of cost of a move; the largest number where it is none
template <class P, class N, class M>
MH_FN Cost delta_of(const P& problem, const N&, Team team, const Item* x, typename P::State s, M m) {
    if constexpr (HasKeptDelta<P, M>::value) return Cost(problem.delta(team, x, s, m));
    else return Cost(problem.delta(team, x, m));
}
template <class P, class D, class M>
MH_FN Cost delta_of(const P& problem, const Union<D>& n, Team team, const Item* x, typename P::State s, M m) {
    return m.which ? delta_of(problem, n.two(), team, x, s, m.second) : delta_of(problem, n.one(), team, x, s, m.first);
}
template <class P, class D, class M>
MH_FN Cost delta_of(const P& problem, const Sampled<D>& n, Team team, const Item* x, typename P::State s, M m) {
    return delta_of(problem, n.whole(), team, x, s, m);
}
template <class P, class D, class M>
MH_FN Cost delta_of(const P& problem, const Restricted<D>& n, Team team, const Item* x, typename P::State s, M m) {
    typename Restricted<D>::Denoted denoted;
    return n.denotes(m, denoted) ? delta_of(problem, n.whole(), team, x, s, denoted) : Never<Cost>::value;
}

// whether a move is one
template <class N, class M> MH_FN bool is_move(const N&, M) { return true; }
template <class D, class M> MH_FN bool is_move(const Union<D>& n, M m) {
    return m.which ? is_move(n.two(), m.second) : is_move(n.one(), m.first);
}
template <class D, class M> MH_FN bool is_move(const Sampled<D>& n, M m) { return is_move(n.whole(), m); }
template <class D, class M> MH_FN bool is_move(const Restricted<D>& n, M m) {
    typename Restricted<D>::Denoted denoted;
    return n.denotes(m, denoted);
}

template <class S> MH_FN Cost score_of(const S& selection, Cost delta) {
    if constexpr (partial) return delta == Never<Cost>::value ? delta : selection.score(delta);
    else return selection.score(delta);
}

template <class P> MH_FN Total cost_of(const P& problem, Team team, const Item* x) {
    if constexpr (has_cost) return problem.cost(team, x);
    else return 0;
}

// the change of cost by two full evaluations; `scratch` is the thread's own copy of a solution
template <class P, class N, class M>
MH_FN Cost change_of(const P& problem, const N& neighborhood, Team team, const Item* x, Total cost, M m,
                     Item* scratch) {
    if (!is_move(neighborhood, m)) return Never<Cost>::value;
    for (int k = 0; k < problem.n; ++k) scratch[k] = x[k];
    neighborhood.apply(team, scratch, m);
    return Cost(cost_of(problem, team, scratch) - cost);
}

// what a neighborhood keeps beside a solution
template <class N> MH_FN void prepare_neighborhood(const N&, Team, const Item*) {}
template <class D> MH_FN void prepare_neighborhood(const Union<D>& n, Team team, const Item* x) {
    prepare_neighborhood(n.one(), team, x);
    prepare_neighborhood(n.two(), team, x);
}
template <class D> MH_FN void prepare_neighborhood(const Sampled<D>& n, Team team, const Item* x) {
    prepare_neighborhood(n.whole(), team, x);
}
template <class D> MH_FN void prepare_neighborhood(const Restricted<D>& n, Team team, const Item* x) {
    n.prepare(team, x);
}

template <class P, class S> MH_FN void prepare_problem(const P& problem, Team team, const Item* x, S s) {
    if constexpr (has_init) problem.init(team, x, s);
}

template <class P, class N, class S>
MH_FN void prepare_state(const P& problem, const N& neighborhood, Team team, const Item* x, S s) {
    prepare_problem(problem, team, x, s);
    prepare_neighborhood(neighborhood, team, x);
}

// the move is made in x, and what the problem keeps follows
template <class P, class N, class S, class M>
MH_FN void follow(const P& problem, const N& neighborhood, Team team, Item* x, S s, M m) {
    neighborhood.apply(team, x, m);
    team.sync();
    if constexpr (HasCommit<P, M>::value) problem.commit(team, x, s, m);
    else prepare_problem(problem, team, x, s);  // a move that the problem cannot follow: what is kept is built anew
}
template <class P, class D, class S, class M>
MH_FN void follow(const P& problem, const Union<D>& n, Team team, Item* x, S s, M m) {
    if (m.which) follow(problem, n.two(), team, x, s, m.second);
    else follow(problem, n.one(), team, x, s, m.first);
}
template <class P, class D, class S, class M>
MH_FN void follow(const P& problem, const Sampled<D>& n, Team team, Item* x, S s, M m) {
    follow(problem, n.whole(), team, x, s, m);
}
template <class P, class D, class S, class M>
MH_FN void follow(const P& problem, const Restricted<D>& n, Team team, Item* x, S s, M m) {
    typename Restricted<D>::Denoted denoted;
    if (n.denotes(m, denoted)) follow(problem, n.whole(), team, x, s, denoted);
}

// the move is made and all that is kept follows; x is the team's own
template <class P, class N, class S, class M>
MH_FN void make(const P& problem, const N& neighborhood, Team team, Item* x, S s, M m) {
    follow(problem, neighborhood, team, x, s, m);
    team.sync();
    prepare_neighborhood(neighborhood, team, x);
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
        team.visit(neighborhood,
                   [&](i64 k, auto m) { out[k] = delta_of(problem, neighborhood, team.alone(), x, s, m); });
    } else {
        Total cost = cost_of(problem, team.alone(), x);
        team.visit(neighborhood, [&](i64 k, auto m) {
            out[k] = change_of(problem, neighborhood, team.alone(), x, cost, m, scratch);
        });
    }
}
