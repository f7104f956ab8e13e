struct RankAndSharing : RankAndSharingData {
    template <class Population> MH_FN void place(const Walk& walk, Population& population, i64 count) const {
        const Team team = walk.team;
        const auto ranks = population.scores, places = population.near;
        const auto niches = population.niches;
        const auto cost = [&](i64 i) { return population.cost(i); };
        mark_copies(walk, population, count, ranks);
        rank_fronts(team, count, cost, ranks, places);
        const ObjectiveRanges ranges = ranges_of(cost, count);
        team.for_each(count, [&](i64 i) {
            double niche = 0;
            for (i64 j = 0; j < count; ++j) {
                if (ranks(i) == count || ranks(j) != ranks(i)) continue;
                const double distance = sqrt(ranges.square(cost(i), cost(j)));
                if (distance < radius) niche += 1.0 - distance / radius;
            }
            niches(i) = niche;
        });
        team.sync();
        team.for_each(count, [&](i64 i) {
            i64 before = 0;
            for (i64 j = 0; j < count; ++j) {
                const bool level = ranks(j) == ranks(i);
                before += ranks(j) < ranks(i) || (level && niches(j) < niches(i)) ||
                          (level && niches(j) == niches(i) && j < i);
            }
            places(i) = before;
        });
        team.sync();
    }
};
