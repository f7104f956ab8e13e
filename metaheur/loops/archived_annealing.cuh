// Each iteration tries one move, compared with the current solution and with an archive.
struct ArchivedAnnealing : ArchivedAnnealingData {
    typedef decltype(ArchivedAnnealingData::neighborhood) N;

    static constexpr bool tabulates = false;

    MH_FN void prepare(Walk& walk) const {
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
    }

    MH_FN void init(Walk& walk) {
        held = 0;
        append(walk, 0);
    }

    MH_FN Outcome step(Walk& walk) {
        const i64 size = neighborhood.size();
        if (size == 0) return {true, 0};
        const Words words = walk.random(trial_stream).words(0);
        const auto m = neighborhood.unrank(scaled(words.word[0], words.word[1], size));
        const Cost delta = walk.delta(neighborhood, m);
        const u32 bits = words.word[2];
        bool accepted = !N::partial || delta != Never<Cost>::value;
        if (accepted)
            accepted = decide(walk, m, delta, exponential(bits, logarithms, ln2) - exponential(~bits, logarithms, ln2));
        cooling.record(accepted);
        return {cooling.over(), 1};
    }

    MH_FN Total member(i64 i) const { return total_at(costs, i); }

    // makes the move, goes to a member, or does neither; an event of the probability 1 / (1 + exp(x)) happens where x
    // is below `logit`
    template <class M> MH_FN bool decide(Walk& walk, M m, Cost delta, double logit) {
        const Total current = walk.cost, found = current + delta;
        const bool falls = dominates(current, found);
        i64 above = 0;
        for (i64 i = 0; i < held; ++i) above += dominates(member(i), found);
        if (!above && !falls) {
            make_own(*this, walk, m, delta);
            offer(walk);
            return true;
        }
        const i64 count = held;
        const ObjectiveRanges ranges = ranges_of([&](i64 i) {
            return i < count ? member(i) : i == count ? current : found;
        }, count + 2);
        double sum = 0, least = 0;
        i64 nearest = -1;
        for (i64 i = 0; i < held; ++i) {
            if (!dominates(member(i), found)) continue;
            const double amount = amount_of(ranges, member(i), found);
            sum += amount;
            if (nearest >= 0 && amount >= least) continue;
            nearest = i;
            least = amount;
        }
        if (falls) sum += amount_of(ranges, current, found);
        if (!dominates(found, current)) {
            if (!(sum / double(above + falls) < cooling.level * logit)) return false;
        } else if (-least < logit) {
            go_to(walk, nearest);
            return true;
        }
        make_own(*this, walk, m, delta);
        return true;
    }

    MH_FN static double amount_of(const ObjectiveRanges& ranges, const Total& a, const Total& b) {
        double found = 1.0;
        for (int k = 0; k < ObjectiveRanges::objectives; ++k) {
            const double apart = double(a[k]) - double(b[k]);
            if (apart != 0) found *= (apart < 0 ? -apart : apart) / ranges.spread[k];
        }
        return found;
    }

    MH_FN void go_to(Walk& walk, i64 i) {
        walk.team.sync();
        copy_solution(walk.team, walk.x, members.at(i), n);
        walk.cost = member(i);
        walk.moved = true;
        walk.team.sync();
        prepare_problem(walk.problem, walk.team, walk.x, walk.state);
        walk.team.sync();
        prepare(walk);
    }

    // the current solution, which no member dominates
    MH_FN void offer(const Walk& walk) {
        const Total cost = walk.cost;
        for (i64 i = 0; i < held; ++i)
            if (member(i) == cost) return;
        i64 left = 0;
        for (i64 i = 0; i < held; ++i) {
            if (dominates(cost, member(i))) continue;
            if (left < i) shift(walk.team, left, i);
            ++left;
        }
        held = left;
        append(walk, walk.iteration);
        if (held <= limit) return;
        const i64 worst = archive.worst(walk.team, [&](i64 i) { return member(i); }, held, work.data);
        for (i64 i = worst + 1; i < held; ++i) shift(walk.team, i - 1, i);
        held = held - 1;
    }

    MH_FN void append(const Walk& walk, i64 iteration) {
        walk.team.sync();
        copy_solution(walk.team, members.at(held), walk.x, n);
        if (walk.team.rank == 0) {
            put_total(costs, held, walk.cost);
            born(held) = iteration;
        }
        held = held + 1;
        walk.team.sync();
    }

    MH_FN void shift(Team team, i64 to, i64 from) {
        team.sync();
        copy_solution(team, members.at(to), members.at(from), n);
        if (team.rank == 0) {
            put_total(costs, to, member(from));
            born(to) = born(from);
        }
        team.sync();
    }
};
