// load(a) = what the jobs of agent a take of its capacity
struct GeneralizedAssignment : GeneralizedAssignmentData {
    template <class T> MH_FN T excess(int agent, T load) const {
        const T over = load - T(capacities(agent));
        return over > 0 ? over : 0;
    }

    MH_FN Total cost(Team team, const Item* x) const {
        Total violation = 0;
        for (int a = 0; a < agents; ++a)
            violation += excess(a, team.sum(n, [&](int j) { return x[j] == a ? Total(resources(a, j)) : Total(0); }));
        return team.sum(n, [&](int j) { return Total(costs_of(x[j], j)); }) + Total(weight(0)) * violation;
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        for (int a = 0; a < agents; ++a) {
            const Cost load = team.sum(n, [&](int j) { return x[j] == a ? Cost(resources(a, j)) : Cost(0); });
            if (team.rank == 0) s.load(a) = load;
        }
        team.sync();
    }

    // what agent `from` gives up and agent `to` takes: a job, and perhaps another one the other way
    MH_FN Cost change(State s, int from, int to, int job, int back) const {
        const Cost before = s.load(from), after = s.load(to);
        const Cost less = Cost(resources(from, job)) - (back < 0 ? 0 : Cost(resources(from, back)));
        const Cost more = Cost(resources(to, job)) - (back < 0 ? 0 : Cost(resources(to, back)));
        const Cost violation =
            excess(from, before - less) - excess(from, before) + excess(to, after + more) - excess(to, after);
        const Cost costs = Cost(costs_of(to, job)) - Cost(costs_of(from, job));
        return costs + (back < 0 ? 0 : Cost(costs_of(from, back)) - Cost(costs_of(to, back))) +
               Cost(weight(0)) * violation;
    }

    MH_FN Cost delta(Team, const Item* x, State s, SubstitutionMove m) const {
        return change(s, x[m.at], m.value(x, 0), m.at, -1);
    }
    MH_FN Cost delta(Team, const Item* x, State s, SwapMove m) const {
        return x[m.i] == x[m.j] ? 0 : change(s, x[m.i], x[m.j], m.i, m.j);
    }

    // x is the solution after the move
    MH_FN void carry(State s, int from, int to, int job) const {
        s.load(from) -= Cost(resources(from, job));
        s.load(to) += Cost(resources(to, job));
    }
    MH_FN void commit(Team team, const Item* x, State s, SubstitutionMove m) const {
        if (team.rank == 0) carry(s, m.before(x), x[m.at], m.at);
    }
    MH_FN void commit(Team team, const Item* x, State s, SwapMove m) const {
        if (team.rank) return;
        carry(s, x[m.j], x[m.i], m.i);
        carry(s, x[m.i], x[m.j], m.j);
    }
};
