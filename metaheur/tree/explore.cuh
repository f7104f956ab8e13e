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

    MH_FN void join(const Said& other) {
        branched += other.branched;
        bounded += other.bounded;
        complete += other.complete;
        kept += other.kept;
        by_bound += other.by_bound;
        deepest = other.deepest > deepest ? other.deepest : deepest;
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

static_assert(sizeof(Open) == open_bytes && sizeof(Said) == said_numbers * sizeof(i64), "Python and C++ disagree");

// what is left of an interval; it ranks by the depth of its first children that wait, and by their number
MH_FN void summarise(const Batch& b, i64 e, Said& said) {
    const Open* const stack = b.stack + e * b.levels;
    const i32 height = b.height[e];
    i64 untried = 0, lowest = no_cost;
    double share = 0;
    for (i32 i = 0; i < height; ++i) {
        const i64 waiting = stack[i].limit - stack[i].cursor;
        untried += waiting;
        share += double(waiting) * b.shares[stack[i].depth + 1];
        lowest = stack[i].lower < lowest ? stack[i].lower : lowest;
    }
    said.untried = untried;
    said.idle = untried == 0;
    said.rich = untried > 1;
    said.lowest = lowest;
    b.left[e] = share;
    b.ranks[e] = untried ? no_cost : i64(1) << 62 | e;
    if (untried > 1) {
        const i64 first = stack[0].limit - stack[0].cursor, less = first < widest ? widest - first : 0;
        b.ranks[e] = (stack[0].depth * widest + less) << 32 | e;
    }
}

// where better solutions are visible at once: what one explorer has found prunes for all
MH_FN void tell(i64* shared, i64 cost) {
#ifdef __CUDACC__
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

    Node here, next;

    MH_FN explicit Desk(Beside*) {}

    MH_FN const Node& node() const { return here; }
    MH_FN Node& made() { return next; }
    MH_FN void take(const Open* from) {
        Open copy;
        move(copy, *from);
        here = copy.node;
        read(copy);
    }
    MH_FN void put(Open* to) const {
        Open copy;
        copy.node = here;
        write(copy);
        move(*to, copy);
    }
    MH_FN void go_down() { here = next; }

    MH_FN static void move(Open& to, const Open& from) {
        for (u32 k = 0; k < sizeof(Open) / sizeof(uint4); ++k)
            reinterpret_cast<uint4*>(&to)[k] = reinterpret_cast<const uint4*>(&from)[k];
    }
};
#else
// where they lie, on the stack or beside it: a core waits where it reads as a whole what was just written in pieces
struct Desk : Spot {
    typedef Open Beside[2];

    Open *const beside, *at;

    MH_FN explicit Desk(Beside* two) : beside(*two), at(*two) {}

    MH_FN const Node& node() const { return at->node; }
    MH_FN Node& made() { return beside[at == beside].node; }
    MH_FN void take(Open* from) {
        at = from;
        read(*from);
    }
    MH_FN void put(Open* to) const {
        if (at != to) to->node = at->node;
        write(*to);
    }
    MH_FN void go_down() { at = beside + (at == beside); }
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
        : a(arguments), b(*arguments.batch), e(explorer), cost(b.threshold), desk(beside) {}

    MH_FN Said said() const {
        Said said{branched, bounded, complete, kept, by_bound, deepest,      0,
                  0,        0,       no_cost,  cost, e,        winner_depth, no_cost};
        if (faulty) said.faulty = e;
        summarise(*a.batch, e, said);
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
        constexpr bool looks = LooksAhead<Bound>::value;
        constexpr int most = looks ? ahead_at_once : 1;
        const bool leaves = desk.depth + 1 == b.levels;
        i32 child = -1;
        branched += desk.cursor == 0;
        while (desk.cursor < desk.limit) {
            const i32 from = desk.cursor, left = desk.limit - from, count = left < most ? left : most;
            i64 seen[most];
            if constexpr (looks)
                look_ahead(a.bound, a.tree, desk.node(), desk.depth, from, from + count, b.threshold, seen);
            else seen[0] = make(from) ? a.bound.lower(a.tree, desk.made(), desk.depth + 1) : no_cost;
            for (int i = 0; i < most; ++i) {
                if (i == count) break;
                const i64 found = seen[i];
                ++steps;
                if (found >= b.threshold) {
                    if (found != no_cost) prune(leaves);
                } else if (leaves || found < desk.lower) {
                    if (looks) make(from + i);
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
        make(k);
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
        desk.limit = i32(b.arities[++desk.depth]);
    }

    // the child's solution is the best one
    MH_FN void keep(i64 better) {
        b.threshold = cost = better;
        winner_depth = desk.depth + 1;
        b.winners[3 * e] = desk.made();
        if (b.shared) tell(b.shared, better);
    }

    MH_FN void refuse(i64 lower, i64 upper) {
        faulty = true;
        b.winners[3 * e + 1] = desk.node();
        b.winners[3 * e + 2] = desk.made();
        const i64 numbers[] = {desk.depth, desk.lower, lower, upper};
        for (int i = 0; i < 4; ++i) b.faults[4 * e + i] = numbers[i];
    }
};

// Every other child that waits at the first nodes of a victim's stack: of several at one node the upper half.
MH_FN void take_from(const Batch& b, i64 pair) {
    const i64 victim = b.who[pair];
    Open *const stack = b.stack + victim * b.levels, *out = b.taken + pair * most_taken, *const end = out + most_taken;
    const i32 height = b.height[victim];
    i32 stays = 0, odd = 1;
    for (i32 i = 0; i < height; ++i) {
        const i32 waiting = stack[i].limit - stack[i].cursor, given = out < end ? (waiting + odd) / 2 : 0;
        odd = (waiting + odd) % 2;
        if (given) {
            *out = stack[i];
            out++->cursor = stack[i].limit -= given;
        }
        if (given == waiting) continue;
        if (i != stays) stack[stays] = stack[i];
        ++stays;
    }
    b.height[victim] = stays;
    if (out < end) out->cursor = out->limit = 0;
}

MH_FN void put_to(const Batch& b, i64 pair) {
    const i64 thief = b.who[pair];
    const Open* const taken = b.taken + pair * most_taken;
    i32 height = 0;
    for (; height < most_taken && taken[height].limit; ++height) b.stack[thief * b.levels + height] = taken[height];
    b.height[thief] = height;
}

// number `value` of threads share the explorers on a CPU; what they say is said explorer by explorer, on a GPU by
// blocks
MH_ENTRY(explore_all) {
#ifdef __CUDACC__
    constexpr int warps = MH_THREADS / 32, words = sizeof(Said) / sizeof(i64);
    __shared__ Said each[warps];
    const i64 e = i64(blockIdx.x) * blockDim.x + threadIdx.x;
    Arguments a = *arguments;
    Arena common{mh_arena};
    const Staging staging{common};
    a.tree.each(staging);
    a.bound.each(staging);
    __syncthreads();
    const Batch& b = *a.batch;
    Said said{0, 0, 0, 0, 0, 0, 0, 0, 0, no_cost, b.threshold, e, 0, no_cost};
    const Together lanes{__ballot_sync(~0u, e < b.count)};
    if (e < b.count) {
        Desk::Beside beside;
        Search search(a, e, &beside);
        search.run(lanes);
        said = search.said();
    }
    for (int o = 16; o; o /= 2) {
        Said other;
        const i64* from = reinterpret_cast<const i64*>(&said);
        i64* to = reinterpret_cast<i64*>(&other);
        for (int word = 0; word < words; ++word) to[word] = __shfl_xor_sync(~0u, from[word], o);
        said.join(other);
    }
    if (threadIdx.x % 32 == 0) each[threadIdx.x / 32] = said;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < warps; ++w) said.join(each[w]);
        b.said[blockIdx.x] = said;
    }
#else
    const Arguments a = *arguments;  // a copy, which no node that is written can change
    const i64 count = a.batch->count;
    const auto one = [&](i64 e) {
        Desk::Beside beside;
        Search search(a, e, &beside);
        search.run(Together());
        a.batch->said[e] = search.said();
    };
#ifdef _OPENMP
    if (value > 1) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(int(value))
        for (i64 e = 0; e < count; ++e) one(e);
        return;
    }
#endif
    for (i64 e = 0; e < count; ++e) one(e);
#endif
}

// `value` victims give, to `value` thieves
MH_ENTRY(take_all) {
    Everywhere().each(value, [&](i64 pair) { take_from(*arguments->batch, pair); });
}

MH_ENTRY(put_all) {
    Everywhere().each(value, [&](i64 pair) { put_to(*arguments->batch, pair); });
}
