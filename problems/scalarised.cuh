// One number of several objectives: a weighted sum, or the largest weighted distance from an ideal point, where an
// objective with a limit counts only beyond it. now(k) are the objectives of the solution.
struct Scalarised : ScalarisedData {
    typedef decltype(ScalarisedData::problem_0) Inner;
    typedef problem_0::Cost InnerCost;

    MH_DETECT(HasGroups, declval<const P&>().deltas(MH_TEAM, MH_X, MH_STATE, declval<const M&>(), i64(0),
                                                    static_cast<InnerCost*>(nullptr)))

    MH_FN Number value(const InnerCost& objectives) const {
        Number sum = 0, largest = 0;
        for (int k = 0; k < count; ++k) {
            Number term = weights(k) * (objectives[k] - zeros(k));
            if (!linear && limited(k) && term < 0) term = 0;
            sum += term;
            largest = k == 0 || term > largest ? term : largest;
        }
        return !chebyshev ? sum : augmented ? Number(augmented) * largest + sum : largest;
    }

    MH_FN Cost change(State s, const InnerCost& delta) const {
        InnerCost before, after;
        for (int k = 0; k < count; ++k) {
            before[k] = linear ? Number(0) : s.now(k);
            after[k] = before[k] + delta[k];
        }
        return value(after) - value(before);
    }

    MH_FN Total cost(Team team, const Item* x) const { return value(problem_0.cost(team, x)); }

    MH_FN void remember(Team team, const Item* x, State s) const {
        if (linear) return;
        const InnerCost objectives = problem_0.cost(team, x);
        if (team.rank == 0)
            for (int k = 0; k < count; ++k) s.now(k) = objectives[k];
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        part_init(problem_0, team, x, s.problem_0);
        remember(team, x, s);
    }

    template <class M> MH_FN void commit(Team team, const Item* x, State s, M move) const {
        part_commit(problem_0, team, x, s.problem_0, move);
        remember(team, x, s);
    }

    template <class M, class = typename When<HasFormula<Inner, M>::value>::type>
    MH_FN Cost delta(Team team, const Item* x, State s, M move) const {
        return change(s, part_delta(problem_0, team, x, s.problem_0, move));
    }

    // a group of Insertion has n - 1 moves at most
    template <class N, class I = Inner,
              class = typename When<Same<N, Insertion>::value && HasGroups<I, N>::value>::type>
    MH_FN void deltas(Team team, const Item* x, State s, const N& neighborhood, i64 group, Cost* out) const {
        InnerCost* several = reinterpret_cast<InnerCost*>(s.changes.of(team).at(0));
        const I& inner = problem_0;
        inner.deltas(team, x, s.problem_0, neighborhood, group, several);
        team.sync();
        const i64 length = neighborhood.length(group);
        for (i64 k = team.rank; k < length; k += team.size) out[k] = change(s, several[k]);
        team.sync();
    }
};
