// the places of items in those parts of solutions that are arranged
template <class R> MH_FN void note_places_of_parts(const R& relinking, Team team, const Item* x) {
    if constexpr (R::parted) {
        const auto begins = relinking.begins;
        const auto places = relinking.places;
        team.for_each(relinking.n, [=](i64 k) {
            const int begin = begins(k);
            if (begin >= 0) places(begin + x[k]) = int(k) - begin;
        });
    }
}

struct PathRelinking : PathRelinkingData {
    typedef decltype(PathRelinkingData::neighborhood) N;

    MH_FN void record(Team team, Total delta, bool accepted, bool returned) {
        record_phase(new_solutions, team, delta, accepted, returned);
    }

    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) {
        offer(walk);
        const bool relinks = fresh && filled > 1;
        fresh = !fresh;
        i64 evaluated = 0;
        if (relinks) {
            i64 guide = walk.random(choice_stream).index(0, filled);
            if (same(walk, pool.at(guide), walk.x)) guide = (guide + 1) % filled;
            if (relink(walk, pool.at(guide), evaluated)) return evaluated;
        }
        return evaluated + new_solutions.perturb(walk, make);
    }

    // adds the solution to the pool unless the pool has it: if there is room, or in place of a worse solution
    MH_FN void offer(Walk& walk) {
        i64 worst = 0;
        for (i64 k = 0; k < filled; ++k) {
            if (same(walk, pool.at(k), walk.x)) return;
            if (costs(k) > costs(worst)) worst = k;
        }
        const i64 place = filled < elite ? i64(filled) : worst;
        if (filled == elite && !(walk.cost < costs(place))) return;
        walk.team.sync();
        copy_solution(walk.team, pool.at(place), walk.x, n);
        if (walk.team.rank == 0) costs(place) = walk.cost;
        filled = filled < elite ? filled + 1 : i64(elite);
        walk.team.sync();
    }

    // makes x the best solution in the middle of the path to the guide; false if there is none
    MH_FN bool relink(Walk& walk, const Item* guide, i64& evaluated) {
        const Item* x = walk.x;
        const i64 first = differing(walk, guide);
        bool any = false;
        Total lowest_cost = 0;
        for (i64 apart = first; apart > 0;) {
            evaluated += apart;
            step(walk, guide);
            apart = differing(walk, guide);
            const bool middle = first / 4 <= apart && apart <= first - first / 4 && 0 < apart && apart < first;
            if (!middle || (any && !(walk.cost < lowest_cost))) continue;
            any = true;
            lowest_cost = walk.cost;
            copy_solution(walk.team, found.data, x, n);
            walk.team.sync();
        }
        if (!any) return false;
        copy_solution(walk.team, walk.x, found.data, n);
        walk.cost = lowest_cost;
        walk.team.sync();
        return true;
    }

    MH_FN i64 differing(const Walk& walk, const Item* guide) const {
        const Item* x = walk.x;
        return walk.team.sum(n, [=](int k) { return i64(x[k] != guide[k]); });
    }

    // makes the cheapest move that gives one more position the value that it has in the guide
    MH_FN void step(Walk& walk, const Item* guide) {
        const Team team = walk.team;
        const Item* x = walk.x;
        Cost* all = deltas.data;
        team.sync();
        if constexpr (permutes) team.for_each(n, [&](i64 k) { places(x[k]) = i32(k); });
        note_places_of_parts(*this, team, x);
        prepare_neighborhood(neighborhood, team, x);
        team.sync();
        team.for_each(n, [&](i64 at) {
            all[at] = x[at] == guide[at] ? Never<Cost>::value : change(walk.problem, walk, towards(x, guide, int(at)));
        });
        team.sync();
        const EvaluatedMove best = lowest(team, n, [=](i64 k) { return all[k]; });
        const auto m = towards(x, guide, int(best.index));
        team.sync();
        walk.make_move(neighborhood, m, best.delta);
        team.sync();
    }

    MH_FN N::Move towards(const Item* x, const Item* guide, int at) const {
        return neighborhood.towards(x, guide, places.data, at);
    }

    template <class P, class M> MH_FN Cost change(const P& problem, const Walk& walk, M m) const {
        const Team one = walk.team.alone();
        if constexpr (Does<P, N>::delta) return delta_of(problem, neighborhood, one, walk.x, walk.state, m);
        else return change_of(problem, neighborhood, one, walk.x, walk.state, walk.cost, m, walk.scratch);
    }
};
