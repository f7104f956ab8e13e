struct EpsilonIndicator : EpsilonIndicatorData {
    // The ranges of the objectives, and the divisor of exponents.
    struct Scale {
        ObjectiveRanges ranges;
        double divisor;

        MH_FN double epsilon(const Total& y, const Total& x) const {
            double most = 0;
            for (int k = 0; k < ObjectiveRanges::objectives; ++k) {
                const double more = ranges.scaled(y, k) - ranges.scaled(x, k);
                most = k == 0 || more > most ? more : most;
            }
            return most;
        }
        MH_FN double term(const Total& y, const Total& x) const { return power(epsilon(y, x) / divisor); }
    };

    // e to the power of x; `exponentials` in Python
    MH_FN static double power(double x) {
        const double y = x / 1024.0;
        double found = 1.0 + y * (1.0 + y * (0.5 + y * (1.0 / 6.0 + y * (1.0 / 24.0))));
        for (int k = 0; k < 10; ++k) found = found * found;
        return found;
    }

    template <class Population> MH_FN void place(const Walk& walk, Population& population, i64 count) const {
        const Team team = walk.team;
        const auto left = population.scores, places = population.near;  // left(i) = -1: i has not left; -2: a copy
        const auto losses = population.losses;
        const auto cost = [&](i64 i) { return population.cost(i); };
        mark_copies(walk, population, count, left);
        const Scale scale = scale_of(team, cost, count, losses);
        team.for_each(count, [&](i64 i) {
            double loss = 0;
            for (i64 j = 0; j < count; ++j)
                if (j != i && left(j) == -1) loss += scale.term(cost(j), cost(i));
            losses(i) = loss;
        });
        i64 staying = team.sum(count, [&](i64 i) { return i64(left(i) == -1); }), leaving = 0;
        for (; staying > population.size; --staying, ++leaving) {
            team.sync();
            i64 worst = -1;
            for (i64 i = 0; i < count; ++i)
                if (left(i) == -1 && (worst < 0 || losses(i) >= losses(worst))) worst = i;
            team.sync();
            if (team.rank == 0) left(worst) = leaving;
            team.for_each(count, [&](i64 i) {
                if (i != worst) losses(i) -= scale.term(cost(worst), cost(i));
            });
        }
        team.sync();
        team.for_each(count, [&](i64 i) {
            i64 before = left(i) == -1 ? 0 : left(i) == -2 ? staying + leaving : staying + leaving - 1 - left(i);
            for (i64 j = 0; j < count; ++j) {
                if (left(j) != left(i)) continue;
                before += (left(i) == -2 && j < i) ||
                          (left(i) == -1 && (losses(j) < losses(i) || (losses(j) == losses(i) && j < i)));
            }
            places(i) = before;
        });
        team.sync();
    }

    // by means of `work`, a number for each solution
    template <class Costs, class Work>
    MH_FN Scale scale_of(Team team, const Costs& cost, i64 count, const Work& work) const {
        Scale scale{ranges_of(cost, count), 0};
        team.for_each(count, [&](i64 i) {
            double most = 0;
            for (i64 j = 0; j < count; ++j) {
                const double epsilon = scale.epsilon(cost(i), cost(j));
                const double size = epsilon < 0 ? -epsilon : epsilon;
                most = size > most ? size : most;
            }
            work(i) = most;
        });
        team.sync();
        double most = 0;
        for (i64 i = 0; i < count; ++i) most = work(i) > most ? work(i) : most;
        team.sync();
        scale.divisor = -(scaling * (most > 0 ? most : 1.0));
        return scale;
    }
};
