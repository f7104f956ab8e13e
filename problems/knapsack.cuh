// load(r) = the weight taken of constraint r; value(0) = the profit, value(1) = the cost.
struct Knapsack : KnapsackData {
    MH_FN Total cost(Team team, const Item* x) const {
        Total violation = 0;
        for (int r = 0; r < constraints; ++r) {
            auto row = weights.row(r);
            Total excess = team.sum(n, [&](int k) { return x[k] ? Total(row[k]) : Total(0); }) - capacities(r);
            violation += excess > 0 ? excess : 0;
        }
        Total profit = team.sum(n, [&](int k) { return x[k] ? Total(profits(k)) : Total(0); });
        return violation ? violation : -profit;
    }

    // the cost that the kept loads and profit amount to
    MH_FN Cost weigh(State s) const {
        Cost violation = 0;
        for (int r = 0; r < constraints; ++r) {
            Cost excess = s.load(r) - Cost(capacities(r));
            violation += excess > 0 ? excess : 0;
        }
        return violation ? violation : -s.value(0);
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        for (int r = 0; r < constraints; ++r) {
            auto row = weights.row(r);
            Cost load = team.sum(n, [&](int k) { return x[k] ? Cost(row[k]) : Cost(0); });
            if (team.rank == 0) s.load(r) = load;
        }
        Cost profit = team.sum(n, [&](int k) { return x[k] ? Cost(profits(k)) : Cost(0); });
        if (team.rank == 0) {
            s.value(0) = profit;
            s.value(1) = weigh(s);
        }
        team.sync();
    }

    template <int flips> MH_FN Cost delta(Team, const Item* x, State s, FlipMove<flips> m) const {
        Cost profit = s.value(0), violation = 0, rise[flips];
        for (int c = 0; c < flips; ++c) {
            rise[c] = 1 - 2 * Cost(x[m.at[c]]);
            profit += rise[c] * Cost(profits(m.at[c]));
        }
        for (int r = 0; r < constraints; ++r) {
            Cost excess = s.load(r) - Cost(capacities(r));
            for (int c = 0; c < flips; ++c) excess += rise[c] * Cost(weights(r, m.at[c]));
            violation += excess > 0 ? excess : 0;
        }
        return (violation ? violation : -profit) - s.value(1);
    }

    template <int flips> MH_FN void commit(Team team, const Item* x, State s, FlipMove<flips> m) const {
        team.for_each(constraints, [=](i64 r) {
            for (int c = 0; c < flips; ++c) s.load(r) += (2 * Cost(x[m.at[c]]) - 1) * Cost(weights(r, m.at[c]));
        });
        team.sync();
        if (team.rank == 0) {
            for (int c = 0; c < flips; ++c) s.value(0) += (2 * Cost(x[m.at[c]]) - 1) * Cost(profits(m.at[c]));
            s.value(1) = weigh(s);
        }
    }
};
