struct RankAndReferencePoints : RankAndReferencePointsData {
    template <class Population> MH_FN void place(const Walk& walk, Population& population, i64 count) const {
        const Team team = walk.team;
        const auto ranks = population.scores, places = population.near;
        const auto cost = [&](i64 i) { return population.cost(i); };
        mark_copies(walk, population, count, ranks);
        rank_fronts(team, count, cost, ranks, places);
        const ObjectiveRanges ranges = ranges_of(cost, count, [&](i64 i) { return ranks(i) == 0; });
        team.for_each(count, [&](i64 i) {
            associate(population, ranges, cost(i), i);
            places(i) = -1;
        });
        team.for_each(points.rows, [&](i64 r) { population.taken(r) = 0; });
        team.sync();
        if (team.rank == 0)
            for (i64 taken = 0; taken < count; ++taken) {
                const i64 best = next(population, count);
                places(best) = taken;
                if (ranks(best) < count) ++population.taken(population.nearest(best));
            }
        team.sync();
    }

    // the nearest reference point, and the square of its distance
    template <class Population>
    MH_FN void associate(Population& population, const ObjectiveRanges& ranges, const Total& cost, i64 i) const {
        double least = 0;
        i64 nearest = -1;
        for (i64 r = 0; r < points.rows; ++r) {
            double along = 0, length = 0, norm = 0;
            for (int k = 0; k < ObjectiveRanges::objectives; ++k) {
                const double value = ranges.scaled(cost, k), point = double(points(r, k));
                along += value * point;
                length += value * value;
                norm += point * point;
            }
            const double square = length - along * along / norm;
            if (nearest >= 0 && !(square < least)) continue;
            nearest = r;
            least = square;
        }
        population.nearest(i) = nearest;
        population.distances(i) = least;
    }

    // of the lowest rank that is left, the solution at the point of which the fewest were taken
    template <class Population> MH_FN static i64 next(const Population& population, i64 count) {
        i64 best = -1;
        for (i64 i = 0; i < count; ++i)
            if (population.near(i) < 0 && (best < 0 || before(population, count, i, best))) best = i;
        return best;
    }

    template <class Population> MH_FN static bool before(const Population& population, i64 count, i64 i, i64 j) {
        if (population.scores(i) != population.scores(j)) return population.scores(i) < population.scores(j);
        if (population.scores(i) == count) return false;
        const i64 a = population.nearest(i), b = population.nearest(j);
        if (population.taken(a) != population.taken(b)) return population.taken(a) < population.taken(b);
        return a != b ? a < b : population.distances(i) < population.distances(j);
    }
};
