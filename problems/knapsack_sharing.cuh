// profit(g) = the profit of group g; value(0) = the weight, value(1) = the cost.
struct KnapsackSharing : KnapsackSharingData {
    // the cost of a weight and of profits by group
    template <class T, class P> MH_FN T weigh(T weight, P profit_of) const {
        if (weight > T(capacity)) return weight - T(capacity);
        T least = profit_of(0);
        for (int g = 1; g < sharers; ++g) {
            const T profit = profit_of(g);
            least = profit < least ? profit : least;
        }
        return -least;
    }

    template <class T> MH_FN T weight_of(Team team, const Item* x) const {
        return team.sum(n, [&](int k) { return x[k] ? T(weights(k)) : T(0); });
    }
    template <class T> MH_FN T profit_of(Team team, const Item* x, int g) const {
        return team.sum(n, [&](int k) { return x[k] && groups(k) == g ? T(profits(k)) : T(0); });
    }

    MH_FN Total cost(Team team, const Item* x) const {
        return weigh(weight_of<Total>(team, x), [&](int g) { return profit_of<Total>(team, x, g); });
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        for (int g = 0; g < sharers; ++g) {
            const Cost profit = profit_of<Cost>(team, x, g);
            if (team.rank == 0) s.profit(g) = profit;
        }
        const Cost weight = weight_of<Cost>(team, x);
        if (team.rank == 0) {
            s.value(0) = weight;
            s.value(1) = weigh(weight, [&](int g) { return s.profit(g); });
        }
        team.sync();
    }

    template <int flips> MH_FN Cost delta(Team, const Item* x, State s, FlipMove<flips> m) const {
        Cost weight = s.value(0), rise[flips];
        int group[flips];
        for (int c = 0; c < flips; ++c) {
            const Cost sign = 1 - 2 * Cost(x[m.at[c]]);
            weight += sign * Cost(weights(m.at[c]));
            rise[c] = sign * Cost(profits(m.at[c]));
            group[c] = groups(m.at[c]);
        }
        const auto profit = [&](int g) {
            Cost profit = s.profit(g);
            for (int c = 0; c < flips; ++c) profit += group[c] == g ? rise[c] : Cost(0);
            return profit;
        };
        return weigh(weight, profit) - s.value(1);
    }

    template <int flips> MH_FN void commit(Team team, const Item* x, State s, FlipMove<flips> m) const {
        if (team.rank) return;
        for (int c = 0; c < flips; ++c) {
            const Cost sign = 2 * Cost(x[m.at[c]]) - 1;
            s.value(0) += sign * Cost(weights(m.at[c]));
            s.profit(groups(m.at[c])) += sign * Cost(profits(m.at[c]));
        }
        s.value(1) = weigh(s.value(0), [&](int g) { return s.profit(g); });
    }
};
