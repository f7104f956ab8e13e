// The members that a C++ half has, found when the unit is compiled: every member is optional.
#define MH_DETECT(name, expression)                                                                 \
    template <class P, class M, class = void> struct name { static constexpr bool value = false; }; \
    template <class P, class M> struct name<P, M, typename Voided<decltype(expression)>::type> {    \
        static constexpr bool value = true;                                                         \
    };

#ifndef MH_UPDATES
#define MH_UPDATES 1
#endif
// whether the search asks a problem's `update` after a move; what only `update` reads may else be left as it is
constexpr bool asks_update = MH_UPDATES;

#define MH_TEAM declval<Team>()
#define MH_X static_cast<const Item*>(nullptr)
#define MH_STATE declval<typename P::State>()

// members of a problem P, for a move M
MH_DETECT(HasCost, declval<const P&>().cost(MH_TEAM, MH_X))
MH_DETECT(HasPlainDelta, declval<const P&>().delta(MH_TEAM, MH_X, declval<M>()))
MH_DETECT(HasKeptDelta, declval<const P&>().delta(MH_TEAM, MH_X, MH_STATE, declval<M>()))
MH_DETECT(HasInit, declval<const P&>().init(MH_TEAM, MH_X, MH_STATE))
MH_DETECT(HasCommit, declval<const P&>().commit(MH_TEAM, MH_X, MH_STATE, declval<M>()))
MH_DETECT(HasUpdate, declval<const P&>().update(MH_STATE, declval<M>(), declval<Cost>(), declval<M>()))

MH_DETECT(HasInsertions,
          declval<const P&>().insertions(MH_TEAM, MH_X, 0, Item(), MH_STATE, static_cast<Cost*>(nullptr)))

MH_DETECT(KnowsConflictsByValue, declval<const P&>().conflicts_by_value(MH_STATE, 0))
MH_DETECT(HasViolations, declval<const P&>().violations(MH_TEAM, MH_X))
MH_DETECT(HasPlainJudgement, declval<const P&>().feasible(MH_TEAM, MH_X, declval<M>()))
MH_DETECT(HasKeptJudgement, declval<const P&>().feasible(MH_TEAM, MH_X, MH_STATE, declval<M>()))
MH_DETECT(HasDeltaBound, declval<const P&>().delta_bound(MH_X, MH_STATE, declval<M>()))

// members of a problem P, for a neighborhood M
MH_DETECT(HasGroupDeltas,
          declval<const P&>().deltas(MH_TEAM, MH_X, MH_STATE, declval<const M&>(), i64(0), static_cast<Cost*>(nullptr)))

MH_DETECT(HasArrange, declval<const P&>().arrange(MH_TEAM, MH_X, MH_STATE))
struct AnyMove {
    template <class M> MH_FN void operator()(M) const {}
};
MH_DETECT(HasFeasibleMoves, declval<const P&>().feasible_moves(MH_X, MH_STATE, declval<const M&>(), AnyMove{}))
MH_DETECT(HasRunDeltas,
          declval<const P&>().deltas(MH_TEAM, MH_X, MH_STATE, declval<const M&>(), Run(), static_cast<Cost*>(nullptr)))

// The problems that a problem is made of: generated.
template <class... P> struct PartTypes {};

template <bool condition> struct When {};
template <> struct When<true> { typedef void type; };

// whether a problem, or each of several, has a formula for a move
template <class P, class M> struct HasFormula {
    static constexpr bool value = HasPlainDelta<P, M>::value || HasKeptDelta<P, M>::value;
};
template <class M> struct HasFormula<PartTypes<>, M> { static constexpr bool value = true; };
template <class P, class... More, class M> struct HasFormula<PartTypes<P, More...>, M> {
    static constexpr bool value = HasFormula<P, M>::value && HasFormula<PartTypes<More...>, M>::value;
};

// members of a problem that is part of another one, in its own types
template <class P, class M>
MH_FN auto part_delta(const P& part, Team team, const Item* x, typename P::State s, M move) {
    if constexpr (HasKeptDelta<P, M>::value) return part.delta(team, x, s, move);
    else return part.delta(team, x, move);
}
template <class P> MH_FN void part_init(const P& part, Team team, const Item* x, typename P::State s) {
    if constexpr (HasInit<P, int>::value) part.init(team, x, s);
}
template <class P, class M>
MH_FN void part_commit(const P& part, Team team, const Item* x, typename P::State s, M move) {
    if constexpr (HasCommit<P, M>::value) part.commit(team, x, s, move);
    else part_init(part, team, x, s);
}

struct AnyLeaf {
    template <class N, class M> MH_FN void operator()(const N&, M) const {}
};

// members of a neighborhood P, for its move M
MH_DETECT(HasAround, declval<const P&>().around(declval<M>(), i64(0), declval<M&>()))
MH_DETECT(PlacesAll, (declval<typename When<P::places_all>::type*>()))
MH_DETECT(HasResample, declval<P&>().resample(declval<Random>()))
MH_DETECT(HasPrepare, declval<const P&>().prepare(MH_TEAM, MH_X))
MH_DETECT(HasFeasible, declval<const P&>().feasible(MH_X, declval<M>()))
MH_DETECT(HasResolve, declval<const P&>().resolve(declval<M>(), AnyLeaf{}))

struct AnyTouched {
    template <class M> MH_FN void operator()(i64, M) const {}
};
MH_DETECT(HasTouch, declval<const P&>().touch(declval<M>(), AnyTouched{}))

template <class N, class M, class F> MH_FN void each_touched(const N& neighborhood, M move, F f) {
    if constexpr (HasTouch<N, M>::value) {
        neighborhood.touch(move, f);
    } else {
        for (i64 t = 0, touched = neighborhood.touched(); t < touched; ++t) {
            M other;
            if (neighborhood.around(move, t, other)) f(neighborhood.index(other), other);
        }
    }
}

struct AnyRow {
    template <class R> MH_FN void operator()(const R&) const {}
};
MH_DETECT(HasRow, declval<const P&>().row(i64(0), AnyRow{}))

// members of a move P
MH_DETECT(TellsPlacements, P::placements)
MH_DETECT(TellsEdges, P::edges)
MH_DETECT(HasLeft, declval<const P&>().left(0))

// the position whose value a move displaces by its c-th placement
template <class M> MH_FN int left_by(M move, int c) {
    if constexpr (HasLeft<M, int>::value) return move.left(c);
    else return move.place(c);
}

// of a memory P and a neighborhood M: the least expiry of all moves falls only to the expiry of a move that was made
MH_DETECT(ExpiriesRise, (declval<typename When<P::template ExpiriesRise<M>>::type*>()))

// members of a part P of a search, for M: a walk or a move
MH_DETECT(HasBegin, declval<P&>().init(declval<M&>()))
MH_DETECT(HasExpiry, declval<const P&>().expiry(MH_X, declval<M>()))
MH_DETECT(HasArrive, declval<P&>().arrive(MH_TEAM, MH_X, true))
MH_DETECT(HasVisit, declval<P&>().visit(MH_TEAM, MH_X, declval<Random>()))
MH_DETECT(TakesDeltas, (declval<typename When<P::takes_deltas>::type*>()))
MH_DETECT(KeepsOldest, declval<P&>().oldest)
MH_DETECT(ForeseesAbsence, declval<const P&>().absent_before(i64()))
MH_DETECT(HasWeighing, declval<const P&>().weighing())
MH_DETECT(HasEscapes, declval<const P&>().escapes())
MH_DETECT(HasEnded, declval<const P&>().ended())
MH_DETECT(HasRecord, declval<P&>().record(MH_TEAM, bool(), Total(), Total()))

// a member of a perturbation P: it records the end of a phase
MH_DETECT(HasNote, declval<P&>().record(MH_TEAM, Total(), bool(), bool()))

// members of an archive P, for costs M
MH_DETECT(HasRedundant, declval<const P&>().redundant(declval<M>(), i64(0), i64(0)))

// members of a replacement P, for a population M
struct Walk;
MH_DETECT(HasFitness, declval<const P&>().fitness(declval<const M&>()))
MH_DETECT(HasPlace, declval<const P&>().place(declval<const Walk&>(), declval<M&>(), i64(0)))
MH_DETECT(HasKeep, declval<const P&>().keep(declval<M&>(), i64(0), i64(0)))

// members of a loop P, for a walk M: called by a loop around it
MH_DETECT(HasEnter, declval<P&>().enter(declval<M&>()))
MH_DETECT(HasJoin, declval<P&>().join(declval<M&>(), 0, 0, declval<Cost>(), true))

// members of a perturbation P, for a walk M: leads it back to an earlier solution
MH_DETECT(HasGoBack, declval<const P&>().go_back(declval<M&>(), static_cast<const Item*>(nullptr)))

// whether a perturbation that replaces the solution updates the problem's kept arrays beside it
template <class Part, class = void> struct KeepsState { static constexpr bool value = false; };
template <class Part> struct KeepsState<Part, decltype(void(Part::keeps_state))> {
    static constexpr bool value = Part::keeps_state;
};

// whether one of several loops keeps tables of all moves
template <class Loops> struct Tabulates;
template <class... L> struct Tabulates<List<L...>> { static constexpr bool value = (L::tabulates || ...); };

// whether a loop itself copies the best solution, later
template <class Loop, class = void> struct CopiesLate { static constexpr bool value = false; };
template <class Loop> struct CopiesLate<Loop, decltype(void(Loop::copies_late))> {
    static constexpr bool value = Loop::copies_late;
};

// whether a loop, or one of several, changes the solution without the problem's kept arrays beside it
template <class Loop, class = void> struct LeavesState { static constexpr bool value = false; };
template <class Loop> struct LeavesState<Loop, decltype(void(Loop::leaves_state))> {
    static constexpr bool value = Loop::leaves_state;
};
template <class... L> struct LeavesState<List<L...>, void> {
    static constexpr bool value = (LeavesState<L>::value || ...);
};

// f(neighborhood, move) for the move that another one stands for, as in a union; not called if it is infeasible
template <class N, class M, class F> MH_FN void resolve(const N& neighborhood, M move, F f) {
    if constexpr (HasResolve<N, M>::value) neighborhood.resolve(move, f);
    else f(neighborhood, move);
}

// whether a neighborhood allows a move of its own in a solution; all that it does not judge
template <class N, class M> MH_FN bool feasible(const N& neighborhood, const Item* x, M move) {
    if constexpr (HasFeasible<N, M>::value) return neighborhood.feasible(x, move);
    else return true;
}

// the same as `resolve`, in a solution: f is not called for a move that its neighborhood does not allow there, either;
// where none is infeasible, f is called without another function around it, after which compilers make slower code
template <class N, class M, class F> MH_FN void resolve_in(const Item* x, const N& neighborhood, M move, F f) {
    if constexpr (!N::partial && HasResolve<N, M>::value) {
        neighborhood.resolve(move, f);
    } else if constexpr (!N::partial) {
        f(neighborhood, move);
    } else {
        resolve(neighborhood, move, [&](const auto& inner, auto leaf) {
            if (feasible(inner, x, leaf)) f(inner, leaf);
        });
    }
}

// a group of moves, if the neighborhood has no `row`
template <class N> struct PlainRow {
    const N& neighborhood;
    i64 group;

    MH_FN int length() const { return neighborhood.length(group); }
    MH_FN auto move(int k) const { return neighborhood.move(group, k); }
};

// f(row), whose `move(k)` is the k-th move of a group, and `length()` their number
template <class N, class F> MH_FN void with_row(const N& neighborhood, i64 group, F f) {
    if constexpr (HasRow<N, int>::value) neighborhood.row(group, f);
    else f(PlainRow<N>{neighborhood, group});
}

// whether a neighborhood has moves that change a position, which is known where it has the moves of a part
MH_DETECT(HasReaches, declval<const P&>().reaches(0))
template <class N> MH_FN bool reaches_of(const N& neighborhood, int at) {
    if constexpr (HasReaches<N, int>::value) return neighborhood.reaches(at);
    else return false;
}

// instantiated only for neighborhoods that use it, so that others need not have it
template <class N, class Places>
MH_FN auto towards_of(const N& neighborhood, const Item* x, const Item* guide, const Places* places, int at) {
    return neighborhood.towards(x, guide, places, at);
}

template <class N, class Tour, class Offer>
MH_FN bool exchanges_of(const N& neighborhood, Tour& tour, int item, Offer offer) {
    return neighborhood.exchanges(tour, item, offer);
}

// the neighborhoods that a neighborhood is made of: generated
template <class... N> struct Neighborhoods {};

// The formulas of a problem for the moves of a neighborhood, or of all neighborhoods that it is made of.
template <class P, class N> struct Does;
template <class P, class List> struct DoesAll;
template <class P> struct DoesAll<P, Neighborhoods<>> { static constexpr bool delta = true; };
template <class P, class N, class... More> struct DoesAll<P, Neighborhoods<N, More...>> {
    static constexpr bool delta = Does<P, N>::delta && DoesAll<P, Neighborhoods<More...>>::delta;
};
template <class P, class N> struct Does {
    typedef typename N::Move M;
    static constexpr bool wraps = HasResolve<N, M>::value;
    static constexpr bool plain = HasPlainDelta<P, M>::value || HasKeptDelta<P, M>::value;
    static constexpr bool delta = wraps ? DoesAll<P, typename N::Inner>::delta : plain;
    // moves may be infeasible: each is looked at by itself
    static constexpr bool judges = HasFeasible<N, M>::value || P::judges;
    static constexpr bool runs = HasRunDeltas<P, N>::value && !judges;
    static constexpr bool groups = (HasGroupDeltas<P, N>::value && !judges) || runs;
    static constexpr bool around = HasAround<N, M>::value && !N::resamples;  // see the member
    static constexpr bool update = HasUpdate<P, M>::value && delta && around && !judges;
    static constexpr bool visits = HasFeasibleMoves<P, N>::value && plain && !wraps && !HasFeasible<N, M>::value;
};

template <class N> struct SharesGroups;  // whether groups are evaluated whole, known with the problem
