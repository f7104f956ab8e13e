#ifndef MH_TOUR
#define MH_TOUR
// The default guide: adds nothing to the lengths of edges.
struct Unguided {
    typedef Cost Length;
    static constexpr bool guides = false;
    MH_FN Cost operator()(int, int) const { return 0; }
};

// A tour while exchanges of edges change it. `positions` has the positions of items; `queue` is a ring of items, each
// at most once. The numbers are the same in all threads of the team, except `number` and `evaluated`.
template <class Edges, class Candidates, class Place, bool tabulated, bool best, class Guide> struct Tour {
    typedef typename Guide::Length Length;
    static constexpr bool guided = Guide::guides;
    Edges problem;  // has `edge`
    const Candidates& candidates;
    Guide guide;
    const Cost* lengths;  // of the edges to candidates, a row for each item; null if they are not kept
    i64 stride;
    Team team;
    Item* x;
    Place *positions, *queue;
    u8* waits;
    Cost* ahead;  // the lengths of the edges from each position to the next; null if they are not kept
    int n, head, waiting;
    u32 stage, number;  // of the neighborhood in a union, and of the next exchange in the order of enumeration there
    i64 evaluated;      // by this thread

    struct Pair { int i, last; };

    // the reversals since the journal began, as pairs of positions; when the journal is full, `home` becomes the tour
    // of its beginning
    Pair* journal;
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

    // A warp examines several items at once, a crowd of its threads each, since few candidates may give a gain.
    MH_FN int crowd() const { return team.size == 32 ? MH_CROWD : team.size; }
    MH_FN int crowds() const { return team.size / crowd(); }
    MH_FN int number_of_crowd() const { return team.rank / crowd(); }

    // The threads of a crowd share the exchanges of an item: each examines one side, or both, and every
    // places_apart()-th candidate. Exchanges are numbered in the order in which a single thread would meet them,
    // from the number of `at` on.
    MH_FN int first_side() const { return team.size > 1 ? team.rank % crowd() / places_apart() : 0; }
    MH_FN int sides() const { return team.size > 1 ? 2 : 1; }
    MH_FN int first_place() const { return team.rank % places_apart(); }
    MH_FN int places_apart() const { return team.size > 1 ? crowd() / 2 : 1; }
    MH_FN void at(int first) {
        if (team.size > 1) number = u32(first);
    }
    // threads that would be idle if `count` threads have a place to examine
    MH_FN int spare(int places) const { return places_apart() > places ? places_apart() / places : 1; }

    // The threads of a warp that examine one side may share the computation of a value that all of them need: whether
    // there are so many of them, and the value of the thread that begins at a place.
    MH_FN bool shares(int count) const { return team.size == 32 && count <= places_apart(); }
    template <class T> MH_FN T told(T mine, int place) const {
        return team.told(mine, team.rank - first_place() + place);
    }

    // whether the enumeration, at its next stage, may end: the first exchange has been found
    MH_FN bool any(bool found) {
        ++stage;
        if constexpr (best) return false;
        return crowds() == 1 ? team.any(found) : !team.any(!found);
    }

    // the item after another one (side 0), or before it (side 1)
    MH_FN int beside(int item, int side) const { return along(item, 1, side); }

    // the item at a distance of `places` after another one, or before it; less than the number of items
    MH_FN int along(int item, int steps, int side) const {
        const u32 p = u32(positions[item] + (side ? -steps : steps)), around = u32(n);
        const u32 low = least(p, p + around);  // below 0 wraps to huge numbers
        return x[least(low, low - around)];
    }
    MH_FN static u32 least(u32 a, u32 b) { return a < b ? a : b; }

    // the length of the edge to that item
    MH_FN Length edge_beside(int item, int side, int other) const {
        if constexpr (!tabulated) return edge(item, other);
        const int p = positions[item];
        return length_ahead(side ? (p ? p - 1 : n - 1) : p) + guide(item, other);
    }

    // the length of the edge from a position to the next
    MH_FN Cost length_ahead(int p) const {
        if constexpr (tabulated) return ahead[p];
        else return problem.edge(x[p], x[p + 1 == n ? 0 : p + 1]);
    }

    // the number of items from a to b, both included, in one direction
    MH_FN int steps_to(int a, int b, int side) const {
        const int right = int(positions[b]) - int(positions[a]), ahead = side ? -right : right;
        return ahead < 0 ? ahead + n : ahead;
    }

    // f(p, q) for the pairs of positions from both ends of i ... last, counted around the tour
    template <class F> MH_FN void pairs(int i, int last, int length, F f) const {
        const u32 around = n;
        if (team.size == 1 && i <= last) team.for_few(length / 2, [=](int k) { f(i + k, last - k); });
        else
            team.for_few(length / 2, [=](int k) {
                const u32 p = i + k, q = last - k;
                f(int(least(p, p - around)), int(least(q, q + around)));
            });
    }

    // the items at the positions i ... last in the opposite order
    MH_FN void reverse(int i, int last, int length) {
        Item* items = x;
        Place* places = positions;
        team.sync();  // other threads may still read
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

    // the same, recorded in the journal
    MH_FN void noted(int i, int last, int length) {
        if (length < 2) return;
        if (!at_home && reversals == room) return_home();
        if (!at_home) {
            if (team.rank == 0) journal[reversals] = {i, last};
            ++reversals;
        }
        reverse(i, last, length);
    }

    MH_FN int length(int i, int last) const { return last - i + (last < i ? n + 1 : 1); }

    // reverses the positions i ... last; or all other positions, which gives the same tour, if these are fewer
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

    // the journal is full: build the tour of its beginning in `home`
    MH_FN void return_home() {
        Item* to = home;
        copy(x, to);
        rewind(to, journal, reversals);
        at_home = true;
    }

    // undoes reversals of a copy of the tour, the last one first
    MH_FN void rewind(Item* to, const Pair* made, int count) const {
        MH_ROLLED
        for (int r = count; r--;) {
            const auto [i, last] = made[r];
            pairs(i, last, length(i, last), [=](int p, int q) {
                const Item item = to[p];
                to[p] = to[q];
                to[q] = item;
            });
            team.sync();
        }
    }

    MH_FN void copy(const Item* from, Item* to) const {
        team.sync();
        team.for_few(n, [=](int k) { to[k] = from[k]; });
        team.sync();
    }

    // back to the tour at the journal's beginning
    MH_FN void undo() {
        if (at_home) {
            copy(home, x);
            place();
            return;
        }
        for (int end = reversals; end > 0; end -= team.size) {  // each thread reads one
            const int own = end - 1 - team.rank;
            const Pair mine = own < 0 ? Pair{0, 0} : journal[own];
            for (int k = 0; k < team.size && k < end; ++k) {
                const Pair pair = team.told(mine, k);
                reverse(pair.i, pair.last, length(pair.i, pair.last));
            }
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

    // append items to the queue, except items that are in it
    template <class... Items> MH_FN void wait(Items... items) {
        if (team.size == 32) {
            int k = 0, own = 0;
            ((own = team.rank == k++ ? items : own), ...);
            line_up(own, sizeof...(items));
        } else {
            team.sync();
            if (team.rank == 0) (enqueue(items), ...);
            waiting = team.told(waiting, 0);
            team.sync();
        }
    }

    // the same by a warp, whose first `count` threads have an item each
    MH_FN void line_up(int item, int count) {
        team.sync();
        int total;
        const int place = team.place_in_line(team.rank < count && !waits[item], item, total);
        team.sync();
        if (place >= 0) {
            waits[item] = 1;
            queue[from_head(waiting + place)] = Place(item);
        }
        waiting += total;
        team.sync();
    }

    MH_FN void enqueue(int item) {
        if (waits[item]) return;
        waits[item] = 1;
        queue[from_head(waiting++)] = Place(item);
    }

    MH_FN int from_head(int k) const { return head + k < n ? head + k : head + k - n; }
    MH_FN int in_line(int k) const { return queue[from_head(k)]; }

    // the first `count` items have been examined; in a warp, a thread of each crowd has one of these items
    MH_FN void leave(bool tells, int item, int count) {
        team.sync();
        if (tells) waits[item] = 0;
        head = from_head(count);
        waiting -= count;
        team.sync();
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
        const int item = in_line(0);
        leave(team.rank == 0, item, 1);
        return item;
    }

    // the first crowd with a thread that says yes; or the number of crowds
    MH_FN int first_crowd(bool yes) const {
        if (crowds() == 1) return team.any(yes) ? 0 : 1;
        return int(u32(team.first(yes)) / u32(crowd()));
    }

    // empties the queue
    MH_FN void send_away() {
        while (waiting) first_waiting();
    }

    // the edges a-b and c-d become a-c and b-d, whose ends are not in the queue yet; returns the increase of the tour's
    // length, which can differ from the gain under a guide
    MH_FN Cost make(int a, int b, int c, int d) {
        const bool behind = beside(a, 0) == b;
        Cost dearer = 0;
        if constexpr (Guide::guides)
            dearer = problem.edge(a, c) + problem.edge(b, d) - problem.edge(a, b) - problem.edge(c, d);
        flip(positions[behind ? b : a], positions[behind ? c : d]);
        return dearer;
    }

    // reverses exactly the positions i ... last, 1 <= i < last < n; returns the increase of the tour's length
    MH_FN Cost kick(int i, int last) {
        const int a = x[i - 1], b = x[i], c = x[last], d = x[last + 1 == n ? 0 : last + 1];
        noted(i, last, last - i + 1);
        wait(a, b, c, d);
        if (team.size != 32 || IsDouble<Cost>::value) return edge(a, c) + edge(b, d) - edge(a, b) - edge(c, d);
        const int k = team.rank;  // in a warp, four threads have an edge each
        const Cost own = k < 4 ? edge(k & 1 ? d : a, k == 0 || k == 3 ? c : b) : Cost(0);
        return team.reduce(k < 2 ? own : -own);
    }
};
#endif
