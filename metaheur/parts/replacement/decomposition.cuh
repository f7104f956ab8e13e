struct Decomposition : DecompositionData {
    static constexpr int objectives = int(sizeof(Total) / sizeof(Number));

    template <class Population> MH_FN auto fitness(const Population&) const {
        return [](i64) { return 0.0; };
    }

    template <class Population> MH_FN void rate(Walk& walk, Population& population) const {
        Total ideal = population.cost(0);
        for (i64 s = 1; s < population.size; ++s) lower(ideal, population.cost(s));
        keep(walk, population, ideal);
    }

    template <class Population> MH_FN void replace(Walk& walk, Population& population) const {
        const Total child = population.cost(population.size);
        Total ideal = total_at(population.ideal, 0);
        lower(ideal, child);
        double spread[objectives];
        for (int k = 0; k < objectives; ++k) {
            Number high = population.cost(0)[k];
            for (i64 s = 1; s < population.size; ++s) {
                const Number value = population.cost(s)[k];
                high = value > high ? value : high;
            }
            spread[k] = double(high) - double(ideal[k]);
            if (!(spread[k] > 0)) spread[k] = 1.0;
        }
        const auto value = [&](const Total& cost, i64 s) {
            double largest = 0;
            for (int k = 0; k < objectives; ++k) {
                const double weight = weights(s, k) > 1e-6 ? double(weights(s, k)) : 1e-6;
                const double term = weight * ((double(cost[k]) - double(ideal[k])) / spread[k]);
                largest = term > largest ? term : largest;
            }
            return largest;
        };
        const i64 first = population.parents(0);
        keep(walk, population, ideal);
        i64 replaced = 0;
        for (i64 t = 0; t < neighbors.columns && replaced < most; ++t) {
            const i64 s = neighbors(first, t);
            if (value(child, s) > value(population.cost(s), s)) continue;
            population.take(walk, s, 0);
            ++replaced;
        }
    }

    MH_FN static void lower(Total& ideal, const Total& cost) {
        for (int k = 0; k < objectives; ++k) ideal[k] = cost[k] < ideal[k] ? cost[k] : ideal[k];
    }

    template <class Population> MH_FN static void keep(Walk& walk, Population& population, const Total& ideal) {
        walk.team.sync();
        if (walk.team.rank == 0) put_total(population.ideal, 0, ideal);
        walk.team.sync();
    }
};
