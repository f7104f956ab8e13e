struct TailsMove;

// The items that are taken out follow themselves, and are noted in `taken`, in the order in which they come back.
struct RuinAndRecreate : RuinAndRecreateData {
    static constexpr bool keeps_state = true;

    template <class Make> MH_FN i64 perturb(Walk& walk, Make) const {
        const Team team = walk.team;
        const Random random = walk.random(perturbation_stream);
        ruin(walk, random);
        const i64 evaluated = recreate(walk, random);
        walk.cost = cost_by_lists(walk.problem, team, walk.x, walk.state);
        return evaluated;
    }

    // puts back what is out; returns how many places count as evaluated
    MH_FN i64 recreate(Walk& walk, Random random) const {
        note_full(walk);
        if (beside) note_places(walk);
        const int out = counts(0);
        u32 draw = u32(counts(1));
        i64 evaluated = 0;
        for (int k = 0; k < out; ++k) {
            const EvaluatedMove best = beside ? best_beside(walk, int(taken(k)), random.bits(draw++))
                                              : best_of_all(walk, int(taken(k)), random.bits(draw++));
            put_back(walk, int(taken(k)), int(best.index));
            evaluated += beside ? ranks() : n - (out - k);
        }
        return evaluated;
    }

    // leads the walk to another solution; what the problem keeps is updated for lists that differ
    MH_FN void go_back(Walk& walk, const Item* home) const {
        auto marked = touched;
        const int items = candidates.rows;
        Item* x = walk.x;
        walk.team.for_each(n - items, [=](i64 k) {
            int at = items + int(k);
            do {
                marked(k) = x[at] != home[at];
                at = int(home[at]);
            } while (at < items && !marked(k));
        });
        walk.team.sync();
        copy_solution(walk.team, x, home, n);
        walk.team.sync();
        renew_touched(walk);
    }

    // updates what the problem keeps of the lists that are touched; of all items that may be left out, too
    MH_FN void renew_touched(Walk& walk) const {
        if (optional) {
            prepare_problem(walk.problem, walk.team, walk.x, walk.state);
        } else {
            const auto marked = touched;
            const int items = candidates.rows;
            const Walk* here = &walk;
            walk.team.for_each(n - items, [=](i64 k) {
                if (marked(k)) here->problem.renew(here->x, here->state, items + int(k));
            });
        }
        walk.team.sync();
    }

    // takes strings out, and updates what the problem keeps
    MH_FN void ruin(Walk& walk, Random random) const {
        const Team team = walk.team;
        auto marked = touched;
        auto noted = counts;
        team.for_each(n - candidates.rows, [=](i64 k) { marked(k) = 0; });
        team.sync();
        if (team.rank == 0) noted(1) = int(take(walk.x, random));
        team.sync();
        renew_touched(walk);
        cross<TailsMove, tails>(walk);
    }

    // two lists that lost strings exchange what is behind these where the solution then costs less than it did
    template <class M, bool wanted> MH_FN void cross(Walk& walk) const {
        if constexpr (wanted) {
            const Problem& problem = walk.problem;
            const Team team = walk.team;
            const auto s = walk.state;
            Item* x = walk.x;
            const i64 strings = int(counts(3));
            const auto move = [&](i64 k) {
                const int p = int(cuts(k / strings)), q = int(cuts(k % strings));
                return M{p, q, last_of(x, p), last_of(x, q)};
            };
            EvaluatedMove best = no_move();
            offer_each(best, team, 0, strings * strings, [&](i64 k, Cost) {
                if (k / strings >= k % strings) return Never<Cost>::value;
                const M m = move(k);
                if (m.p == m.p_end && m.q == m.q_end) return Never<Cost>::value;
                return Cost(problem.delta(team.alone(), x, s, m));
            });
            best = team.reduce_best(best);
            if (best.index < 0 || !(cost_by_lists(problem, team, x, s) + Total(best.score) < walk.cost)) return;
            const M m = move(best.index);
            team.sync();
            m.apply(team, x);
            team.sync();
            problem.commit(team, x, s, m);
            team.sync();
        }
    }
    MH_FN int last_of(const Item* x, int place) const {
        while (int(x[place]) < candidates.rows) place = int(x[place]);
        return place;
    }

    // offers the costs of some places to the best of a thread, whose costs are given the lowest one so far
    template <class F> MH_FN static void offer_each(EvaluatedMove& best, Team team, i64 begin, i64 end, F cost) {
        for (i64 k = begin + team.rank; k < end; k += team.size) {
            const Cost found = cost(k, best.score);
            offer(best, found, found, k);
        }
    }

    // whether a place is the head of an empty list, but not of the last: one behind another that is as good, or where
    // enough lists have items
    MH_FN bool repeated(const Item* x, i64 place) const {
        const int k = int(place) - candidates.rows;
        if (k < 0 || place == n - 1 || x[place] != Item(place)) return false;
        return full() || (k > 0 && kinds.size > 1 && x[place - 1] == Item(place - 1) && kinds(k) == kinds(k - 1));
    }
    MH_FN bool full() const { return lists && int(counts(4)) >= lists - 1; }
    // notes how many lists but the last have items
    MH_FN void note_full(Walk& walk) const {
        if (!lists) return;
        auto noted = counts;
        if (walk.team.rank == 0) {
            int found = 0;
            for (int head = candidates.rows; head < n - 1; ++head) found += walk.x[head] != Item(head);
            noted(4) = found;
        }
        walk.team.sync();
    }

    // the place behind which an item costs least, of those that are not overlooked
    MH_FN EvaluatedMove best_of_all(Walk& walk, int item, u32 bits) const {
        const Problem& problem = walk.problem;
        const auto s = walk.state;
        const Item* x = walk.x;
        const int items = candidates.rows;
        EvaluatedMove best = no_move();
        offer_each(best, walk.team, 0, items, [&](i64 place, Cost least) {
            const bool out = x[place] == Item(place) && !(optional && place == item);
            if (out || overlooked(int(place), bits)) return Never<Cost>::value;
            return inserted(problem, x, s, item, int(place), least);
        });
        offer_each(best, walk.team, items, n, [&](i64 place, Cost least) {
            if (overlooked(int(place), bits) || repeated(x, place)) return Never<Cost>::value;
            return inserted(problem, x, s, item, int(place), least);
        });
        return walk.team.reduce_best(best);
    }
    MH_FN bool overlooked(int place, u32 bits) const {
        return place != n - 1 && u32(2 * place + 1) * bits < u64(blinks * 4294967296.0);
    }

    // the same of the places beside the first candidates, at the ends of lists that other candidates begin or end, and
    // of empty lists; the first of these among equals
    MH_FN EvaluatedMove best_beside(Walk& walk, int item, u32 bits) const {
        const Problem& problem = walk.problem;
        const auto s = walk.state;
        const Item* x = walk.x;
        const Team team = walk.team;
        const int items = candidates.rows, sure = int(nearest()), near = candidates.columns;
        EvaluatedMove best = no_move();
        const auto consider = [&](i64 rank, int place) {
            if (overlooked(place, bits)) return;
            const Cost found = inserted(problem, x, s, item, place, best.score);
            offer(best, found, found, rank);
        };
        for (int k = team.rank; k < near; k += team.size) {
            const int other = int(candidates(item, k)), next = int(x[other]), before = int(previous(other));
            if (next == other) continue;
            if (k < sure || before >= items) consider(2 * k, before);
            if (k < sure || next >= items) consider(2 * k + 1, other);
        }
        for (i64 rank = 2 * near + team.rank; rank < tried(); rank += team.size)
            if (const int place = place_of(x, item, rank); place >= 0) consider(rank, place);
        best = walk.team.reduce_best(best);
        if (best.index >= 0) best.index = place_of(x, item, best.index);
        return best;
    }
    MH_FN i64 nearest() const { return beside < candidates.columns ? beside : candidates.columns; }
    // how many places count as evaluated
    MH_FN i64 ranks() const { return 2 * nearest() + 1 + optional; }
    MH_FN i64 tried() const { return 2 * candidates.columns + counts(2) + optional; }
    // the place of a rank; -1 if it is not tried
    MH_FN int place_of(const Item* x, int item, i64 rank) const {
        if (rank < 2 * candidates.columns) {
            const int other = int(candidates(item, rank / 2)), items = candidates.rows;
            if (x[other] == Item(other)) return -1;
            const int place = rank % 2 ? other : int(previous(other));
            const bool ends = (rank % 2 ? int(x[other]) : place) >= items;
            return ends || rank < 2 * nearest() ? place : -1;
        }
        const int k = int(rank - 2 * candidates.columns);
        if (k == int(counts(2))) return item;  // it stays out
        const int head = int(open(k));
        return head == n - 1 || (x[head] == Item(head) && !full()) ? head : -1;
    }
    MH_FN void note_places(Walk& walk) const {
        auto before = previous;
        const Item* x = walk.x;
        walk.team.for_each(n, [=](i64 k) { before(x[k]) = int(k); });
        note_open(walk, true);
    }
    // notes the heads of all lists that are not repeated, in order; or only those of empty ones, and the last head
    MH_FN void note_open(Walk& walk, bool empty) const {
        auto heads = open, noted = counts;
        if (walk.team.rank == 0) {
            int found = 0;
            for (int head = candidates.rows; head < n; ++head) {
                const bool asked = !empty || head == n - 1 || walk.x[head] == Item(head);
                if (asked && !repeated(walk.x, head)) heads(found++) = head;
            }
            noted(2) = found;
        }
        walk.team.sync();
    }
    // notes that an empty list gets items, by one thread: the empty one behind it is no longer repeated
    MH_FN void opens(const Item* x, int head) const {
        const int next = head + 1, items = candidates.rows;
        if (!beside || kinds.size < 2 || next >= n - 1 || x[next] != Item(next) ||
            kinds(next - items) != kinds(head - items))
            return;
        auto heads = open, noted = counts;
        int at = int(noted(2)++);
        for (; int(heads(at - 1)) > next; --at) heads(at) = heads(at - 1);
        heads(at) = next;
    }

    MH_FN void put_back(Walk& walk, int item, int place) const {
        walk.team.sync();
        if (walk.team.rank == 0) {
            Item* x = walk.x;
            if (place != item) {
                auto before = previous;
                auto noted = counts;
                if (beside) before(x[place]) = item, before(item) = place;
                if (x[place] == Item(place)) {
                    if (lists && place != n - 1) noted(4) = int(counts(4)) + 1;
                    opens(x, place);
                }
            }
            x[item] = x[place];
            x[place] = Item(item);
            entered(walk.problem, x, walk.state, item, place);
        }
        walk.team.sync();
    }
    // updates what the problem keeps where an item went behind a place; a problem may know that the rest stays
    template <class P, class S>
    MH_FN static auto entered(const P& problem, const Item* x, S s, int item, int place)
        -> decltype(problem.entered(x, s, item, place)) {
        return problem.entered(x, s, item, place);
    }
    template <class P, class S, class... Place>
    MH_FN static void entered(const P& problem, const Item* x, S s, int, Place... place) {
        problem.renew(x, s, place...);
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

    // the cost, by the costs of lists where the problem keeps them
    template <class P, class S>
    MH_FN static auto cost_by_lists(const P& problem, Team team, const Item* x, S s)
        -> decltype(problem.kept_cost(team, x, s)) {
        return problem.kept_cost(team, x, s);
    }
    template <class P, class... State>
    MH_FN static Total cost_by_lists(const P& problem, Team team, const Item* x, State...) {
        return cost_of(problem, team, x);
    }

    // Takes strings out, by one thread: writes to `counts` how many items they have, and how many strings there are, to
    // `cuts` what is before each; returns the next draw.
    MH_FN u32 take(Item* x, Random random) const {
        auto noted = counts, out = taken, before = cuts;
        auto marked = touched;
        u32 draw = 0;
        const int items = candidates.rows, first = int(random.integer(draw++, 0, items - 1));
        i64 more = random.integer(draw++, 1, 2 * average - 1);
        int found = 0, strings = 0;
        for (int k = -1; k < candidates.columns && more; ++k) {
            const int at = k < 0 ? first : int(candidates(first, k));
            if (x[at] == Item(at)) {
                bool is_out = !optional;
                for (int p = 0; p < found; ++p) is_out = is_out || int(out(p)) == at;
                if (!is_out) out(found++) = at, --more;
                continue;
            }
            int end = at, rank = 0, behind = 0;
            for (; end < items; end = int(x[end])) ++behind;
            if (marked(end - items)) continue;
            marked(end - items) = 1;
            for (int item = int(x[end]); item != at; item = int(x[item])) ++rank;
            const ItemString it = draw_string(random, draw, rank, rank + behind, longest < more ? longest : more);
            int place = end;
            for (int p = 0; p < it.begin; ++p) place = int(x[place]);
            before(strings++) = place;
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
        noted(3) = strings;
        return draw_order(out.data, found, orders, random, draw);
    }
};
