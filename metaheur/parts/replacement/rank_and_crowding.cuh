struct RankAndCrowding : RankAndCrowdingData {
    // what parents are compared by
    struct Standing {
        Total cost;
        double crowding;
        i64 place;
        bool by_dominance;

        MH_FN bool operator<(const Standing& other) const {
            if (!by_dominance) return place < other.place;
            return dominates(cost, other.cost) || (!dominates(other.cost, cost) && crowding > other.crowding);
        }
        MH_FN bool operator==(const Standing& other) const { return !(*this < other) && !(other < *this); }
    };

    template <class Population> MH_FN auto fitness(const Population& population) const {
        return [this, &population](i64 s) {
            return Standing{population.cost(s), population.crowding(s), population.places(s), by_dominance};
        };
    }

    // what a member that survives, the i-th of members and children, keeps at its place
    template <class Population> MH_FN void keep(Population& population, i64 s, i64 i) const {
        population.crowding(s) = population.distances(i);
    }

    template <class Population> MH_FN void place(const Walk& walk, Population& population, i64 count) const {
        const Team team = walk.team;
        const auto ranks = population.scores, places = population.near;
        const auto distances = population.distances;
        const auto cost = [&](i64 i) { return population.cost(i); };
        mark_copies(walk, population, duplicates ? 0 : count, ranks);
        if (duplicates) team.for_each(count, [&](i64 i) { ranks(i) = -1; });
        team.sync();
        rank_fronts(team, count, cost, ranks, places);
        team.for_each(count, [&](i64 i) {
            const i64 own = ranks(i);
            distances(i) = own == count ? 0 : crowding_distance(cost, count, i, [&](i64 j) { return ranks(j) == own; });
        });
        team.sync();
        team.for_each(count, [&](i64 i) {
            i64 before = 0;
            for (i64 j = 0; j < count; ++j) {
                const bool level = ranks(j) == ranks(i);
                before += ranks(j) < ranks(i) || (level && distances(j) > distances(i)) ||
                          (level && distances(j) == distances(i) && j < i);
            }
            places(i) = before;
        });
        team.sync();
    }
};
