struct Breeding : BreedingData {
    typedef decltype(BreedingData::crossover) Recombined;
    typedef decltype(BreedingData::mutation) Mutation;

    MH_FN void record(Team team, Total delta, bool accepted, bool returned) {
        if constexpr (!mixes_mutations) record_phase(mutation, team, delta, accepted, returned);
    }

    template <class Make> MH_FN i64 perturb(Walk& walk, Make) {
        const Team team = walk.team;
        team.sync();
        offer(walk);
        if (filled < size) {
            walk.space.draw(team, walk.x, walk.random(restart_stream));
            walk.cost = cost_of(walk.problem, team, walk.x);
            return 1;
        }
        if (!replacement.family || born == 0) select(walk);
        const i64 first = parents(0), second = parents(1);
        copy_solution(team, walk.x, solutions.at(first), n);
        team.sync();
        if constexpr (Recombined::copies) {
            walk.cost = total_at(costs, first);
            return mutate(walk);
        } else {
            crossover.cross(team, walk.x, solutions.at(second), walk.random(recombination_stream));
            team.sync();
            if constexpr (Mutation::blind) {
                mutation.perturb(walk, WithoutCosts{});
                team.sync();
            }
            walk.cost = cost_of(walk.problem, team, walk.x);
            if constexpr (Mutation::blind) return 1;
            else return 1 + mutate(walk);
        }
    }

    // selects two parents
    template <class W> MH_FN void select(W& walk) {
        const Team team = walk.team;
        const Random random = walk.random(selection_stream);
        const auto fitness = fitness_by(replacement, *this);
        const i64 first = selection.parent(team, fitness, size, random, 0);
        const i64 second = selection.parent(team, fitness, size, random, 1);
        if (team.rank == 0) {
            parents(0) = first;
            parents(1) = second != first ? second : first + 1 < size ? first + 1 : 0;
        }
        team.sync();
    }

    // the mutation's moves, each of which finds the arrays beside the solution up to date
    MH_FN i64 mutate(Walk& walk) {
        if constexpr (!mutates) return 0;
        walk.team.sync();
        prepare_problem(walk.problem, walk.team, walk.x, walk.state);
        walk.team.sync();
        return mutation.perturb(walk, [&](const auto& neighborhood, auto m, Cost delta) {
            walk.team.sync();
            walk.make_move(neighborhood, m, delta);
            prepare_neighborhood(neighborhood, walk.team, walk.x);
            walk.team.sync();
        });
    }

    // what parents are selected by
    template <class R, class P> MH_FN static auto fitness_by(const R& replacement, const P& population) {
        if constexpr (HasFitness<R, P>::value) return replacement.fitness(population);
        else if constexpr (HasPlace<R, P>::value) return population.places;
        else return population.costs;
    }
    template <class R, class P> MH_FN static void rate_by(const R& replacement, Walk& walk, P& population) {
        if constexpr (HasPlace<R, P>::value) survive(replacement, walk, population, population.size);
        else if constexpr (HasFitness<R, P>::value) replacement.rate(walk, population);
        walk.team.sync();
    }
    template <class R, class P> MH_FN static void replace_by(const R& replacement, Walk& walk, P& population) {
        if constexpr (HasPlace<R, P>::value)
            survive(replacement, walk, population, population.size + population.litter);
        else replacement.replace(walk, population);
        walk.team.sync();
    }

    // the `size` solutions with the lowest places become the members: members keep theirs, children fill the others
    template <class R, class P> MH_FN static void survive(const R& replacement, Walk& walk, P& population, i64 count) {
        const i64 size = population.size;
        replacement.place(walk, population, count);
        walk.team.sync();
        i64 child = size;
        for (i64 s = 0; s < size; ++s) {
            i64 from = s;
            if (population.near(s) >= size) {
                while (child < count && population.near(child) >= size) ++child;
                from = child++;
                population.take(walk, s, from - size);
            }
            if (walk.team.rank != 0) continue;
            population.places(s) = population.near(from);
            if constexpr (HasKeep<R, P>::value) replacement.keep(population, s, from);
        }
    }

    // the solution joins the members while there is room, then the children
    MH_FN void offer(Walk& walk) {
        const bool joins = filled < size;
        const i64 place = joins ? i64(filled) : i64(born);
        if (!joins) learn(walk);
        copy_solution(walk.team, joins ? solutions.at(place) : children.at(place), walk.x, n);
        if (walk.team.rank == 0) put_total(joins ? costs : child_costs, place, walk.cost);
        walk.team.sync();
        if (joins) {
            filled = filled + 1;
            if (filled == size) rate_by(replacement, walk, *this);
            return;
        }
        born = born + 1;
        if (born < litter) return;
        replace_by(replacement, walk, *this);
        born = 0;
    }

    // tells mixtures the result of the child that the walk is at
    template <class W> MH_FN void learn(W& walk) {
        if constexpr (mixes || mixes_mutations) {
            const auto own = walk.cost;
            int below = 0, result = 0;
            for (int k = 0; k < 2; ++k) {
                below += own < cost(parents(k));
                if (own <= cost(parents(k))) result = 1;
            }
            if (below == 2) {
                result = 3;
                for (i64 s = 0; s < size; ++s)
                    if (own >= cost(s)) result = 2;
            }
            told<mixes>(crossover, walk.team, result);
            told<mixes_mutations>(mutation, walk.team, result);
        }
    }
    template <bool learns, class P> MH_FN static void told(P& part, Team team, int result) {
        if constexpr (learns) part.learn(team, result);
    }

    // ---- for replacements ----

    // the cost and the solution of a member, or, from `size` on, of a child
    MH_FN Total cost(i64 i) const { return i < size ? total_at(costs, i) : total_at(child_costs, i - size); }
    MH_FN const Item* solution(i64 i) const { return i < size ? solutions.at(i) : children.at(i - size); }

    // whether a child is equal to a member
    MH_FN bool has(const Walk& walk, i64 c) const {
        for (i64 s = 0; s < size; ++s)
            if (total_at(costs, s) == total_at(child_costs, c) && same(walk, solutions.at(s), children.at(c)))
                return true;
        return false;
    }

    // child c takes the place of member s
    MH_FN void take(const Walk& walk, i64 s, i64 c) {
        walk.team.sync();
        copy_solution(walk.team, solutions.at(s), children.at(c), n);
        if (walk.team.rank == 0) put_total(costs, s, total_at(child_costs, c));
        walk.team.sync();
    }

    // note(s, rank) for each s < count: how many values are lower, or equal with a lower index
    template <class Value, class Note> MH_FN static void rank(Team team, i64 count, Value value, Note note) {
        team.sync();
        team.for_each(count, [&](i64 s) {
            const auto own = value(s);
            i64 rank = 0;
            for (i64 t = 0; t < count; ++t) rank += value(t) < own || (value(t) == own && t < s);
            note(s, rank);
        });
        team.sync();
    }
};
