// One entry after the other goes up or down by a step; a leap follows what was gained, else the step is halved.
struct PatternSearch : PatternSearchData {
    static constexpr bool tabulates = false;
    static constexpr bool leaves_state = true;

    MH_FN void prepare(Walk&) const {}

    MH_FN void init(Walk& walk) {
        keep_at(walk, points, costs, 0, n);
        keep_at(walk, points, costs, 1, n);
        share = width;
    }

    MH_FN Outcome step(Walk& walk) {
        walk.team.sync();
        take_in(walk);
        i64 next = next_from(trial + 1);
        if (next > 2 * n) {
            if (costs(1) < costs(0)) {
                leap(walk);
                return with_cost(walk);
            }
            if (ahead == 0 && shortest()) return end(walk);
            if (ahead == 0) share = 0.5 * double(share);
            ahead = 0;
            return_to_base(walk.team);
            next = next_from(1);
        }
        trial = next;
        const i64 at = (next - 1) / 2;
        const Item value = Item(tried(next));
        const Item* found = points.at(1);
        Item* x = walk.x;
        walk.team.for_each(n, [&](i64 k) { x[k] = k == at ? value : found[k]; });
        return with_cost(walk);
    }

    // the solution becomes that of the round if it is better, or the first one; then its entry is not tried again
    MH_FN void take_in(Walk& walk) {
        const i64 now = trial;
        const bool taken = now == 0 || walk.cost < costs(1);
        walk.team.sync();
        if (!taken) return;
        keep_at(walk, points, costs, 1, n);
        trial = now + now % 2;
    }

    // the step of an entry, in whole numbers
    MH_FN i64 far(i64 k) const {
        const double nearest = floor(double(share) * most(k) + 0.5);
        return nearest > 1.0 ? i64(nearest) : 1;
    }

    MH_FN static i64 bounded(i64 value, double most) {
        const i64 inside = value > 0 ? value : 0;
        return inside < i64(most) ? inside : i64(most);
    }

    // the value of the entry that a trial changes
    MH_FN i64 tried(i64 number) const {
        const i64 k = (number - 1) / 2, here = points.at(1)[k];
        return bounded(number % 2 == 1 ? here + far(k) : here - far(k), most(k));
    }

    // the first trial from one on that changes its entry; 2 n + 1 if there is none
    MH_FN i64 next_from(i64 number) const {
        while (number <= 2 * n && tried(number) == i64(points.at(1)[(number - 1) / 2])) ++number;
        return number;
    }

    // whether each step is 1
    MH_FN bool shortest() const {
        for (i64 k = 0; k < n; ++k)
            if (far(k) > 1) return false;
        return true;
    }

    // the walk goes as far ahead of the round's solution as that is from the base; the round's becomes the base
    MH_FN void leap(Walk& walk) {
        const Total found = costs(1);
        Item *base = points.at(0), *x = walk.x;
        const Item* better = points.at(1);
        walk.team.sync();
        walk.team.for_each(n, [&](i64 k) {
            x[k] = Item(bounded(2 * i64(better[k]) - i64(base[k]), most(k)));
            base[k] = better[k];
        });
        if (walk.team.rank == 0) put_total(costs, 0, found);
        trial = 0;
        ahead = 1;
    }

    // the round begins at the base
    MH_FN void return_to_base(Team team) {
        const Total cost = costs(0);
        team.sync();
        copy_solution(team, points.at(1), points.at(0), n);
        if (team.rank == 0) put_total(costs, 1, cost);
        team.sync();
    }

    // the base becomes the walk's solution
    MH_FN Outcome end(Walk& walk) {
        return_to_base(walk.team);
        copy_solution(walk.team, walk.x, points.at(0), n);
        walk.cost = costs(0);
        walk.moved = true;
        walk.team.sync();
        return {true, 0};
    }
};
