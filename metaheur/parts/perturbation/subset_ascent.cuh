// marks(k): 1 while bit k is flipped and not decided; 0 if it is not chosen, or is decided.
struct SubsetAscent : SubsetAscentData {
    template <class Loop> MH_FN void perturb(Walk& walk, Loop& loop) {
        const Random random = walk.random(perturbation_stream);
        const Team team = walk.team;
        for (i64 k = team.rank; k < n; k += team.size) marks(k) = 0;
        remember(walk, loop);
        const i64 some = share.floor_times(n), fewest = some > least ? some : i64(least);
        const i64 wanted = fewest < n ? fewest : n;
        for (i64 draw = 0; draw < wanted; ++draw) {
            const i64 k = drawn(walk, loop, random, u32(draw));
            mark(team, k, 1);
            loop.flip(walk, k);
        }
        for (i64 left = wanted; left > 0; --left) decide(walk, loop);
    }

    template <class Loop> MH_FN void remember(Walk& walk, Loop& loop) {
        for (i64 k = 0; k < n; ++k) {
            const Cost delta = loop.delta(walk, k);
            if (walk.team.rank == 0) before(k) = delta;
        }
        walk.team.sync();
    }

    MH_FN void mark(Team team, i64 k, int value) {
        team.sync();
        if (team.rank == 0) marks(k) = value;
        team.sync();
    }

    MH_FN static i64 weight(Cost gain, Cost high, Cost low) {
        double share = 0.0;
        if (gain > 0) share = double(gain) / double(high) * 5000.0 * 1048576.0;
        if (gain < 0) share = -(double(gain) / double(low) * 1048576.0);
        const i64 whole = 1048576 + i64(share);
        return whole > 1 ? whole : 1;
    }

    // draws a bit by roulette
    template <class Loop> MH_FN i64 drawn(Walk& walk, Loop& loop, Random random, u32 draw) const {
        Cost high = 0, low = 0;
        bool any = false;
        for (i64 k = 0; k < n; ++k) {
            const Cost gain = -loop.delta(walk, k);
            if (marks(k)) continue;
            high = !any || gain > high ? gain : high;
            low = !any || gain < low ? gain : low;
            any = true;
        }
        i64 total = 0;
        for (i64 k = 0; k < n; ++k) {
            const Cost gain = -loop.delta(walk, k);
            if (!marks(k)) total += weight(gain, high, low);
        }
        i64 at = random.index(draw, total), found = 0;
        for (i64 k = 0; k < n; ++k) {
            const Cost gain = -loop.delta(walk, k);
            if (marks(k)) continue;
            if (at >= 0) found = k;
            at -= weight(gain, high, low);
        }
        return found;
    }

    // decides the clearest case: the bit stays flipped, or is flipped back
    template <class Loop> MH_FN void decide(Walk& walk, Loop& loop) {
        i64 chosen = -1;
        Total most = 0, own = 0;
        for (i64 k = 0; k < n; ++k) {
            const Total after = loop.delta(walk, k), both = after - before(k);
            const Total clear = both < 0 ? -both : both, alone = both < 0 ? Total(before(k)) : -Total(before(k));
            if (!marks(k) || (chosen >= 0 && (clear < most || (clear == most && alone <= own)))) continue;
            chosen = k;
            most = clear;
            own = alone;
        }
        const bool stays = Total(loop.delta(walk, chosen)) - before(chosen) >= 0;
        mark(walk.team, chosen, 0);
        // the earlier gains of the other bits change as their gains change by this flip
        if (stays) shift(walk, loop, -1);
        loop.flip(walk, chosen);
        if (stays) {
            shift(walk, loop, 1);
            loop.flip(walk, chosen);
        }
    }

    template <class Loop> MH_FN void shift(Walk& walk, Loop& loop, int sign) {
        for (i64 k = 0; k < n; ++k) {
            const Cost delta = loop.delta(walk, k);
            if (walk.team.rank == 0 && marks(k)) before(k) += sign < 0 ? -delta : delta;
        }
        walk.team.sync();
    }
};
