struct UnivariateModel : UnivariateModelData {
    static constexpr i64 one = i64(1) << 30;  // the weight of a value that is certain

    MH_FN void init(Walk& walk) {
        walk.team.for_each(n, [&](i64 i) {
            for (i64 v = 0; v < values; ++v) weights(i, v) = i32(one / values > 1 ? one / values : 1);
        });
    }

    template <class Make> MH_FN i64 perturb(Walk& walk, Make) {
        const Team team = walk.team;
        team.sync();
        offer(walk);
        draw(team, walk.x, walk.random(restart_stream));
        team.sync();
        walk.cost = cost_of(walk.problem, team, walk.x);
        return 1;
    }

    // the solution is kept if it is one of the best of the generation; after a generation, the weights change
    MH_FN void offer(const Walk& walk) {
        const Team team = walk.team;
        const bool joins = filled < selected;
        i64 place = joins ? i64(filled) : 0;
        if (!joins)
            for (i64 s = 1; s < selected; ++s)
                if (costs(s) > costs(place)) place = s;
        const bool better = joins || walk.cost < costs(place);
        team.sync();
        if (better) {
            copy_solution(team, chosen.at(place), walk.x, n);
            if (team.rank == 0) costs(place) = walk.cost;
        }
        if (joins) filled = filled + 1;
        drawn = drawn + 1;
        team.sync();
        if (drawn < size) return;
        team.for_each(n, [&](i64 i) { learn(i); });
        team.sync();
        filled = 0;
        drawn = 0;
    }

    MH_FN void learn(i64 i) {
        for (i64 v = 0; v < values; ++v) {
            i64 count = 0;
            for (i64 s = 0; s < selected; ++s) count += chosen(s, i) == v;
            const i64 share = count * one / selected, part = rate.numerator, whole = rate.denominator;
            const i64 weight = (weights(i, v) * (whole - part) + share * part) / whole;
            weights(i, v) = i32(weight < least ? least : weight > most ? most : weight);
        }
    }

    // the first value of a position at which the weights of the values so far exceed a number
    template <class Left> MH_FN i64 value_at(i64 i, i64 number, const Left& left) const {
        i64 v = 0;
        for (i64 end = left(v) ? weights(i, v) : 0; end <= number; end += left(v) ? weights(i, v) : 0) ++v;
        return v;
    }
    template <class Left> MH_FN i64 sum(i64 i, const Left& left) const {
        i64 found = 0;
        for (i64 v = 0; v < values; ++v) found += left(v) ? weights(i, v) : 0;
        return found;
    }

    MH_FN void draw(Team team, Item* x, Random random) {
        if constexpr (!permutes) {
            const auto any = [](i64) { return true; };
            team.for_each((i64(n) + 3) / 4, [&](i64 block) {
                const Words words = random.words(u32(block));
                for (i64 k = 4 * block, w = 0; w < 4 && k < n; ++k, ++w)
                    x[k] = Item(value_at(k, i64(u64(words.word[w]) * u64(sum(k, any)) >> 32), any));
            });
        } else {
            draw_permutation(team, order.data, n, random);
            team.for_each(n, [&](i64 item) { used(item) = 0; });
            team.sync();
            const auto left = [&](i64 item) { return !used(item); };
            for (i64 k = 0; k < n && team.rank == 0; ++k) {
                const i64 position = order(k);
                const i64 item = value_at(position, random.index(u32(n + k), sum(position, left)), left);
                x[position] = Item(item);
                used(item) = 1;
            }
        }
    }
};
