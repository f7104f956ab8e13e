// load(k) = the weight in knapsack k, and load(0) of the items left out, which limits(0) does not limit; value(0) = the
// profit, value(1) = the violation.
struct MultipleKnapsack : MultipleKnapsackData {
    template <class T> MH_FN T excess(int k, T load) const {
        const T over = load - T(limits(k));
        return over > 0 ? over : 0;
    }

    MH_FN Total cost(Team team, const Item* x) const {
        Total violation = 0;
        for (int k = 1; k <= knapsacks; ++k)
            violation += excess(k, team.sum(n, [&](int i) { return x[i] == k ? Total(weights(i)) : Total(0); }));
        const Total profit = team.sum(n, [&](int i) { return x[i] ? Total(profits(i)) : Total(0); });
        return violation ? violation : -profit;
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        Cost violation = 0;
        for (int k = 0; k <= knapsacks; ++k) {
            const Cost load = team.sum(n, [&](int i) { return x[i] == k ? Cost(weights(i)) : Cost(0); });
            violation += excess(k, load);
            if (team.rank == 0) s.load(k) = load;
        }
        const Cost profit = team.sum(n, [&](int i) { return x[i] ? Cost(profits(i)) : Cost(0); });
        if (team.rank == 0) {
            s.value(0) = profit;
            s.value(1) = violation;
        }
        team.sync();
    }

    // what an item that goes from one knapsack to another adds to the violation, and to the profit
    MH_FN Cost violation(State s, int item, int from, int to) const {
        const Cost weight = weights(item), before = s.load(from), after = s.load(to);
        return excess(from, before - weight) - excess(from, before) + excess(to, after + weight) - excess(to, after);
    }
    MH_FN Cost profit(int item, int from, int to) const { return ((to > 0) - (from > 0)) * Cost(profits(item)); }

    MH_FN Cost delta(Team, const Item* x, State s, SubstitutionMove m) const {
        const int from = x[m.at], to = m.value(x, 0);
        const Cost excess = s.value(1) + violation(s, m.at, from, to);
        const Cost before = s.value(1) ? s.value(1) : -s.value(0);
        return (excess ? excess : -s.value(0) - profit(m.at, from, to)) - before;
    }

    MH_FN void commit(Team team, const Item* x, State s, SubstitutionMove m) const {
        if (team.rank) return;
        const int from = m.before(x), to = x[m.at];
        s.value(0) += profit(m.at, from, to);
        s.value(1) += violation(s, m.at, from, to);
        s.load(from) -= Cost(weights(m.at));
        s.load(to) += Cost(weights(m.at));
    }
};
