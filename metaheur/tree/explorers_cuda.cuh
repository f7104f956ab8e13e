// Explorers on a GPU: a thread each; a block reports for all its explorers, and blocks plan the exchanges.
// explorers_host.cuh has the same names for a CPU.
extern __shared__ __align__(16) char mh_arena[];

// whether explorers are counted by their ranks as their round ends
constexpr bool counts_at_once = true;

// The lanes of a warp whose explorers search in step.
struct Lanes {
    u32 mask;

    MH_FN bool any(bool vote) const { return __any_sync(mask, vote); }
    MH_FN void meet() const { __syncwarp(mask); }
    // adds one; lanes with the same counter do so together
    MH_FN void increment(i32* counter) const {
        const u32 same = __match_any_sync(mask, reinterpret_cast<u64>(counter));
        if (__ffs(same) - 1 == int(threadIdx.x % 32)) atomicAdd(counter, __popc(same));
    }
};

// lowers a number that all explorers share
MH_FN void lower_shared(i64* shared, i64 cost) {
    __builtin_assume(__isGlobal(shared));
    atomicMin(shared, cost);
}

MH_FN void increment(i32* counter) { atomicAdd(counter, 1); }

// moves a node by the widest possible words
MH_FN void move(OpenNode& to, const OpenNode& from) {
    for (u32 k = 0; k < sizeof(OpenNode) / sizeof(uint4); ++k)
        reinterpret_cast<uint4*>(&to)[k] = reinterpret_cast<const uint4*>(&from)[k];
}
MH_FN void store(Node* to, const Node& node) {
    __builtin_assume(__isGlobal(to));
    *to = node;
}

// The node where an explorer is, and the child that it makes, in registers; whole nodes are moved.
struct CurrentNode : Position {
    struct Places {};
    static constexpr bool holds = false;  // whether a child can be kept for later

    Node here, next;

    MH_FN explicit CurrentNode(Places*) {}

    MH_FN const Node& node() const { return here; }
    MH_FN Node& made() { return next; }
    MH_FN void pop(const OpenNode* from) {
        __builtin_assume(__isGlobal(from));  // no generic load
        OpenNode copy;
        move(copy, *from);
        here = copy.node;
        read(copy);
    }
    MH_FN void push(OpenNode* to) const {
        __builtin_assume(__isGlobal(to));
        OpenNode copy;
        copy.node = here;
        write(copy);
        move(*to, copy);
    }
    MH_FN void go_down() { here = next; }
    MH_FN void hold() {}
};

// Moves every other child that waits on a donor's stack to `out`, from the bottom on; if several children of a node
// wait, the upper half. Returns how many nodes have such children. By a warp.
MH_FN i32 steal(const Batch& b, i64 donor, OpenNode* out) {
    OpenNode* const stack = b.stack + donor * b.levels;
    const i32 height = b.height[donor];
    i32 stays = 0, odd = 1, count = 0;
    const int lane = threadIdx.x % 32;
    const u32 before = (1u << lane) - 1;
    for (i32 start = 0; start < height; start += 32) {
        const i32 i = start + lane;
        OpenNode mine;
        if (i < height) move(mine, stack[i]);
        const i32 waiting = i < height ? mine.limit - mine.cursor : 0;
        const u32 odds = __ballot_sync(~0u, waiting & 1);
        const i32 half = (waiting + ((odd + __popc(odds & before)) & 1)) / 2;
        const u32 givers = __ballot_sync(~0u, half > 0);
        const i32 place = count + __popc(givers & before), given = place < most_stolen ? half : 0;
        if (given) {
            const i32 cursor = mine.cursor;
            mine.cursor = mine.limit - given;
            move(out[place], mine);
            mine.limit = mine.cursor;
            mine.cursor = cursor;
        }
        const u32 stayers = __ballot_sync(~0u, given < waiting);
        __syncwarp(~0u);  // all have read
        if (given < waiting) move(stack[stays + __popc(stayers & before)], mine);
        odd = (odd + __popc(odds)) & 1;
        count = count + __popc(givers) < most_stolen ? count + __popc(givers) : most_stolen;
        stays += __popc(stayers);
    }
    if (lane == 0) b.height[donor] = stays;
    return count;
}

// f(i, first) for each of a number of donors, by a warp; `first` for the one lane that does what is done once
template <class F> MH_FN void each_donor(i64 count, F f) {
    const i64 warps = i64(gridDim.x) * blockDim.x / 32;
    for (i64 i = (i64(blockIdx.x) * blockDim.x + threadIdx.x) / 32; i < count; i += warps) f(i, threadIdx.x % 32 == 0);
}

// f(k) for each of the nodes of a donor, at most as many as a warp has lanes
template <class F> MH_FN void each_stolen(i32 count, F f) {
    const i32 k = threadIdx.x % 32;
    if (k < count) f(k);
}

// takes `count` places after the taken ones; returns the first
MH_FN i64 claim(i64* taken, i32 count, bool first) {
    const i64 at = __shfl_sync(~0u, first ? i64(atomicAdd(reinterpret_cast<u64*>(taken), u64(count))) : 0, 0);
    __syncwarp(~0u);  // the stolen nodes are written
    return at;
}

// joins the reports of the threads of a block in the first one
template <int threads> MH_FN void join_block(RoundReport& report) {
    constexpr int warps = threads / 32, words = sizeof(RoundReport) / sizeof(i64);
    __shared__ RoundReport each[warps];
    for (int o = 16; o; o /= 2) {
        RoundReport other;
        const i64* from = reinterpret_cast<const i64*>(&report);
        i64* to = reinterpret_cast<i64*>(&other);
        for (int word = 0; word < words; ++word) to[word] = __shfl_xor_sync(~0u, from[word], o);
        join(report, other);
    }
    if (threadIdx.x % 32 == 0) each[threadIdx.x / 32] = report;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < warps; ++w) join(report, each[w]);
}

// Who plans the exchanges: the threads of a block.
struct Planners {
    static constexpr int threads = planners, warps = planners / 32;
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;

    // a number of each group
    MH_FN i64* sums() {
        __shared__ i64 of_groups[most_groups];
        return of_groups;
    }
    // the sum of the numbers of the threads before this one
    MH_FN i32 sum_before(i32 mine) const {
        __shared__ i32 of_warps[warps];
        i32 sum = mine;
        for (int o = 1; o < 32; o *= 2) {
            const i32 other = i32(__shfl_up_sync(~0u, sum, o));
            if (lane >= o) sum += other;
        }
        __syncthreads();  // `of_warps` may still be read
        if (lane == 31) of_warps[warp] = sum;
        __syncthreads();
        for (int w = 0; w < warp; ++w) sum += of_warps[w];
        return sum - mine;
    }
    MH_FN i64 sum_of_warp(i64 mine) const {
        for (int o = 16; o; o /= 2) mine += __shfl_xor_sync(~0u, mine, o);
        return mine;
    }
    MH_FN void meet() const { __syncthreads(); }
    MH_FN void join_reports(RoundReport& report) const { join_block<planners>(report); }
};

// f(group) for each group of explorers, by a block
template <class F> MH_FN void each_group(const Batch&, F f) { f(i64(blockIdx.x)); }

// Lists the explorers of a group in their order: donor(i, e) for explorers below a rank and the first `ties` of the
// rank, receiver(i, e) for the first `most` idle explorers.
template <class D, class R>
MH_FN void list_exchanges(const Batch& b, const Group& group, i32 rank, i32 ties, i32 idle, i32 most, D donor,
                          R receiver) {
    const Planners team;
    const u32 before = (1u << team.lane) - 1;
    const i64 part = (group.end - group.first + planners - 1) / planners * 32, from = group.first + team.warp * part,
              to = from + part < group.end ? from + part : group.end;
    const auto each = [&](auto work) {
        for (i64 e = from + team.lane; e - team.lane < to; e += 32) work(e, e < to ? b.ranks[e] : idle + 1);
    };
    i32 less = 0, equal = 0, none = 0;
    each([&](i64, i32 mine) {
        less += mine < rank;
        equal += mine == rank;
        none += mine == idle;
    });
    less = i32(__shfl_sync(~0u, team.sum_before(less), 0));
    equal = i32(__shfl_sync(~0u, team.sum_before(equal), 0));
    none = i32(__shfl_sync(~0u, team.sum_before(none), 0));
    each([&](i64 e, i32 mine) {
        const u32 lower = __ballot_sync(~0u, mine < rank), even = __ballot_sync(~0u, mine == rank),
                  rest = __ballot_sync(~0u, mine == idle);
        const i32 tie = equal + __popc(even & before), number = none + __popc(rest & before);
        if (mine < rank || (mine == rank && tie < ties))
            donor(less + __popc(lower & before) + (tie < ties ? tie : ties), e);
        if (mine == idle && number < most) receiver(number, e);
        less += __popc(lower);
        equal += __popc(even);
        none += __popc(rest);
    });
}

// Every explorer searches; a block reports. report_of(arguments, e, lanes)
template <class F> MH_FN void explore_each(const Arguments* arguments, i64, F report_of) {
    const i64 e = i64(blockIdx.x) * blockDim.x + threadIdx.x;
    Arguments a = *arguments;
    Arena common{mh_arena};
    const Staging staging{common};
    a.tree.each(staging);
    a.bound.each(staging);
    __syncthreads();
    const Batch& b = *a.batch;
    RoundReport report = empty_report(b.threshold, e);
    const Lanes lanes{__ballot_sync(~0u, e < b.count)};
    if (e < b.count) report = report_of(a, e, lanes);
    join_block<MH_THREADS>(report);
    if (threadIdx.x == 0) b.reports[blockIdx.x] = report;
}

// adds the waiting children to the report of each block: weigh(e, report)
template <class F> MH_FN void weigh_each(const Batch& b, F weigh) {
    const i64 e = i64(blockIdx.x) * blockDim.x + threadIdx.x;
    RoundReport report = empty_report(no_cost, e);
    if (e < b.count) weigh(e, report);
    join_block<MH_THREADS>(report);
    if (threadIdx.x == 0) {
        b.reports[blockIdx.x].waiting = report.waiting;
        b.reports[blockIdx.x].lowest = report.lowest;
    }
}
