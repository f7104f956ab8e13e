struct RankAndHypervolume : RankAndHypervolumeData {
    static constexpr int K = ObjectiveRanges::objectives;

    template <class Population> MH_FN void place(const Walk& walk, Population& population, i64 count) const {
        const Team team = walk.team;
        const auto ranks = population.scores, places = population.near;
        const auto measures = population.measures;
        const auto cost = [&](i64 i) { return population.cost(i); };
        mark_copies(walk, population, count, ranks);
        const i64 fronts = rank_fronts(team, count, cost, ranks, places);
        if constexpr (K == 2)
            team.for_each(count,
                          [&](i64 i) { measures(i) = ranks(i) == count ? 0 : area_alone(cost, count, i, ranks); });
        else measure(team, population, count, fronts);
        team.sync();
        team.for_each(count, [&](i64 i) {
            i64 before = 0;
            for (i64 j = 0; j < count; ++j) {
                const bool level = ranks(j) == ranks(i);
                before += ranks(j) < ranks(i) || (level && measures(j) > measures(i)) ||
                          (level && measures(j) == measures(i) && j < i);
            }
            places(i) = before;
        });
        team.sync();
    }

    // the measures of three or four objectives, front by front
    template <class Population> MH_FN static void measure(Team team, Population& population, i64 count, i64 fronts) {
        const auto ranks = population.scores, by_rank = population.by_rank;
        const auto measures = population.measures, orders = population.orders;
        team.for_each(count, [&](i64 i) {
            i64 before = 0;
            for (i64 j = 0; j < count; ++j) before += ranks(j) < ranks(i) || (ranks(j) == ranks(i) && j < i);
            by_rank(before) = i;
            measures(i) = 0;
        });
        team.sync();
        const auto sorted = [&](i64 r) -> double& { return orders(r); };
        for (i64 front = 0, begin = 0; front < fronts; ++front) {
            const auto cost = [&](i64 r) { return population.cost(by_rank(begin + r)); };
            i64 size = 0;
            while (begin + size < count && ranks(by_rank(begin + size)) == front) ++size;
            Alone<K, decltype(cost), decltype(sorted)> members{cost, size, sorted, {}};
            i64 first[K];
            members.measure(first);
            members.sort(team);
            team.for_each(size, [&](i64 r) { measures(by_rank(begin + r)) = members.alone_or_end(r, first); });
            team.sync();
            begin += size;
        }
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
