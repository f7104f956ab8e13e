// Explorers on a CPU: one after the other on each of its threads. explorers_cuda.cuh has the same names for a GPU.

// whether explorers are counted by their ranks as their round ends
constexpr bool counts_at_once = false;

// The explorers that search in step: here each is alone.
struct Lanes {
    MH_FN bool any(bool vote) const { return vote; }
    MH_FN void meet() const {}
    MH_FN void increment(i32* counter) const { ++*counter; }
};

// lowers a number that all explorers share
MH_FN void lower_shared(i64* shared, i64 cost) {
    i64 seen = __atomic_load_n(shared, __ATOMIC_RELAXED);
    while (cost < seen && !__atomic_compare_exchange_n(shared, &seen, cost, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

MH_FN void increment(i32* counter) { ++*counter; }

MH_FN void move(OpenNode& to, const OpenNode& from) { to = from; }
MH_FN void store(Node* to, const Node& node) { *to = node; }

// The node where an explorer is, and the child that it makes. They stay where they lie, on the stack or beside it: a
// core waits where it reads as a whole what was just written in pieces.
struct CurrentNode : Position {
    typedef OpenNode Places[3];
    static constexpr bool holds = true;  // whether a child can be kept for later

    OpenNode *at, *own, *next, *other;  // the node; its place if it is beside the stack; two children

    MH_FN explicit CurrentNode(Places* places) : at(*places), own(at), next(at + 1), other(at + 2) {}

    MH_FN const Node& node() const { return at->node; }
    MH_FN Node& made() { return next->node; }
    MH_FN void pop(OpenNode* from) {
        at = from;
        read(*from);
    }
    MH_FN void push(OpenNode* to) const {
        if (at != to) to->node = at->node;
        write(*to);
    }
    MH_FN void go_down() {
        at = next;
        next = own;
        own = at;
    }
    // the child that was made and the other one change places
    MH_FN void hold() {
        OpenNode* const made = next;
        next = other;
        other = made;
    }
};

// Moves every other child that waits on a donor's stack to `out`, from the bottom on; if several children of a node
// wait, the upper half. Returns how many nodes have such children.
MH_FN i32 steal(const Batch& b, i64 donor, OpenNode* out) {
    OpenNode* const stack = b.stack + donor * b.levels;
    const i32 height = b.height[donor];
    i32 stays = 0, odd = 1, count = 0;
    for (i32 i = 0; i < height; ++i) {
        const i32 waiting = stack[i].limit - stack[i].cursor, given = count < most_stolen ? (waiting + odd) / 2 : 0;
        odd = (waiting + odd) % 2;
        if (given) {
            out[count] = stack[i];
            out[count++].cursor = stack[i].limit -= given;
        }
        if (given == waiting) continue;
        if (i != stays) stack[stays] = stack[i];
        ++stays;
    }
    b.height[donor] = stays;
    return count;
}

// f(i, true) for each of a number of donors
template <class F> MH_FN void each_donor(i64 count, F f) {
    for (i64 i = 0; i < count; ++i) f(i, true);
}

// f(k) for each of the nodes of a donor
template <class F> MH_FN void each_stolen(i32 count, F f) {
    for (i32 k = 0; k < count; ++k) f(k);
}

// takes `count` places after the taken ones; returns the first
MH_FN i64 claim(i64* taken, i32 count, bool) {
    *taken += count;
    return *taken - count;
}

// Who plans the exchanges: one thread.
struct Planners {
    static constexpr int threads = 1, warps = 1, thread = 0, lane = 0, warp = 0;
    i64 of_groups[most_groups];

    MH_FN i64* sums() { return of_groups; }
    MH_FN i32 sum_before(i32) const { return 0; }
    MH_FN i64 sum_of_warp(i64 mine) const { return mine; }
    MH_FN void meet() const {}
    MH_FN void join_reports(RoundReport&) const {}
};

// f(group) for each group of explorers
template <class F> MH_FN void each_group(const Batch& b, F f) {
    for (i64 g = 0; g < b.groups; ++g) f(g);
}

// Lists the explorers of a group in their order: donor(i, e) for explorers below a rank and the first `ties` of the
// rank, receiver(i, e) for the first `most` idle explorers.
template <class D, class R>
MH_FN void list_exchanges(const Batch& b, const Group& group, i32 rank, i32 ties, i32 idle, i32 most, D donor,
                          R receiver) {
    i32 tie = 0, donors = 0, receivers = 0;
    for (i64 e = group.first; e < group.end; ++e) {
        const i32 mine = b.ranks[e];
        if (mine < rank || (mine == rank && tie++ < ties)) donor(donors++, e);
        if (mine == idle && receivers < most) receiver(receivers++, e);
    }
}

// Explorers first ... end - 1 search, by number `threads` of threads; each reports. report_of(arguments, e, lanes)
template <class F> MH_FN void explore_each(const Arguments* arguments, i64 threads, F report_of) {
    const Arguments a = *arguments;  // a copy, which writing nodes cannot change
    const i64 first = a.batch->first, end = a.batch->end;
    const auto one = [&](i64 e) { a.batch->reports[e] = report_of(a, e, Lanes()); };
#ifdef _OPENMP
    if (threads > 1) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(int(threads))
        for (i64 e = first; e < end; ++e) one(e);
        return;
    }
#endif
    for (i64 e = first; e < end; ++e) one(e);
}

// adds the waiting children to each report: weigh(e, report)
template <class F> MH_FN void weigh_each(const Batch& b, F weigh) {
    for (i64 e = 0; e < b.count; ++e) {
        b.reports[e].waiting = 0;
        b.reports[e].lowest = no_cost;
        weigh(e, b.reports[e]);
    }
}
