struct EliteFlips : EliteFlipsData {
    template <class Loop> MH_FN void perturb(Walk& walk, Loop& loop) {
        const Random random = walk.random(perturbation_stream);
        const Team team = walk.team;
        insert(team, loop.found.data, loop.found_cost);
        const Item* member = elite.at(random.index(0, filled));
        team.sync();
        score(team, loop);
        team.sync();
        rank(team);
        team.sync();
        if (team.rank == 0) choose(random);
        team.sync();
        for (i64 k = 0; k < n; ++k)
            if ((walk.x[k] ^ member[k]) != flipped(k)) loop.flip(walk, k);
    }

    // adds the best solution of a phase to the elite, unless it is there, or not better than the worst of the elite
    MH_FN void insert(Team team, const Item* x, Total cost) {
        i64 place = filled < size ? i64(filled) : 0;
        bool there = false;
        for (i64 r = 0; r < filled; ++r) {
            const Item* y = elite.at(r);
            there |= !team.sum(n, [=](int k) { return i64(x[k] != y[k]); });
            if (filled == size && costs(r) > costs(place)) place = r;
        }
        if (there || (filled == size && cost >= costs(place))) return;
        team.sync();
        Item* y = elite.at(place);
        team.for_each(n, [=](i64 k) { y[k] = x[k]; });
        if (team.rank == 0) costs(place) = cost;
        filled = filled < size ? filled + 1 : i64(filled);
        team.sync();
    }

    template <class Loop> MH_FN void score(Team team, const Loop& loop) const {
        i64 most = 0;
        for (i64 k = 0; k < n; ++k) most = loop.counts(k) + 1 > most ? loop.counts(k) + 1 : most;
        const i64 r = filled;
        team.for_each(n, [&](i64 k) {
            i64 ones = 0;
            for (i64 member = 0; member < r; ++member) ones += elite(member, k);
            scores(k) =
                weight.denominator * most * ones * (r - ones) + weight.numerator * r * r * (most - loop.counts(k) - 1);
            flipped(k) = 0;
        });
    }

    MH_FN void rank(Team team) const {
        team.for_each(n, [&](i64 k) {
            i64 before = 0;
            for (i64 other = 0; other < n; ++other)
                before += scores(other) > scores(k) || (scores(other) == scores(k) && other < k);
            ranked(before) = int(k);
        });
    }

    // by one thread
    MH_FN void choose(Random random) const {
        const i64 some = share.floor_times(n), wanted = some < n ? some : n;
        i64 chosen = 0;
        for (i64 draw = 1; chosen < wanted && draw <= 64 * i64(n); ++draw) {
            const i64 at = random.index(u32(draw), ends(n - 1));
            const i64 place = first_of(n - 1, [&](i64 k) { return ends(k) > at; });
            chosen += !flipped(ranked(place));
            flipped(ranked(place)) = 1;
        }
        for (i64 k = 0; k < n && chosen < wanted; ++k) {
            chosen += !flipped(ranked(k));
            flipped(ranked(k)) = 1;
        }
    }
};
