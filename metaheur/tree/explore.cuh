// An explorer searches depth first what is left of its interval. It is at a node; on its stack are those above it that
// have children which wait. Before it goes down to a child it looks for the next one that stays: so only nodes with
// something left are put on the stack, and who takes one from there finds a child that stays. The same code runs on
// every device.

// a node, its bound, the next child to try and the one behind the last
struct alignas(16) Open {
    Node node;
    i64 lower;
    i32 depth, cursor, limit;
};

// what an explorer, or a block of them, says of a round
struct Said {
    i64 branched, bounded, complete, kept, by_bound, deepest;
    i64 untried, idle, rich;          // children that wait; who has none, and who has more than one
    i64 lowest;                       // the least bound of a node that has some
    i64 cost, winner, depth, faulty;  // the best solution, whose it is, the depth of its node; the first wrong bound

    MH_FN static Said nothing(i64 cost, i64 winner) {
        return {0, 0, 0, 0, 0, 0, 0, 0, 0, no_cost, cost, winner, 0, no_cost};
    }
    MH_FN void count(const Said& other) {
        branched += other.branched;
        bounded += other.bounded;
        complete += other.complete;
        kept += other.kept;
        by_bound += other.by_bound;
        deepest = other.deepest > deepest ? other.deepest : deepest;
    }
    MH_FN void join(const Said& other) {
        count(other);
        untried += other.untried;
        idle += other.idle;
        rich += other.rich;
        lowest = other.lowest < lowest ? other.lowest : lowest;
        faulty = other.faulty < faulty ? other.faulty : faulty;
        if (other.cost < cost || (other.cost == cost && other.winner < winner)) {
            cost = other.cost;
            winner = other.winner;
            depth = other.depth;
        }
    }
};

// explorers that deal with each other first
struct Group {
    i64 first, end;         // its explorers, and the one behind the last
    i64 own, given, taken;  // pairs within the group; who gives to other groups, and who takes from them
    i64 below;              // who has a lower rank than the last that gives
};

// What the rounds of a call came to, and what the next one begins with; behind it lie the groups.
struct Progress {
    Said said;           // counts of all rounds, and the rest of what was said of the last one
    i64 rounds, steps;   // how many rounds, and how far an explorer went in them
    i64 ended;           // whether the host has to look
    i64 pairs, shorter;  // how many give to others; whether the round is a short one
    i64 key;             // the last rank that gives

    MH_FN void add(Said round, i64 went) {
        if (rounds) round.count(said);
        said = round;
        ++rounds;
        steps += went;
    }
};

static_assert(sizeof(Open) == open_bytes && sizeof(Said) == said_numbers * sizeof(i64) &&
                  sizeof(Progress) == progress_numbers * sizeof(i64) && sizeof(Group) == group_numbers * sizeof(i64),
              "Python and C++ disagree");

// how many children an explorer tries in the round
MH_FN i64 steps_of(const Batch& b) {
    if (!b.plans || !b.progress->shorter) return b.steps;
    return b.steps < shorter_by ? 1 : b.steps / shorter_by;
}

MH_FN Group* groups_of(const Batch& b) { return reinterpret_cast<Group*>(b.progress + 1); }

// how many ranks there are: the last two are of who has nothing, and of who has one child
MH_FN i32 ranks_of(const Batch& b) { return i32(b.levels) * widest + 2; }

// counts a rank of who is number `e`; on a GPU as a round ends, the lanes of a warp together
MH_FN void count_rank(const Batch& b, i64 e, i32 rank, [[maybe_unused]] u32 lanes) {
    i64 g = 0;
    while (e >= groups_of(b)[g].end) ++g;
    i32* const bin = b.bins + g * ranks_of(b) + rank;
#ifdef __CUDACC__
    const u32 same = __match_any_sync(lanes, reinterpret_cast<u64>(bin));
    if (__ffs(same) - 1 == int(threadIdx.x % 32)) atomicAdd(bin, __popc(same));
#else
    ++*bin;
#endif
}

// whether an explorer can give; its interval ranks by the depth of its first children that wait, and by their number
MH_FN void rank(const Batch& b, i64 e, u32 lanes, Said& said) {
    const Open& bottom = b.stack[e * b.levels];
    const i32 height = b.height[e];
    const i64 first = height ? bottom.limit - bottom.cursor : 0, less = first < widest ? widest - first : 0;
    said.idle = height == 0;
    said.rich = height > 1 || first > 1;
    const i32 rank = i32(said.rich ? bottom.depth * widest + less : b.levels * widest + !said.idle);
    b.ranks[e] = rank;
#ifdef __CUDACC__
    count_rank(b, e, rank, lanes);
#endif
}

// what is left of an interval
MH_FN void weigh(const Batch& b, i64 e, Said& said) {
    const Open* const stack = b.stack + e * b.levels;
    const i32 height = b.height[e];
    double share = 0;
    for (i32 i = 0; i < height; ++i) {
        const i64 waiting = stack[i].limit - stack[i].cursor;
        said.untried += waiting;
        share += double(waiting) * b.shares[stack[i].depth + 1];
        said.lowest = stack[i].lower < said.lowest ? stack[i].lower : said.lowest;
    }
    b.left[e] = share;
}

// where better solutions are visible at once: what one explorer has found prunes for all
MH_FN void tell(i64* shared, i64 cost) {
#ifdef __CUDACC__
    __builtin_assume(__isGlobal(shared));
    atomicMin(shared, cost);
#else
    i64 seen = __atomic_load_n(shared, __ATOMIC_RELAXED);
    while (cost < seen && !__atomic_compare_exchange_n(shared, &seen, cost, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
#endif
}

// Where an explorer works: the node where it is, and the child that it makes.
struct Spot {
    i64 lower = 0;
    i32 depth = 0, cursor = 0, limit = 0;

    MH_FN void read(const Open& from) {
        lower = from.lower;
        depth = from.depth;
        cursor = from.cursor;
        limit = from.limit;
    }
    MH_FN void write(Open& to) const {
        to.lower = lower;
        to.depth = depth;
        to.cursor = cursor;
        to.limit = limit;
    }
};

#ifdef __CUDACC__
extern __shared__ __align__(16) char mh_arena[];

// in registers; whole records move, by words as wide as can be
struct Desk : Spot {
    struct Beside {};
    static constexpr bool holds = false;  // a child for later

    Node here, next;

    MH_FN explicit Desk(Beside*) {}

    MH_FN const Node& node() const { return here; }
    MH_FN Node& made() { return next; }
    MH_FN void take(const Open* from) {
        __builtin_assume(__isGlobal(from));  // no generic load
        Open copy;
        move(copy, *from);
        here = copy.node;
        read(copy);
    }
    MH_FN void put(Open* to) const {
        __builtin_assume(__isGlobal(to));
        Open copy;
        copy.node = here;
        write(copy);
        move(*to, copy);
    }
    MH_FN void go_down() { here = next; }
    MH_FN void hold() {}

    MH_FN static void move(Open& to, const Open& from) {
        for (u32 k = 0; k < sizeof(Open) / sizeof(uint4); ++k)
            reinterpret_cast<uint4*>(&to)[k] = reinterpret_cast<const uint4*>(&from)[k];
    }
};
#else
// where they lie, on the stack or beside it: a core waits where it reads as a whole what was just written in pieces
struct Desk : Spot {
    typedef Open Beside[3];
    static constexpr bool holds = true;

    Open *at, *own, *next, *other;  // where the node is; its place if it is beside the stack; of two children

    MH_FN explicit Desk(Beside* three) : at(*three), own(at), next(at + 1), other(at + 2) {}

    MH_FN const Node& node() const { return at->node; }
    MH_FN Node& made() { return next->node; }
    MH_FN void take(Open* from) {
        at = from;
        read(*from);
    }
    MH_FN void put(Open* to) const {
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
        Open* const made = next;
        next = other;
        other = made;
    }
};
#endif

// The lanes of a warp that are explorers; on a CPU each is alone.
#ifdef __CUDACC__
struct Together {
    u32 mask;

    MH_FN bool any(bool vote) const { return __any_sync(mask, vote); }
    MH_FN void meet() const { __syncwarp(mask); }
};
#else
struct Together {
    static constexpr u32 mask = 1;

    MH_FN bool any(bool vote) const { return vote; }
    MH_FN void meet() const {}
};
#endif

// The search of one explorer in one round.
struct Search {
    const Arguments& a;
    Batch b;
    const i64 e;
    u32 branched = 0, bounded = 0, complete = 0, kept = 0, by_bound = 0, deepest = 0;  // a round is short enough
    i64 cost, winner_depth = 0;
    bool faulty = false;
    Desk desk;

    // `beside` is apart, so that what is written there cannot be thought to change anything here
    MH_FN Search(const Arguments& arguments, i64 explorer, Desk::Beside* beside)
        : a(arguments), b(*arguments.batch), e(explorer), cost(b.threshold), desk(beside) {
        b.steps = steps_of(b);
    }

    MH_FN Said said(Together lanes) const {
        Said said{branched, bounded, complete, kept, by_bound, deepest,      0,
                  0,        0,       no_cost,  cost, e,        winner_depth, no_cost};
        if (faulty) said.faulty = e;
        rank(*a.batch, e, lanes.mask, said);
        return said;
    }

    // So many children are tried; a better solution of the explorer's own prunes at once. The lanes of a warp go from
    // node to node together: apart, each would wait for all others at every step.
    MH_FN void run(Together lanes) {
        Open* const stack = b.stack + e * b.levels;
        i32 height = b.height[e];
        u32 steps = 0, visits = 0;
        for (bool busy = true; lanes.any(busy);) {
            busy = busy && steps < b.steps && !faulty && (desk.cursor < desk.limit || height);
            if (busy && desk.cursor == desk.limit) desk.take(stack + --height);
            lanes.meet();
            i64 lower = 0;
            const i32 child = busy && open(visits) ? look(steps, lower) : -1;
            lanes.meet();
            if (child < 0) continue;
            if (desk.cursor < desk.limit) desk.put(stack + height++);
            go_down(child, lower);
        }
        if (desk.cursor < desk.limit) desk.put(stack + height++);
        b.height[e] = height;
    }

    // whether the node where the explorer is is not pruned by a solution that was found since
    MH_FN bool open(u32& visits) {
        if (b.shared && visits++ % 64 == 0) {
            const i64 told = *const_cast<const volatile i64*>(b.shared);
            b.threshold = told < b.threshold ? told : b.threshold;
        }
        if (desk.lower < b.threshold) return true;
        by_bound += desk.cursor == 0;
        desk.cursor = desk.limit;
        return false;
    }

    // the next child that stays, -1 for none, and its bound; the cursor moves on to the one after it that stays
    MH_FN i32 look(u32& steps, i64& lower) {
        constexpr bool both = SeesBoth<Bound>::value, looks = both || LooksAhead<Bound>::value;
        constexpr int most = looks ? ahead_at_once : 1;
        const bool leaves = desk.depth + 1 == i32(b.levels);
        i32 child = -1;
        branched += desk.cursor == 0;
        while (desk.cursor < desk.limit) {
            const i32 from = desk.cursor, left = desk.limit - from, count = left < most ? left : most;
            i64 seen[most];
            if constexpr (both) see_both(a.bound, a.tree, desk.node(), desk.depth, from, desk.lower, seen);
            else if constexpr (looks)
                look_ahead(a.bound, a.tree, desk.node(), desk.depth, from, from + count, b.threshold, seen);
            else seen[0] = make(from) ? a.bound.lower(a.tree, desk.made(), desk.depth + 1) : no_cost;
            if constexpr (most == 2) {  // lanes that differ go this way together
                const bool two = count == 2, first = seen[0] < b.threshold, second = two && seen[1] < b.threshold;
                if (!leaves && (!first || seen[0] >= desk.lower) && (!second || seen[1] >= desk.lower)) {
                    const u32 gone = u32(!first && seen[0] != no_cost) + u32(two && !second && seen[1] != no_cost);
                    const u32 below = gone ? u32(desk.depth) + 1 : 0;
                    steps += u32(count);
                    bounded += gone;
                    by_bound += gone;
                    deepest = below > deepest ? below : deepest;
                    desk.cursor = first && second ? from + 1 : desk.limit;
                    lower = first ? seen[0] : seen[1];
                    return first ? from : second ? from + 1 : -1;
                }
            }
            for (int i = 0; i < most; ++i) {
                if (i == count) break;
                const i64 found = seen[i];
                ++steps;
                if (found >= b.threshold) {
                    if (found != no_cost) prune(leaves);
                } else if (leaves || found < desk.lower) {
                    if (looks) make_bounded(a.tree, desk.node(), desk.depth, from + i, found, desk.made());
                    if (found < desk.lower) {
                        refuse(found, no_cost);
                        return -1;
                    }
                    this->count(true);
                    keep(found);
                } else if (child >= 0) {
                    return child;
                } else {
                    child = from + i;
                    lower = found;
                    if constexpr (!looks) desk.hold();
                }
                ++desk.cursor;
            }
        }
        return child;
    }

    MH_FN void prune(bool whole) {
        count(whole);
        ++by_bound;
    }

    MH_FN bool make(i32 k) { return a.tree.child(desk.node(), desk.depth, k, desk.made()); }

    MH_FN void count(bool whole) {
        ++bounded;
        complete += whole;
        deepest = u32(desk.depth) + 1 > deepest ? u32(desk.depth) + 1 : deepest;
    }

    MH_FN void go_down(i32 k, i64 lower) {
        if constexpr (Desk::holds && !SeesBoth<Bound>::value && !LooksAhead<Bound>::value) desk.hold();
        else make_bounded(a.tree, desk.node(), desk.depth, k, lower, desk.made());
        count(false);
        ++kept;
#if MH_COMPLETES
        if (b.completes) {
            const i64 upper = a.bound.upper(a.tree, desk.made(), desk.depth + 1);
            if (upper < lower) return refuse(lower, upper);
            if (upper < b.threshold) keep(upper);
        }
#endif
        desk.go_down();
        desk.lower = lower;
        desk.cursor = 0;
        ++desk.depth;
        desk.limit = same_arity ? MH_ARITY : i32(b.arities[desk.depth]);
    }

    // the child's solution is the best one
    MH_FN void keep(i64 better) {
        b.threshold = cost = better;
        winner_depth = desk.depth + 1;
        write(b.winners + 3 * e, desk.made());
        if (b.shared) tell(b.shared, better);
    }

    MH_FN static void write(Node* to, const Node& node) {
#ifdef __CUDACC__
        __builtin_assume(__isGlobal(to));
#endif
        *to = node;
    }

    MH_FN void refuse(i64 lower, i64 upper) {
        faulty = true;
        write(b.winners + 3 * e + 1, desk.node());
        write(b.winners + 3 * e + 2, desk.made());
        const i64 numbers[] = {desk.depth, desk.lower, lower, upper};
        for (int i = 0; i < 4; ++i) b.faults[4 * e + i] = numbers[i];
    }
};

// Every other child that waits at the first nodes of a victim's stack: of several at one node the upper half. They go
// to `out`; returns how many nodes these are. On a GPU, by a warp.
MH_FN i32 take_from(const Batch& b, i64 victim, Open* out) {
    Open* const stack = b.stack + victim * b.levels;
    const i32 height = b.height[victim];
    i32 stays = 0, odd = 1, count = 0;
#ifdef __CUDACC__
    const int lane = threadIdx.x % 32;
    const u32 before = (1u << lane) - 1;
    for (i32 start = 0; start < height; start += 32) {
        const i32 i = start + lane;
        Open mine;
        if (i < height) Desk::move(mine, stack[i]);
        const i32 waiting = i < height ? mine.limit - mine.cursor : 0;
        const u32 odds = __ballot_sync(~0u, waiting & 1);
        const i32 half = (waiting + ((odd + __popc(odds & before)) & 1)) / 2;
        const u32 givers = __ballot_sync(~0u, half > 0);
        const i32 place = count + __popc(givers & before), given = place < most_taken ? half : 0;
        if (given) {
            const i32 cursor = mine.cursor;
            mine.cursor = mine.limit - given;
            Desk::move(out[place], mine);
            mine.limit = mine.cursor;
            mine.cursor = cursor;
        }
        const u32 stayers = __ballot_sync(~0u, given < waiting);
        __syncwarp(~0u);  // all have read
        if (given < waiting) Desk::move(stack[stays + __popc(stayers & before)], mine);
        odd = (odd + __popc(odds)) & 1;
        count = count + __popc(givers) < most_taken ? count + __popc(givers) : most_taken;
        stays += __popc(stayers);
    }
    if (lane == 0) b.height[victim] = stays;
#else
    for (i32 i = 0; i < height; ++i) {
        const i32 waiting = stack[i].limit - stack[i].cursor, given = count < most_taken ? (waiting + odd) / 2 : 0;
        odd = (waiting + odd) % 2;
        if (given) {
            out[count] = stack[i];
            out[count++].cursor = stack[i].limit -= given;
        }
        if (given == waiting) continue;
        if (i != stays) stack[stays] = stack[i];
        ++stays;
    }
    b.height[victim] = stays;
#endif
    return count;
}

// for each of a number of things: by a warp of a GPU, whose first lane does what is done once
struct EachWarp {
    template <class F> MH_FN void each(i64 count, F f) const {
#ifdef __CUDACC__
        const i64 warps = i64(gridDim.x) * blockDim.x / 32;
        for (i64 i = (i64(blockIdx.x) * blockDim.x + threadIdx.x) / 32; i < count; i += warps)
            f(i, threadIdx.x % 32 == 0);
#else
        for (i64 i = 0; i < count; ++i) f(i, true);
#endif
    }
};

#ifdef __CUDACC__
// what the threads of a block say, in the first one
template <int threads> MH_FN void join_block(Said& said) {
    constexpr int warps = threads / 32, words = sizeof(Said) / sizeof(i64);
    __shared__ Said each[warps];
    for (int o = 16; o; o /= 2) {
        Said other;
        const i64* from = reinterpret_cast<const i64*>(&said);
        i64* to = reinterpret_cast<i64*>(&other);
        for (int word = 0; word < words; ++word) to[word] = __shfl_xor_sync(~0u, from[word], o);
        said.join(other);
    }
    if (threadIdx.x % 32 == 0) each[threadIdx.x / 32] = said;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < warps; ++w) said.join(each[w]);
}
#endif

// the sum of what the threads that plan before this one have; on a CPU there are none
MH_FN i32 sum_before([[maybe_unused]] i32 mine) {
#ifdef __CUDACC__
    constexpr int warps = planners / 32;
    __shared__ i32 sums[warps];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    i32 sum = mine;
    for (int o = 1; o < 32; o *= 2) {
        const i32 other = i32(__shfl_up_sync(~0u, sum, o));
        if (lane >= o) sum += other;
    }
    __syncthreads();  // `sums` may still be read
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; ++w) sum += sums[w];
    return sum - mine;
#else
    return 0;
#endif
}

// the threads that plan meet; a CPU's is alone
MH_FN void meet_all() {
#ifdef __CUDACC__
    __syncthreads();
#endif
}

// the sum of what the lanes of a warp have
MH_FN i64 sum_of_warp(i64 mine) {
#ifdef __CUDACC__
    for (int o = 16; o; o /= 2) mine += __shfl_xor_sync(~0u, mine, o);
#endif
    return mine;
}

// number `value` of threads share the explorers on a CPU, or some of them; what they say is said explorer by explorer,
// on a GPU by blocks
MH_ENTRY(explore_all) {
    if (arguments->batch->plans && arguments->batch->progress->ended) return;
#ifdef __CUDACC__
    const i64 e = i64(blockIdx.x) * blockDim.x + threadIdx.x;
    Arguments a = *arguments;
    Arena common{mh_arena};
    const Staging staging{common};
    a.tree.each(staging);
    a.bound.each(staging);
    __syncthreads();
    const Batch& b = *a.batch;
    Said said = Said::nothing(b.threshold, e);
    const Together lanes{__ballot_sync(~0u, e < b.count)};
    if (e < b.count) {
        Desk::Beside beside;
        Search search(a, e, &beside);
        search.run(lanes);
        said = search.said(lanes);
    }
    join_block<MH_THREADS>(said);
    if (threadIdx.x == 0) b.said[blockIdx.x] = said;
#else
    const Arguments a = *arguments;  // a copy, which no node that is written can change
    const i64 first = a.batch->first, end = a.batch->end;
    const auto one = [&](i64 e) {
        Desk::Beside beside;
        Search search(a, e, &beside);
        search.run(Together());
        a.batch->said[e] = search.said(Together());
    };
#ifdef _OPENMP
    if (value > 1) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(int(value))
        for (i64 e = first; e < end; ++e) one(e);
        return;
    }
#endif
    for (i64 e = first; e < end; ++e) one(e);
#endif
}

// How many of a group deal. `gives` and `takes` are the shares of the last rank that gives, and of those who have
// nothing, that have to be allotted to the groups, each in proportion to what it has.
MH_FN void deal(const Batch& b, i64 g, i64 gives, i64 takes, Group& group) {
    const i64 columns = ranks_of(b), key = b.progress->key;
    const auto allotted = [&](i64 number, i64 column) {
        i64 before = 0, all = 0;
        for (i64 h = 0; h < b.groups; ++h) {
            const i64 most = b.bins[h * columns + column];
            all += most;
            before += h < g ? most : 0;
        }
        const i64 mine = b.bins[g * columns + column];
        return mine ? number * (before + mine) / all - number * before / all : 0;
    };
    const i64 give = group.below + allotted(gives, key), take = allotted(takes, columns - 2);
    group.own = give < take ? give : take;
    group.given = give - group.own;
    group.taken = take - group.own;
}

// What was said of a round, in `value` rows, and how many deal before the next one, if all groups are here: those of
// the lowest ranks give.
MH_ENTRY_OF(planners, sum_all) {
    const Batch& b = *arguments->batch;
    Progress& progress = *b.progress;
    if (b.plans && progress.ended) return;
#ifdef __CUDACC__
    const int thread = threadIdx.x, threads = planners, lane = thread % 32, warp = thread / 32, warps = planners / 32;
    __shared__ i64 below[most_groups];
#else
    const int thread = 0, threads = 1, lane = 0, warp = 0, warps = 1;
    i64 below[most_groups];
    for (i64 i = 0; i < b.groups * ranks_of(b); ++i) b.bins[i] = 0;
    for (i64 e = 0; e < b.count; ++e) count_rank(b, e, b.ranks[e], 1);
#endif
    Said said = Said::nothing(b.threshold, b.count);
    for (i64 i = thread; i < value; i += threads) said.join(b.said[i]);
#ifdef __CUDACC__
    join_block<planners>(said);
#endif
    if (thread == 0) {
        if (!b.plans) progress.rounds = 0;
        progress.add(said, steps_of(b));
        progress.pairs = few * said.idle < b.count ? 0 : said.idle < said.rich ? said.idle : said.rich;
        progress.shorter = 4 * (said.idle - progress.pairs) > b.count;
        progress.ended = said.idle == b.count || said.cost < b.threshold || said.faulty < b.count;
        progress.key = 0;
    }
    meet_all();
    const i64 pairs = progress.pairs, columns = ranks_of(b), ranks = columns - 2;
    const i64 share = (ranks + threads - 1) / threads, first = thread * share < ranks ? thread * share : ranks,
              last = first + share < ranks ? first + share : ranks;
    const auto with_rank = [&](i64 r) {
        i64 count = 0;
        for (i64 g = 0; g < b.groups; ++g) count += b.bins[g * columns + r];
        return count;
    };
    i64 mine = 0;
    for (i64 r = first; r < last; ++r) mine += with_rank(r);
    i64 before = sum_before(i32(mine));
    if (before < pairs && before + mine >= pairs)
        for (i64 r = first; r < last && before < pairs; ++r) {
            before += with_rank(r);
            progress.key = r;
        }
    meet_all();
    const i64 key = progress.key;
    for (i64 g = warp; g < b.groups; g += warps) {
        i64 sum = 0;
        for (i64 r = lane; r < key; r += threads / warps) sum += b.bins[g * columns + r];
        sum = sum_of_warp(sum);
        if (lane == 0) below[g] = sum;
    }
    meet_all();
    i64 all_below = 0;
    for (i64 g = 0; g < b.groups; ++g) all_below += below[g];
    for (i64 g = thread; g < b.groups; g += threads) {
        Group group = groups_of(b)[g];
        group.own = group.given = group.taken = 0;
        group.below = below[g];
        if (pairs) deal(b, g, pairs - all_below, pairs, group);
        groups_of(b)[g] = group;
    }
}

// Who of a group gives and who takes. Those of the lowest ranks give, the first among equals; who has nothing and is
// first takes. In both lists the pairs within groups come first, group by group, then those who deal with other groups.
MH_FN void plan_group(const Batch& b, i64 g) {
    const Group* const groups = groups_of(b);
    const Group group = groups[g];
    const i32 none = ranks_of(b) - 2, own = i32(group.own), give = own + i32(group.given),
              take = own + i32(group.taken);
    if (give == 0 && take == 0) return;
    i64 near = 0, given = 0, taken = 0;
    for (i64 h = 0; h < b.groups; ++h) {
        given += groups[h].own;
        taken += groups[h].own;
        if (h >= g) continue;
        near += groups[h].own;
        given += groups[h].given;
        taken += groups[h].taken;
    }
    const i32 key = i32(b.progress->key), ties = give - i32(group.below);
    const auto put = [&](i32* list, i32 i, i64 far, i64 e) { list[i < own ? near + i : far + i - own] = i32(e); };
#ifdef __CUDACC__
    const int thread = threadIdx.x, lane = thread % 32;
    const u32 lower = (1u << lane) - 1;
    const i64 part = (group.end - group.first + planners - 1) / planners * 32, from = group.first + thread / 32 * part,
              to = from + part < group.end ? from + part : group.end;
    const auto each = [&](auto work) {
        for (i64 e = from + lane; e - lane < to; e += 32) work(e, e < to ? b.ranks[e] : none + 1);
    };
    i32 less = 0, equal = 0, idle = 0;
    each([&](i64, i32 rank) {
        less += rank < key;
        equal += rank == key;
        idle += rank == none;
    });
    less = i32(__shfl_sync(~0u, sum_before(less), 0));
    equal = i32(__shfl_sync(~0u, sum_before(equal), 0));
    idle = i32(__shfl_sync(~0u, sum_before(idle), 0));
    each([&](i64 e, i32 rank) {
        const u32 votes = __ballot_sync(~0u, rank < key), even = __ballot_sync(~0u, rank == key),
                  rest = __ballot_sync(~0u, rank == none);
        const i32 tie = equal + __popc(even & lower), thief = idle + __popc(rest & lower);
        if (rank < key || (rank == key && tie < ties))
            put(b.victims, less + __popc(votes & lower) + (tie < ties ? tie : ties), given, e);
        if (rank == none && thief < take) put(b.thieves, thief, taken, e);
        less += __popc(votes);
        equal += __popc(even);
        idle += __popc(rest);
    });
#else
    i32 tie = 0, victim = 0, thief = 0;
    for (i64 e = group.first; e < group.end; ++e) {
        const i32 rank = b.ranks[e];
        if (rank < key || (rank == key && tie++ < ties)) put(b.victims, victim++, given, e);
        if (rank == none && thief < take) put(b.thieves, thief++, taken, e);
    }
#endif
}

// group by group; a block each on a GPU
MH_ENTRY_OF(planners, plan_all) {
    const Batch& b = *arguments->batch;
#ifdef __CUDACC__
    plan_group(b, blockIdx.x);
#else
    for (i64 g = 0; g < b.groups; ++g) plan_group(b, g);
#endif
}

// the pairs of a plan, or else `value` of them, give and take
MH_ENTRY(give_all) {
    const Batch& b = *arguments->batch;
    if (b.plans && b.progress->ended) return;
    if (b.plans) Everywhere().each(b.groups * ranks_of(b), [&](i64 i) { b.bins[i] = 0; });  // for the round to come
    const i64 given = b.plans ? 0 : b.given, taken = b.plans ? 0 : b.taken;
    EachWarp().each(b.plans ? b.progress->pairs : value, [&](i64 pair, bool first) {
        const i64 thief = b.thieves[taken + pair];
        const i32 count = take_from(b, b.victims[given + pair], b.stack + thief * b.levels);
        if (first) b.height[thief] = count;
    });
}

// what `value` victims give to explorers of another device: nodes in any order, and their places
MH_ENTRY(take_all) {
    const Batch& b = *arguments->batch;
    EachWarp().each(value, [&](i64 i, bool first) {
        Open* const taken = b.scratch + i * most_taken;
        const i32 count = take_from(b, b.victims[b.given + i], taken);
#ifdef __CUDACC__
        const i64 at = __shfl_sync(~0u, first ? i64(atomicAdd(reinterpret_cast<u64*>(b.packed), u64(count))) : 0, 0);
        __syncwarp(~0u);  // `taken` is written
        const i32 k = threadIdx.x % 32;
        if (k >= count) return;
        Desk::move(b.gift[at + k], taken[k]);
        b.places[at + k] = i * most_taken + k;
#else
        for (i32 k = 0; k < count; ++k) {
            b.gift[*b.packed] = taken[k];
            b.places[(*b.packed)++] = i * most_taken + k;
        }
#endif
    });
}

// `value` nodes that were given there come to explorers that have nothing
MH_ENTRY(put_all) {
    const Batch& b = *arguments->batch;
    Everywhere().each(value, [&](i64 i) {
        const i64 thief = b.thieves[b.taken + b.places[i] / most_taken];
        b.stack[thief * b.levels + b.places[i] % most_taken] = b.gift[i];
#ifdef __CUDACC__
        atomicAdd(b.height + thief, 1);
#else
        ++b.height[thief];
#endif
    });
}

// adds what is left to what was said of the last round
MH_ENTRY(weigh_all) {
    const Batch& b = *arguments->batch;
#ifdef __CUDACC__
    const i64 e = i64(blockIdx.x) * blockDim.x + threadIdx.x;
    Said said = Said::nothing(no_cost, e);
    if (e < b.count) weigh(b, e, said);
    join_block<MH_THREADS>(said);
    if (threadIdx.x == 0) {
        b.said[blockIdx.x].untried = said.untried;
        b.said[blockIdx.x].lowest = said.lowest;
    }
#else
    for (i64 e = 0; e < b.count; ++e) {
        b.said[e].untried = 0;
        b.said[e].lowest = no_cost;
        weigh(b, e, b.said[e]);
    }
#endif
}
