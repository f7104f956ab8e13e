// What is added to the lengths of edges: nothing.
struct Unguided {
    typedef Cost Length;
    static constexpr bool guides = false;
    MH_FN Cost operator()(int, int) const { return 0; }
};

// A tour while exchanges of edges change it. `positions` says where the items stand; items wait in a ring, `queue`, at
// most once each. Its numbers are the same in all threads of the team, but for `number` and `evaluated`.
template <class Edges, class Candidates, class Place, bool tabulated, class Guide> struct Tour {
    typedef typename Guide::Length Length;
    static constexpr bool guided = Guide::guides;
    Edges problem;  // has `edge`
    const Candidates& candidates;
    Guide guide;
    const Cost* lengths;  // of the edges to candidates, a row for each item, where they are kept
    i64 stride;
    Team team;
    Item* x;
    Place *positions, *queue;
    u8* waits;
    Cost* ahead;  // the lengths of the edges from each position to the next, where they are kept
    int n, head, waiting;
    u32 stage, number;  // of the neighborhood in a union, and of the next offer in the order of enumeration there
    i64 evaluated;      // by this thread

    // what was reversed, pairs of positions, since the journal began; where it has no room left, `home` becomes the
    // tour of its beginning
    i32* journal;
    Item* home;
    int room, reversals;
    bool at_home;

    MH_FN Length edge(int a, int b) const { return problem.edge(a, b) + guide(a, b); }
    MH_FN int width() const { return candidates.columns; }
    MH_FN int candidate(int item, int k) const { return candidates(item, k); }
    // of the edge to the k-th candidate; and at least, by which candidates are in order
    MH_FN Length length_to(int item, int k) const { return least_to(item, k) + guide(item, candidate(item, k)); }
    MH_FN Cost least_to(int item, int k) const {
        if constexpr (tabulated) return lengths[i64(item) * stride + k];
        else return problem.edge(item, candidate(item, k));
    }

    // The threads of a team share the exchanges of an item: each looks at one side, or both, and at every so many
    // candidates. Its offers are numbered in the order in which a single thread would meet them: from `at` on.
    MH_FN int first_side() const { return team.size > 1 ? 2 * team.rank / team.size : 0; }
    MH_FN int sides() const { return team.size > 1 ? 2 : 1; }
    MH_FN int first_place() const { return team.size > 1 ? team.rank % (team.size / 2) : 0; }
    MH_FN int places_apart() const { return team.size > 1 ? team.size / 2 : 1; }
    MH_FN void at(int first) {
        if (team.size > 1) number = u32(first);
    }
    // threads that would be idle where so many have a place to look at
    MH_FN int spare(int places) const { return team.size > 1 && team.size / 2 > places ? team.size / 2 / places : 1; }

    // whether one of the threads has found what it looked for; what follows is the next stage of the enumeration
    MH_FN bool any(bool found) {
        ++stage;
        return team.any(found);
    }

    // the item behind another one (side 0), or before it (side 1)
    MH_FN int beside(int item, int side) const {
        const int p = positions[item];
        return side ? x[p ? p - 1 : n - 1] : x[p + 1 == n ? 0 : p + 1];
    }

    // the length of the edge to that item
    MH_FN Length edge_beside(int item, int side, int other) const {
        if constexpr (!tabulated) return edge(item, other);
        const int p = positions[item];
        return length_ahead(side ? (p ? p - 1 : n - 1) : p) + guide(item, other);
    }

    // from the item at a position to the next
    MH_FN Cost length_ahead(int p) const {
        if constexpr (tabulated) return ahead[p];
        else return problem.edge(x[p], x[p + 1 == n ? 0 : p + 1]);
    }

    // how many items there are from a to b, b included, in one direction
    MH_FN int steps_to(int a, int b, int side) const {
        const int ahead = side ? positions[a] - positions[b] : positions[b] - positions[a];
        return ahead < 0 ? ahead + n : ahead;
    }

    // f(p, q) for the pairs of positions from both ends of i ... last, counted around the tour
    template <class F> MH_FN void pairs(int i, int last, int length, F f) const {
        const int around = n;
        if (i <= last) team.for_each(length / 2, [=](i64 k) { f(i + int(k), last - int(k)); });
        else
            team.for_each(length / 2, [=](i64 k) {
                const int p = i + int(k), q = last - int(k);
                f(p < around ? p : p - around, q < 0 ? q + around : q);
            });
    }

    // the items at the positions i ... last in the opposite order
    MH_FN void reverse(int i, int last, int length) {
        Item* items = x;
        Place* places = positions;
        team.sync();  // others may still read
        pairs(i, last, length, [=](int p, int q) {
            const Item a = items[p], b = items[q];
            items[p] = b;
            items[q] = a;
            places[b] = Place(p);
            places[a] = Place(q);
        });
        if constexpr (tabulated) reverse_lengths(i, last, length);
        team.sync();
    }

    MH_FN void reverse_lengths(int i, int last, int length) {
        Cost* lengths = ahead;
        pairs(i, last ? last - 1 : n - 1, length - 1, [=](int p, int q) {
            const Cost kept = lengths[p];
            lengths[p] = lengths[q];
            lengths[q] = kept;
        });
        team.sync();
        const int before = i ? i - 1 : n - 1;
        if (team.rank == 0) {
            lengths[before] = problem.edge(x[before], x[i]);
            lengths[last] = problem.edge(x[last], x[last + 1 == n ? 0 : last + 1]);
        }
    }

    // the same, written down
    MH_FN void noted(int i, int last, int length) {
        if (length < 2) return;
        if (!at_home && reversals == room) return_home();
        if (!at_home) {
            if (team.rank == 0) {
                journal[2 * reversals] = i;
                journal[2 * reversals + 1] = last;
            }
            ++reversals;
        }
        reverse(i, last, length);
    }

    MH_FN int length(int i, int last) const { return last - i + (last < i ? n + 1 : 1); }

    // the positions i ... last; or all others, which gives the same tour, where these are fewer
    MH_FN void flip(int i, int last) {
        const int all = length(i, last);
        const bool others = 2 * all > n;
        const int first = others ? (last + 1 == n ? 0 : last + 1) : i;
        noted(first, others ? (i ? i - 1 : n - 1) : last, others ? n - all : all);
    }

    MH_FN void begin_journal() {
        reversals = 0;
        at_home = false;
    }

    // the journal is full: the tour of its beginning is made beside this one
    MH_FN void return_home() {
        const Item* from = x;
        Item* to = home;
        team.for_each(n, [=](i64 k) { to[k] = from[k]; });
        team.sync();
        const int around = n;
        for (int r = reversals; r--;) {
            const int i = journal[2 * r], last = journal[2 * r + 1];
            team.for_each(length(i, last) / 2, [=](i64 k) {
                const int p = (i + int(k)) % around, q = (last + around - int(k)) % around;
                const Item item = to[p];
                to[p] = to[q];
                to[q] = item;
            });
            team.sync();
        }
        at_home = true;
    }

    // back to where the journal began
    MH_FN void undo() {
        if (at_home) {
            Item* to = x;
            const Item* from = home;
            team.sync();
            team.for_each(n, [=](i64 k) { to[k] = from[k]; });
            team.sync();
            place();
            return;
        }
        for (int r = reversals; r--;) {
            const int i = journal[2 * r], last = journal[2 * r + 1];
            reverse(i, last, length(i, last));
        }
    }

    MH_FN void place() {
        const Item* items = x;
        Place* places = positions;
        Cost* lengths = ahead;
        team.for_each(n, [=](i64 k) {
            places[items[k]] = Place(k);
            if constexpr (tabulated) lengths[k] = problem.edge(items[k], items[k + 1 == n ? 0 : k + 1]);
        });
        team.sync();
    }

    // at the end of the queue, those that do not wait already
    template <class... Items> MH_FN void wait(Items... items) {
        team.sync();
        if (team.rank == 0) (enqueue(items), ...);
        waiting = team.told(waiting, 0);
        team.sync();
    }

    MH_FN void enqueue(int item) {
        if (waits[item]) return;
        const int end = head + waiting++;
        waits[item] = 1;
        queue[end < n ? end : end - n] = Place(item);
    }

    MH_FN void wait_all() {
        const Item* items = x;
        Place* line = queue;
        u8* in = waits;
        team.for_each(n, [=](i64 k) {
            line[k] = Place(items[k]);
            in[k] = 1;
        });
        head = 0;
        waiting = n;
        team.sync();
    }

    MH_FN int first_waiting() {
        const int item = queue[head];
        team.sync();
        if (team.rank == 0) waits[item] = 0;
        head = head + 1 == n ? 0 : head + 1;
        --waiting;
        team.sync();
        return item;
    }

    // nobody waits any more
    MH_FN void send_away() {
        while (waiting) first_waiting();
    }

    // the edges a-b and c-d become a-c and b-d; by how much the tour becomes dearer, where a guide leads elsewhere
    MH_FN Cost make(int a, int b, int c, int d) {
        const bool behind = beside(a, 0) == b;
        Cost dearer = 0;
        if constexpr (Guide::guides)
            dearer = problem.edge(a, c) + problem.edge(b, d) - problem.edge(a, b) - problem.edge(c, d);
        flip(positions[behind ? b : a], positions[behind ? c : d]);
        wait(a, b, c, d);
        return dearer;
    }

    // reverses the positions i ... last, 1 <= i < last < n, as they are; by how much the tour becomes dearer
    MH_FN Cost kick(int i, int last) {
        const int a = x[i - 1], b = x[i], c = x[last], d = x[last + 1 == n ? 0 : last + 1];
        noted(i, last, last - i + 1);
        wait(a, b, c, d);
        return edge(a, c) + edge(b, d) - edge(a, b) - edge(c, d);
    }
};

// Exchanges of edges until no item has one that improves: items wait in a queue for their turn.
struct CandidateDescent : CandidateDescentData {
#ifdef __CUDACC__
    static constexpr bool tabulates = false;  // memory would take longer than to compute
#else
    static constexpr bool tabulates = true;
#endif

    struct Ends { int count, at[12]; };

    // an exchange: what it gains, its number in the order of enumeration, and who found it
    template <class Length> struct Found {
        Length gain;
        i64 number, by;
    };

    typedef decltype(CandidateDescentData::positions)::stored_type Place;

    // the tour of a walk, without a journal; nobody waits
    template <class Guide> MH_FN auto tour(Walk& walk, Guide guide) const {
        return tour<const Problem&>(walk, walk.problem, candidates, guide);
    }

    // the same with other edges and candidates
    template <class Edges, class Candidates, class Guide>
    MH_FN Tour<Edges, Candidates, Place, tabulates, Guide> tour(Walk& walk, Edges edges, const Candidates& near,
                                                                Guide guide) const {
        return {edges,
                near,
                guide,
                lengths.data,
                lengths.stride,
                walk.team,
                walk.x,
                positions.data,
                queue.data,
                waits.data,
                ahead.data,
                n,
                0,
                0,
                0,
                0,
                0,
                nullptr,
                nullptr,
                0,
                0,
                true};
    }

    MH_FN void prepare(Walk& walk) const { prepare(tour(walk, Unguided{})); }

    template <class Here> MH_FN void prepare(Here here) const {
        here.place();
        u8* in = waits.data;
        here.team.for_each(n, [=](i64 k) { in[k] = 0; });
        if constexpr (tabulates) {
            const int width = here.width();
            here.team.for_each(i64(n) * width, [&](i64 k) {
                const int item = int(k / width), rank = int(k % width);
                lengths(item, rank) = here.problem.edge(item, here.candidate(item, rank));
            });
        }
        here.team.sync();
    }

    // floats must fall by more than rounding, so that a descent ends
    MH_FN static Cost least(Total cost) {
        if constexpr (!IsDouble<Total>::value) return 0;
        const double size = cost < 0 ? -double(cost) : double(cost);
        return Cost(1e-9 * (size > 1.0 ? size : 1.0));
    }

    // The exchange that an item makes: the first one that improves, or the best, the first among equals; its ends, if
    // there is one. Where a team has found a first one, it goes there again to count those that a single thread would
    // have met until then.
    template <class Here, class Length> MH_FN Length exchange(Here& here, int item, Length least, Ends& ends) const {
        const Team team = here.team;
        Found<Length> found{least, Never<i64>::value, team.rank};
        volatile int at[12];  // which leaves the registers to others
        int count = 0, met = 0;
        i64 last = found.number;
        for (bool counts = false;; counts = true, met = 0) {
            here.stage = here.number = 0;
            exchanges_of(neighborhood, here, item, [&](Length gain, auto... items) {
                const i64 number = i64(here.stage) << 32 | here.number++;
                if (number > last) return true;
                ++met;
                if (counts || gain <= found.gain) return false;
                found.gain = gain;
                found.number = number;
                count = 0;
                ((at[count++] = items), ...);
                return !best;
            });
            if (team.size == 1 || counts || !team.any(count > 0)) break;
            found = team.first_of(found, [=](const auto& one, const auto& other) {
                return best && one.gain != other.gain ? one.gain > other.gain : one.number < other.number;
            });
            if (best) break;
            last = found.number;
        }
        here.evaluated += met;
        ends.count = count;
        if (found.number != Never<i64>::value) {
            for (int k = 0; k < 12; ++k) ends.at[k] = at[k];
            if (team.size > 1) ends = team.told(ends, found.by);
        }
        return found.gain;
    }

    template <class Here> MH_FN void descend(Here& here, Walk& walk) const {
        typedef typename Here::Length Length;
        const Length enough = least(walk.cost);
        while (here.waiting) {
            const int item = here.first_waiting();
            for (;;) {
                Ends ends;
                const Length gain = exchange(here, item, enough, ends);
                if (!ends.count) break;
                Total dearer = 0;
                for (int e = 0; e < ends.count; e += 4)
                    dearer += here.make(ends.at[e], ends.at[e + 1], ends.at[e + 2], ends.at[e + 3]);
                walk.cost += Here::guided ? dearer : -Total(gain);
            }
        }
    }

    MH_FN Outcome step(Walk& walk) const {
        auto here = tour(walk, Unguided{});
        here.wait_all();
        descend(here, walk);
        prepare_problem(walk.problem, walk.team, walk.x, walk.state);
        walk.team.sync();
        return {true, here.team.reduce(here.evaluated)};
    }

    // a move that a search around this one makes; the positions do not follow
    template <class O, class M> MH_FN bool join(Walk& walk, const O& other, M m, Cost delta, bool) const {
        walk.make_move(other, m, delta);
        prepare_neighborhood(other, walk.team, walk.x);
        walk.team.sync();
        return false;
    }
};
