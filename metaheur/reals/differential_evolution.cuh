// A population whose members meet trials that are made of differences between members.
struct DifferentialEvolution : DifferentialEvolutionData {
    static constexpr bool tabulates = false;
    static constexpr bool leaves_state = true;

    MH_FN void prepare(Walk&) const {}

    MH_FN void init(Walk& walk) {
        now = size;
        if (walk.team.rank == 0) {
            for (int h = 0; h < int(scale_memory.size); ++h) {
                scale_memory(h) = beginning(0);
                rate_memory(h) = beginning(1);
            }
        }
    }

    MH_FN Outcome step(Walk& walk) {
        walk.team.sync();
        take_in(walk);
        if (filled < now) walk.space.draw(walk.team, walk.x, walk.random(restart_stream));
        else make_trial(walk);
        return with_cost(walk);
    }

    // the solution joins the members while there is room, then the trials
    MH_FN void take_in(Walk& walk) {
        if (filled < now) {
            keep_at(walk, solutions, costs, filled, n);
            filled = filled + 1;
            if (filled == now) put_in_order(walk.team, costs, order, now);
            return;
        }
        keep_at(walk, trials, trial_costs, born, n);
        born = born + 1;
        if (born < now) return;
        if constexpr (adapts) learn(walk.team);
        survive(walk);
        put_in_order(walk.team, costs, order, now);
        made = made + now;
        if constexpr (shrinks) shrink(walk);
        born = 0;
    }

    // the memories move towards the scales and the rates of trials that were better
    MH_FN void learn(Team team) {
        double weights = 0.0, scale = 0.0, squared_scale = 0.0, rate = 0.0, squared_rate = 0.0;
        for (i64 s = 0; s < now; ++s) {
            if (!(trial_costs(s) < costs(s))) continue;
            const double weight = remembers ? double(costs(s)) - double(trial_costs(s)) : 1.0;
            const double f = scales(s), c = rates(s);
            weights = weights + weight;
            scale = scale + weight * f;
            squared_scale = squared_scale + weight * (f * f);
            rate = rate + weight * c;
            squared_rate = squared_rate + weight * (c * c);
        }
        team.sync();
        if (!(weights > 0.0)) return;
        if (team.rank == 0) {
            const i64 h = remembered;
            if constexpr (remembers) {
                scale_memory(h) = squared_scale / scale;
                rate_memory(h) = rate_memory(h) < 0.0 || !(rate > 0.0) ? -1.0 : squared_rate / rate;
            } else {
                scale_memory(h) = 0.9 * scale_memory(h) + 0.1 * (squared_scale / scale);
                rate_memory(h) = 0.9 * rate_memory(h) + 0.1 * (rate / weights);
            }
        }
        team.sync();
        remembered = remembered + 1 < scale_memory.size ? remembered + 1 : 0;
    }

    // each trial that is not worse takes the place of its member, which goes into the archive if the trial is better
    MH_FN void survive(Walk& walk) {
        const Team team = walk.team;
        const Random random = walk.random(ties_stream);
        for (i64 s = 0; s < now; ++s) {
            const Total trial = total_at(trial_costs, s), own = total_at(costs, s);
            if (trial > own) continue;
            if constexpr (adapts) {
                if (trial < own) {
                    const bool full = archived >= i64(archive.rows);
                    const i64 place = full ? random.index(u32(s), archive.rows) : i64(archived);
                    copy_solution(team, archive.at(place), solutions.at(s), n);
                    if (!full) archived = archived + 1;
                }
            }
            team.sync();
            copy_solution(team, solutions.at(s), trials.at(s), n);
            if (team.rank == 0) put_total(costs, s, trial);
            team.sync();
        }
    }

    // the best members remain, the fewer the more evaluations are made
    MH_FN void shrink(Walk& walk) {
        const Team team = walk.team;
        const i64 spent = made < evaluations ? i64(made) : i64(evaluations);
        const i64 fewer = i64(size) - ((i64(size) - 4) * spent * 2 + evaluations) / (2 * i64(evaluations));
        if (fewer >= now) return;
        for (i64 r = 0; r < fewer; ++r) {
            copy_solution(team, trials.at(r), solutions.at(order(r)), n);
            if (team.rank == 0) put_total(trial_costs, r, total_at(costs, order(r)));
        }
        team.sync();
        for (i64 r = 0; r < fewer; ++r) {
            copy_solution(team, solutions.at(r), trials.at(r), n);
            if (team.rank == 0) put_total(costs, r, total_at(trial_costs, r));
        }
        team.sync();
        now = fewer;
        filled = fewer;
        put_in_order(team, costs, order, now);
        const Random random = walk.random(ties_stream);
        const i64 most = fewer * 13 / 5 < i64(archive.rows) ? fewer * 13 / 5 : i64(archive.rows);
        for (u32 draw = u32(size); archived > most; ++draw) {
            const i64 place = random.index(draw, archived);
            archived = archived - 1;
            team.sync();
            if (place < archived) copy_solution(team, archive.at(place), archive.at(archived), n);
            team.sync();
        }
    }

    MH_FN const Item* member(i64 s) const { return s < now ? solutions.at(s) : archive.at(s - now); }

    // the trial of the next member, in the walk's solution
    MH_FN void make_trial(Walk& walk) {
        const Team team = walk.team;
        const Random random = walk.random(selection_stream), crossing = walk.random(recombination_stream);
        const i64 own = born, forced = random.index(4, n);
        double scale = beginning(0), rate = beginning(1);
        const Item *base, *guide, *plus, *minus;
        if constexpr (adapts) {
            const i64 h = random.index(0, scale_memory.size);
            rate = drawn_rate(rate_memory(h), random);
            scale = drawn_scale(scale_memory(h), random);
            const i64 elite = i64(floor(greed * double(now) + 0.5));
            i64 one[1] = {own};
            const i64 first = besides(random.index(2, now - 1), one);
            i64 two[2] = {own, first};
            const i64 second = besides(random.index(3, now + archived - 2), two);
            base = solutions.at(own);
            guide = solutions.at(order(random.index(1, elite < 2 ? 2 : elite < now ? elite : i64(now))));
            plus = member(first);
            minus = member(second);
        } else {
            i64 one[1] = {own};
            const i64 first = besides(random.index(1, now - 1), one);
            i64 two[2] = {own, first};
            const i64 second = besides(random.index(2, now - 2), two);
            i64 three[3] = {own, first, second};
            const i64 third = besides(random.index(3, now - 3), three);
            guide = base = solutions.at(first);
            plus = solutions.at(second);
            minus = solutions.at(third);
        }
        const Item* parent = solutions.at(own);
        Item* x = walk.x;
        const auto values = domains;
        team.for_each(n, [=](i64 k) {
            const bool crosses = k == forced || double(crossing.bits(u32(k))) < rate * 4294967296.0;
            const double towards = scale * (double(guide[k]) - double(base[k]));
            const double away = scale * (double(plus[k]) - double(minus[k]));
            const double value = (double(base[k]) + towards) + away;
            x[k] = crosses ? rebounded(value, i64(parent[k]), i64(values(k)) - 1) : parent[k];
        });
        if (team.rank == 0) {
            scales(own) = scale;
            rates(own) = rate;
        }
    }

    MH_FN static double drawn_rate(double middle, const Random& random) {
        if (middle < 0.0) return 0.0;
        const double found = middle + 0.1 * normal(random, 5);
        return found < 0.0 ? 0.0 : found > 1.0 ? 1.0 : found;
    }
    MH_FN static double drawn_scale(double middle, const Random& random) {
        for (u32 draw = 6; draw < 70; ++draw) {
            const double found = middle + 0.1 * cauchy(random, draw);
            if (found > 0.0) return found > 1.0 ? 1.0 : found;
        }
        return middle;
    }
};
