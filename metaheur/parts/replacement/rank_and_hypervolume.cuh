struct RankAndHypervolume : RankAndHypervolumeData {
    template <class Population> MH_FN void place(const Walk& walk, Population& population, i64 count) const {
        const Team team = walk.team;
        const auto ranks = population.scores, places = population.near;
        const auto areas = population.areas;
        const auto cost = [&](i64 i) { return population.cost(i); };
        mark_copies(walk, population, count, ranks);
        rank_fronts(team, count, cost, ranks, places);
        team.for_each(count, [&](i64 i) { areas(i) = ranks(i) == count ? 0 : area_alone(cost, count, i, ranks); });
        team.sync();
        team.for_each(count, [&](i64 i) {
            i64 before = 0;
            for (i64 j = 0; j < count; ++j) {
                const bool level = ranks(j) == ranks(i);
                before +=
                    ranks(j) < ranks(i) || (level && areas(j) > areas(i)) || (level && areas(j) == areas(i) && j < i);
            }
            places(i) = before;
        });
        team.sync();
    }

    // the area that a cost dominates alone, among those of its rank; infinite at both ends
    template <class Costs, class Ranks>
    static MH_FN double area_alone(const Costs& cost, i64 count, i64 i, const Ranks& ranks) {
        double sides[2] = {Never<double>::value, Never<double>::value};
        for (i64 j = 0; j < count; ++j) {
            if (j == i || ranks(j) != ranks(i)) continue;
            for (int k = 0; k < 2; ++k) {
                const double beyond = double(cost(j)[k]) - double(cost(i)[k]);
                if (beyond >= 0 && beyond < sides[k]) sides[k] = beyond;
            }
        }
        if (sides[0] == 0 || sides[1] == 0) return 0;
        if (sides[0] == Never<double>::value || sides[1] == Never<double>::value) return Never<double>::value;
        return sides[0] * sides[1];
    }
};
