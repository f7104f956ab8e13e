// Several problems of the same solutions: each is one objective.
struct MultiObjective : MultiObjectiveData {
    MH_FN Total cost(Team team, const Item* x) const {
        Total total = 0;
        parts(State{}, [&](int k, const auto& part, auto) { total[k] = part.cost(team, x); });
        return total;
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        parts(s, [&](int, const auto& part, auto kept) { part_init(part, team, x, kept); });
    }

    template <class M, class = typename When<HasFormula<Parts, M>::value>::type>
    MH_FN Cost delta(Team team, const Item* x, State s, M move) const {
        Cost change = 0;
        parts(s, [&](int k, const auto& part, auto kept) { change[k] = part_delta(part, team, x, kept, move); });
        return change;
    }

    template <class M> MH_FN void commit(Team team, const Item* x, State s, M move) const {
        parts(s, [&](int, const auto& part, auto kept) { part_commit(part, team, x, kept, move); });
    }
};
