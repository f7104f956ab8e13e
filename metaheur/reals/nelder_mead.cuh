// A simplex of n + 1 solutions, whose worst one is mirrored at the mean of the others, stretched or drawn in.
struct NelderMead : NelderMeadData {
    static constexpr bool tabulates = false;
    static constexpr bool leaves_state = true;

    // what the walk's solution is to the simplex
    enum { begun, spanned, reflected, stretched, outside, inside, shrunk };

    MH_FN void prepare(Walk&) const {}

    MH_FN void init(Walk& walk) {
        keep_at(walk, corners, costs, 0, n);
        keep_at(walk, mirrored, heights, 0, n);
        known = 1;
    }

    MH_FN Outcome step(Walk& walk) {
        walk.team.sync();
        phase = phase_after(walk);
        if (phase == reflected && drawn_together(walk.team)) {
            const i64 best = lowest();
            copy_solution(walk.team, walk.x, corners.at(best), n);
            walk.cost = costs(best);
            walk.moved = true;
            walk.team.sync();
            return {true, 0};
        }
        go(walk);
        return with_cost(walk);
    }

    MH_FN i64 lowest() const {
        i64 found = 0;
        for (i64 i = 1; i <= n; ++i)
            if (costs(i) < costs(found)) found = i;
        return found;
    }

    // the last place of the highest cost
    MH_FN i64 highest() const {
        i64 found = 0;
        for (i64 i = 1; i <= n; ++i)
            if (!(costs(i) < costs(found))) found = i;
        return found;
    }

    // whether all corners are neighbors of the first one
    MH_FN bool drawn_together(Team team) {
        const i64 far = team.sum(i64(n) * n, [&](i64 at) {
            const i64 k = at % n, apart = i64(corners.at(1 + at / n)[k]) - i64(corners.at(0)[k]);
            return i64(apart > 1 || apart < -1);
        });
        return far == 0;
    }

    // the solution joins the simplex; returns what the next one is to be
    MH_FN i64 phase_after(Walk& walk) {
        if (phase == begun) return spanned;
        if (phase == spanned || phase == shrunk) {
            keep_at(walk, corners, costs, known, n);
            known = known + 1;
            return known <= n ? i64(phase) : i64(reflected);
        }
        const i64 worst = highest();
        const Total cost = walk.cost, height = heights(0);
        bool among = false, best = true;  // whether it is better than some other corner than the worst, and than all
        for (i64 i = 0; i <= n; ++i) {
            among = among || (i != worst && cost < costs(i));
            best = best && cost < costs(i);
        }
        const bool lower = cost < costs(worst);
        walk.team.sync();
        if (phase == reflected && (!among || best)) {
            keep_at(walk, mirrored, heights, 0, n);
            return among ? stretched : lower ? outside : inside;
        }
        if ((phase == outside && height < cost) || (phase == inside && !lower)) {
            exchange(walk.team, lowest());
            known = 1;
            return shrunk;
        }
        if (phase == stretched && !(cost < height)) {
            copy_solution(walk.team, corners.at(worst), mirrored.at(0), n);
            if (walk.team.rank == 0) put_total(costs, worst, height);
            walk.team.sync();
        } else keep_at(walk, corners, costs, worst, n);
        return reflected;
    }

    // the first corner and another one change places
    MH_FN void exchange(Team team, i64 other) {
        const Total first = costs(0), cost = costs(other);
        Item *here = corners.at(0), *there = corners.at(other);
        team.sync();
        team.for_each(n, [&](i64 k) {
            const Item item = here[k];
            here[k] = there[k];
            there[k] = item;
        });
        if (team.rank == 0) {
            put_total(costs, 0, cost);
            put_total(costs, other, first);
        }
        team.sync();
    }

    MH_FN static Item bounded(double value, double most) {
        const double nearest = floor(value + 0.5), inside = nearest > 0.0 ? nearest : 0.0;
        return Item(i64(inside < most ? inside : most));
    }

    // the next solution becomes the walk's
    MH_FN void go(Walk& walk) {
        const double size = double(n < 2 ? 2 : n), into = 0.75 - 0.5 / size, beyond = 1.0 + 2.0 / size;
        const Item *first = corners.at(0), *across = mirrored.at(0);
        const i64 now = phase, place = known, worst = highest();
        Item* x = walk.x;
        walk.team.for_each(n, [&](i64 k) {
            if (now == spanned) {
                const double share = floor(width * most(k) + 0.5), far = share > 1.0 ? share : 1.0;
                const double value = double(first[k]);
                const double other = value + far <= most(k) ? value + far : value - far;
                x[k] = bounded(k == place - 1 ? other : value, most(k));
                return;
            }
            if (now == shrunk) {
                const double apart = double(corners.at(place)[k]) - double(first[k]);
                x[k] = bounded(double(first[k]) + trunc((1.0 - 1.0 / size) * apart), most(k));
                return;
            }
            double total = 0.0;  // exact, whatever the order: whole numbers
            for (i64 i = 0; i <= n; ++i) total += i == worst ? 0.0 : double(corners.at(i)[k]);
            const double mean = total / double(n), bad = double(corners.at(worst)[k]), good = double(across[k]);
            double found = mean + (now == stretched ? beyond : into) * (good - mean);
            if (now == reflected) found = mean + (mean - bad);
            if (now == inside) found = mean + into * (bad - mean);
            x[k] = bounded(found, most(k));
        });
    }
};
