struct GenerationGap : GenerationGapData {
    template <class Population> MH_FN void replace(Walk& walk, Population& population) const {
        const Random random = walk.random(selection_stream);
        i64 members[2] = {population.parents(0), population.parents(1)}, second = 1;
        if constexpr (minimal) {
            i64 left = random.index(2u << 16, (count + 1) * (count + 2) / 2);
            for (; left >= count + 2 - second; ++second) left -= count + 2 - second;
        } else {
            members[0] = random.index(2u << 16, population.size);
            members[1] = random.index((2u << 16) + 1, population.size - 1);
            members[1] += members[1] >= members[0];
        }
        const auto cost = [&](i64 i) { return population.cost(i < count ? population.size + i : members[i - count]); };
        population.rank(walk.team, count + 2, cost, [&](i64 i, i64 rank) { population.scores(i) = rank; });
        i64 staying[2] = {0, 0};
        for (i64 i = 0; i < count + 2; ++i) {
            if (population.scores(i) == 0) staying[0] = i;
            if (population.scores(i) == second) staying[1] = i;
        }
        for (int k = 0, next = 0; k < 2; ++k) {
            if (staying[0] == count + k || staying[1] == count + k) continue;
            while (staying[next] >= count) ++next;
            population.take(walk, members[k], staying[next++]);
        }
    }
};
