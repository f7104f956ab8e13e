struct StrengthAndDensity : StrengthAndDensityData {
    template <class Population> MH_FN void place(const Walk& walk, Population& population, i64 count) const {
        const Team team = walk.team;
        const auto sums = population.scores;  // of strengths; -2: a copy; -3 - t: the t-th that left the front
        const auto strengths = population.near, places = population.near;
        const auto densities = population.densities;
        const auto cost = [&](i64 i) { return population.cost(i); };
        mark_copies(walk, population, count, sums);
        const ObjectiveRanges ranges = ranges_of(cost, count);
        const auto square = [&](i64 i, i64 j) { return ranges.square(cost(i), cost(j)); };
        team.for_each(count, [&](i64 i) {
            strengths(i) = 0;  // of a copy, too
            for (i64 j = 0; j < count && sums(i) != -2; ++j)
                strengths(i) += sums(j) != -2 && dominates(cost(i), cost(j));
        });
        const i64 left = team.sum(count, [&](i64 i) { return i64(sums(i) != -2); });
        i64 nearest = 0;
        while ((nearest + 1) * (nearest + 1) <= count) ++nearest;
        nearest = nearest < left - 1 ? nearest : left - 1;
        team.sync();
        team.for_each(count, [&](i64 i) {
            const auto other = [&](i64 j) { return j != i && sums(j) != -2; };
            densities(i) = 0;
            if (sums(i) == -2) return;
            for (i64 passed = 0; passed < nearest;) {
                const Distance level = next_distance(square, other, count, i, passed ? double(densities(i)) : -1.0);
                densities(i) = level.square;
                passed += level.count;
            }
        });
        team.sync();
        team.for_each(count, [&](i64 i) {
            if (sums(i) == -2) return;
            i64 sum = 0;
            for (i64 j = 0; j < count; ++j) sum += dominates(cost(j), cost(i)) ? i64(strengths(j)) : 0;
            sums(i) = sum;
        });
        team.sync();
        truncate(team, population, square, count);
        team.for_each(count, [&](i64 i) {
            i64 before = 0;
            for (i64 j = 0; j < count; ++j) {
                const i64 own = turn(sums(i)), other = turn(sums(j));
                const bool level = other == own;
                before += other < own || (level && densities(j) > densities(i)) ||
                          (level && densities(j) == densities(i) && j < i);
            }
            places(i) = before;
        });
        team.sync();
    }

    // first the front, then those that left it, the last one first, then the others by their sums, then copies
    MH_FN static i64 turn(i64 sum) { return sum == 0 ? -Never<i64>::value : sum == -2 ? Never<i64>::value : sum; }

    // the front's solutions leave, until there are as many as members
    template <class Population, class Square>
    MH_FN void truncate(Team team, Population& population, const Square& square, i64 count) const {
        const auto sums = population.scores;
        const auto nearest = population.nearest;
        const auto stays = [&](i64 j) { return sums(j) == 0; };
        i64 staying = team.sum(count, [&](i64 i) { return i64(stays(i)); }), leaving = 0;
        if (staying <= population.size) return;
        team.for_each(count,
                      [&](i64 i) { nearest(i) = stays(i) ? next_distance(square, stays, count, i, -1.0).square : 0; });
        for (; staying > population.size; --staying, ++leaving) {
            team.sync();
            i64 worst = -1;
            for (i64 i = 0; i < count; ++i) {
                if (!stays(i) || (worst >= 0 && nearest(i) > nearest(worst))) continue;
                if (worst < 0 || nearest(i) < nearest(worst) || !nearer(square, stays, count, worst, i)) worst = i;
            }
            team.sync();
            if (team.rank == 0) sums(worst) = -3 - leaving;
            team.sync();
            team.for_each(count, [&](i64 i) {
                if (stays(i) && square(i, worst) == nearest(i))
                    nearest(i) = next_distance(square, stays, count, i, -1.0).square;
            });
        }
        team.sync();
    }
};
