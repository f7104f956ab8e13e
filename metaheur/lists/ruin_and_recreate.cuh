// The items that are taken out follow themselves, and are noted in `taken`, in the order in which they come back.
struct RuinAndRecreate : RuinAndRecreateData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make) const {
        const Team team = walk.team;
        const Random random = walk.random(perturbation_stream);
        auto noted = counts;
        begin(team);
        if (team.rank == 0) noted(1) = int(take(walk.x, random));
        team.sync();
        prepare_problem(walk.problem, team, walk.x, walk.state);
        team.sync();
        const int out = counts(0);
        u32 draw = u32(counts(1));
        i64 evaluated = 0;
        for (int k = 0; k < out; ++k) {
            put_back(walk, int(taken(k)), random.bits(draw++));
            evaluated += n - (out - k);
        }
        walk.cost = cost_of(walk.problem, team, walk.x);
        return evaluated;
    }

    MH_FN void begin(Team team) const {
        auto marked = touched;
        team.for_each(n - candidates.rows, [=](i64 k) { marked(k) = 0; });
        team.sync();
    }

    // offers the costs of some places to the best of a thread, whose costs are given the lowest one so far
    template <class F> MH_FN static void offer_each(EvaluatedMove& best, Team team, i64 begin, i64 end, F cost) {
        for (i64 k = begin + team.rank; k < end; k += team.size) {
            const Cost found = cost(k, best.score);
            offer(best, found, found, k);
        }
    }

    // whether a place is the head of an empty list, behind another one that is as good
    MH_FN bool repeated(const Item* x, i64 place) const {
        const int k = int(place) - candidates.rows;
        return k > 0 && kinds.size > 1 && x[place] == Item(place) && x[place - 1] == Item(place - 1) &&
               kinds(k) == kinds(k - 1);
    }

    // puts an item behind the place where it costs least, of those that are not overlooked
    MH_FN void put_back(Walk& walk, int item, u32 bits) const {
        const u64 overlooked = u64(blinks * 4294967296.0);
        const Problem& problem = walk.problem;
        const auto s = walk.state;
        Item* x = walk.x;
        const int items = candidates.rows, last = n - 1;
        EvaluatedMove best = no_move();
        offer_each(best, walk.team, 0, items, [&](i64 place, Cost least) {
            const bool out = x[place] == Item(place) && !(optional && place == item);
            if (out || u32(2 * place + 1) * bits < overlooked) return Never<Cost>::value;
            return inserted(problem, x, s, item, int(place), least);
        });
        offer_each(best, walk.team, items, n, [&](i64 place, Cost least) {
            if (place != last && (u32(2 * place + 1) * bits < overlooked || repeated(x, place)))
                return Never<Cost>::value;
            return inserted(problem, x, s, item, int(place), least);
        });
        best = walk.team.reduce_best(best);
        walk.team.sync();
        if (walk.team.rank == 0) {
            x[item] = x[best.index];
            x[best.index] = Item(item);
            problem.renew(x, s, int(best.index));
        }
        walk.team.sync();
    }
    // a problem may leave out what cannot be below the lowest cost so far
    template <class P, class S>
    MH_FN static auto inserted(const P& problem, const Item* x, S s, int item, int place, Cost least)
        -> decltype(problem.inserted_below(x, s, item, place, least)) {
        return problem.inserted_below(x, s, item, place, least);
    }
    template <class P, class S, class... Least>
    MH_FN static Cost inserted(const P& problem, const Item* x, S s, int item, int place, Least...) {
        return Cost(problem.inserted(x, s, item, place));
    }

    // Takes strings out, by one thread: writes to `counts` how many items they have; returns the next draw.
    MH_FN u32 take(Item* x, Random random) const {
        auto noted = counts, out = taken;
        auto marked = touched;
        u32 draw = 0;
        const int items = candidates.rows, first = int(random.integer(draw++, 0, items - 1));
        i64 more = random.integer(draw++, 1, 2 * average - 1);
        int found = 0;
        for (int k = -1; k < candidates.columns && more; ++k) {
            const int at = k < 0 ? first : int(candidates(first, k));
            if (x[at] == Item(at)) {
                bool is_out = !optional;
                for (int p = 0; p < found; ++p) is_out = is_out || int(out(p)) == at;
                if (!is_out) out(found++) = at, --more;
                continue;
            }
            int end = at, rank = 0, size = 0;
            while (end < items) end = int(x[end]);
            if (marked(end - items)) continue;
            marked(end - items) = 1;
            for (int item = int(x[end]); item != end; item = int(x[item])) {
                if (item == at) rank = size;
                ++size;
            }
            const ItemString it = draw_string(random, draw, rank, size, longest < more ? longest : more);
            int place = end;
            for (int p = 0; p < it.begin; ++p) place = int(x[place]);
            for (int p = 0; p < it.width; ++p) {
                const int item = int(x[place]);
                if (p == it.stays) {
                    place = item;
                    continue;
                }
                x[place] = x[item];
                x[item] = Item(item);
                out(found++) = item;
            }
            more -= it.width - (it.stays >= 0);
        }
        noted(0) = found;
        return draw_order(out.data, found, orders, random, draw);
    }
};
