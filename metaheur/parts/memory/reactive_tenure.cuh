// At h mod capacity, for a solution with the hash h: h, the iteration of its last visit, and the number of visits.
struct ReactiveTenure : ReactiveTenureData {
    MH_FN void init(Walk&) {
        length = 1.0;
        ring = cyclic;
    }

    MH_FN i64 draw(u32, i64) const { return i64(length); }

    MH_FN bool escapes() const { return left > 0; }

    MH_FN void visit(Team team, const Item* x, Random random) {
        if (left > 0) {
            left = left - 1;
            return;
        }
        const i64 h = hash_of(team, x, n, cyclic), slot = i64(u64(h) % u64(capacity)), now = random.iteration;
        const bool again = visits(slot) && hashes(slot) == h;
        const i64 since = now - visited(slot), times = again ? visits(slot) + 1 : 1;
        team.sync();  // all threads have read the values that are written next
        if (team.rank == 0) {
            hashes(slot) = h;
            visited(slot) = now;
            visits(slot) = times;
        }
        if (again) repeat(team, since, times, random);
        if (double(now - changed) > average) {
            const double longer = length * decrease, shorter = length - 1.0,
                         least = longer < shorter ? longer : shorter;
            length = least > 1.0 ? least : 1.0;
            changed = now;
        }
    }

    MH_FN void repeat(Team team, i64 since, i64 times, Random random) {
        if (times > repetitions) often = often + 1;
        if (often > chaos) {
            often = 0;
            team.sync();
            auto all = visits;
            team.for_each(capacity, [=](i64 k) { all(k) = 0; });
            left = 1 + random.integer(0, i64(average) / 2, i64(average));
        }
        if (since < cycle) {
            average = 0.1 * double(since) + 0.9 * average;
            const i64 most = longest.ceil_times(n);
            const double end = most > 1 ? double(most) : 1.0, grown = length * increase, next = length + 1.0;
            const double longer = grown > next ? grown : next;
            length = longer < end ? longer : end;
            changed = random.iteration;
        }
    }
};
