// Particles that are drawn to the best places of their own and of their informants.
struct ParticleSwarm : ParticleSwarmData {
    static constexpr bool tabulates = false;
    static constexpr bool leaves_state = true;

    MH_FN void prepare(Walk&) const {}

    MH_FN Outcome step(Walk& walk) {
        walk.team.sync();
        take_in(walk);
        if (filled < size) walk.space.draw(walk.team, walk.x, walk.random(restart_stream));
        else move(walk);
        return with_cost(walk);
    }

    // the solution is where a particle is now
    MH_FN void take_in(Walk& walk) {
        const Team team = walk.team;
        const Item* x = walk.x;
        if (filled < size) {
            const int s = int(filled);
            const Random random = walk.random(perturbation_stream);
            team.for_each(n, [&](i64 k) {
                const double place = double(x[k]) / most(k);
                places(s, int(k)) = place;
                velocities(s, int(k)) = fraction(random.bits(u32(k))) - place;
            });
            keep_at(walk, solutions, costs, s, n);
            filled = filled + 1;
            if (filled == size) inform(walk);
            return;
        }
        const int s = int(at);
        bool first = true;
        for (i64 t = 0; t < size; ++t) first = first && walk.cost < costs(t);
        const bool better = walk.cost < costs(s);
        team.sync();
        if (first) improved = 1;
        if (better) keep_at(walk, solutions, costs, s, n);
        at = at + 1 < size ? at + 1 : 0;
        if (at == 0) {
            if (improved == 0) inform(walk);
            improved = 0;
        }
    }

    // draws whom each particle informs
    MH_FN void inform(Walk& walk) {
        const Random random = walk.random(selection_stream);
        const i64 each = informed;
        walk.team.for_each(i64(size) * each,
                           [&](i64 k) { informs(int(k / each), int(k % each)) = random.index(u32(k), size); });
        walk.team.sync();
    }

    // moves the next particle
    MH_FN void move(Walk& walk) {
        const Team team = walk.team;
        const Random random = walk.random(recombination_stream);
        const int s = int(at);
        int leader = -1;
        for (int t = 0; t < size; ++t) {
            bool tells = t == s;
            for (int k = 0; k < informed; ++k) tells = tells || informs(t, k) == s;
            if (tells && (leader < 0 || costs(t) < costs(leader))) leader = t;
        }
        const Item *own = solutions.at(s), *theirs = solutions.at(leader);
        team.for_each(n, [&](i64 k) {
            const double place = places(s, int(k));
            const double a = double(own[k]) / most(k) - place, b = double(theirs[k]) / most(k) - place;
            center(k) = leader != s ? 1.1931471805599454 * (a + b) / 3.0 : 1.1931471805599454 * a / 2.0;
            direction(k) = normal(random, u32(k));
        });
        team.sync();
        double apart = 0.0, length = 0.0;
        for (i64 k = 0; k < n; ++k) {
            apart = apart + center(k) * center(k);
            length = length + direction(k) * direction(k);
        }
        const double radius = sqrt(apart) * fraction(random.bits(u32(n)));
        length = sqrt(length);
        const double share = length > 0.0 ? radius / length : 0.0;
        Item* x = walk.x;
        team.for_each(n, [&](i64 k) {
            const double faster = 0.7213475204444817 * velocities(s, int(k)) + (center(k) + share * direction(k));
            const double moved = places(s, int(k)) + faster;
            const bool outside = moved < 0.0 || moved > 1.0;
            velocities(s, int(k)) = outside ? -0.5 * faster : faster;
            const double stays = moved < 0.0 ? 0.0 : moved > 1.0 ? 1.0 : moved;
            places(s, int(k)) = stays;
            x[k] = entry_at(stays, most(k));
        });
        team.sync();
    }
};
