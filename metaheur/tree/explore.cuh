// An explorer searches depth first what is left of its interval: at each depth of its path it has a node, and the
// numbers of the children that it is still to try. The same code runs on every device.

// what is left of an interval
MH_FN void summarise(const Batch& b, i64 e) {
    i64* tally = b.tally + e * tallies;
    i64 untried = 0, top = -1, at_top = 0, end = 0, lowest = no_cost;
    double share = 0;
    for (i64 d = b.base[e]; d <= b.depth[e]; ++d) {
        const i64 i = e * b.levels + d, waiting = b.limits[i] - b.cursors[i];
        if (!waiting) continue;
        if (top < 0) {
            top = d;
            at_top = waiting;
            end = b.limits[i];
        }
        untried += waiting;
        share += double(waiting) * b.shares[d + 1];
        lowest = b.lowers[i] < lowest ? b.lowers[i] : lowest;
    }
    tally[tally_untried] = untried;
    tally[tally_top] = top;
    tally[tally_at_top] = at_top;
    tally[tally_end_at_top] = end;
    tally[tally_lowest] = lowest;
    b.left[e] = share;
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

// A GPU's thread has the father at hand and writes children that stay, by as wide words as it can; a core makes them
// where they would stay.
#ifdef __CUDACC__
static constexpr bool at_hand = true;
extern __shared__ __align__(16) char mh_arena[];

MH_FN void copy_node(Node& to, const Node& from) {
    if constexpr (sizeof(Node) % sizeof(uint4) == 0) {
        for (u32 k = 0; k < sizeof(Node) / sizeof(uint4); ++k)
            reinterpret_cast<uint4*>(&to)[k] = reinterpret_cast<const uint4*>(&from)[k];
    } else {
        to = from;
    }
}
#else
static constexpr bool at_hand = false;

MH_FN void copy_node(Node& to, const Node& from) { to = from; }
#endif

// so many children are tried; a better solution of the explorer's own prunes at once
MH_FN void explore(const Arguments& a, i64 e) {
    Batch b = *a.batch;
    i64* tally = b.tally + e * tallies;
    for (int t = 0; t < tallies; ++t) tally[t] = 0;
    tally[tally_cost] = b.threshold;
    tally[tally_fault_depth] = -1;
    i32 *cursors = b.cursors + e * b.levels, *limits = b.limits + e * b.levels;
    Node* nodes = b.nodes + e * (b.levels + 1);
    i64* lowers = b.lowers + e * b.levels;
    const i32 base = b.base[e];
    i32 depth = b.depth[e], k = 0, limit = 0;  // the next child to try, and the one behind the last
    Node copy, made;                           // of the father, and the child, where they are at hand
    i64 of_father = 0, complete = 0, branched = 0, bounded = 0, kept = 0, by_bound = 0, deepest = 0;
    const auto climb_to = [&](i32 where) {
        depth = where < base ? -1 : where;
        if (depth < 0) return;
        k = cursors[depth];
        limit = limits[depth];
        of_father = lowers[depth];
        if constexpr (at_hand) copy_node(copy, nodes[depth]);
    };
    climb_to(depth);
    for (i64 step = 0; depth >= 0 && step < b.steps;) {
        if (b.shared && step % 64 == 0) {
            const i64 told = *const_cast<const volatile i64*>(b.shared);
            b.threshold = told < b.threshold ? told : b.threshold;
        }
        if (k == limit) {
            climb_to(depth - 1);
            continue;
        }
        if (of_father >= b.threshold) {  // by a solution that was found since
            by_bound += k == 0;
            k = limit;
            continue;
        }
        ++step;
        branched += k == 0;
        const i32 tried = k++;
        const Node& father = at_hand ? copy : nodes[depth];
        Node& node = at_hand ? made : nodes[depth + 1];
        i64 seen[ahead_at_once];
        const bool looks = look_ahead(a.bound, a.tree, father, depth, tried, tried + 1, b.threshold, seen);
        const bool pruned = looks && seen[0] >= b.threshold;
        if (!pruned && !a.tree.child(father, depth, tried, node)) continue;
        ++bounded;
        const bool whole = depth + 1 == b.levels;
        complete += whole;
        if (depth >= deepest) deepest = depth + 1;
        if (pruned) {
            ++by_bound;
            continue;
        }
        const Child child = evaluate(a, b, node, depth + 1, looks ? seen : nullptr);
        if (child.wrong(of_father)) {
            tally[tally_fault_depth] = depth;
            tally[tally_of_father] = of_father;
            tally[tally_lower] = child.lower;
            tally[tally_upper] = child.cost;
            b.winners[3 * e + 1] = father;
            b.winners[3 * e + 2] = node;
            break;
        }
        if (!child.kept) {
            ++by_bound;
            continue;
        }
        if (child.cost < b.threshold) {
            b.threshold = tally[tally_cost] = child.cost;
            tally[tally_winner_depth] = depth + 1;
            if (b.shared) tell(b.shared, child.cost);
            b.winners[3 * e] = node;
        }
        if (whole) continue;
        ++kept;
        if constexpr (at_hand) {
            copy = made;
            copy_node(nodes[depth + 1], made);
        }
        cursors[depth++] = k;
        lowers[depth] = of_father = child.lower;
        limits[depth] = limit = i32(b.arities[depth]);
        k = 0;
    }
    if (depth >= 0) cursors[depth] = k;
    b.depth[e] = depth;
    tally[tally_branched] = branched;
    tally[tally_bounded] = bounded;
    tally[tally_complete] = complete;
    tally[tally_kept] = kept;
    tally[tally_by_bound] = by_bound;
    tally[tally_deepest] = deepest;
    summarise(b, e);
}

// the upper part of what waits at a depth goes from one explorer to another, who is idle; a row of `pairs` is
// (victim, thief, depth, first child that goes)
MH_FN void give(const Batch& b, i64 pair) {
    const i64 victim = b.pairs[4 * pair], thief = b.pairs[4 * pair + 1], top = b.pairs[4 * pair + 2];
    const i32 first = i32(b.pairs[4 * pair + 3]);
    const i64 from = victim * b.levels + top, to = thief * b.levels + top;
    b.nodes[to + thief] = b.nodes[from + victim];  // each has one more
    b.lowers[to] = b.lowers[from];
    b.cursors[to] = first;
    b.limits[to] = b.limits[from];
    b.limits[from] = first;
    b.base[thief] = b.depth[thief] = i32(top);
    summarise(b, victim);
    summarise(b, thief);
}

// number `value` of threads share the explorers on a CPU
MH_ENTRY(explore_all) {
#ifdef __CUDACC__
    const i64 e = i64(blockIdx.x) * blockDim.x + threadIdx.x;
    Arguments a = *arguments;
    Arena common{mh_arena};
    const Staging staging{common};
    a.tree.each(staging);
    a.bound.each(staging);
    __syncthreads();
    if (e < a.batch->count) explore(a, e);
#else
    const Arguments a = *arguments;  // a copy, which no node that is written can change
    const i64 count = a.batch->count;
#ifdef _OPENMP
    if (value > 1) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(int(value))
        for (i64 e = 0; e < count; ++e) explore(a, e);
        return;
    }
#endif
    for (i64 e = 0; e < count; ++e) explore(a, e);
#endif
}

// after the explorers were put somewhere; value: how many
MH_ENTRY(summarise_all) {
#ifdef __CUDACC__
    const i64 e = i64(blockIdx.x) * blockDim.x + threadIdx.x;
    if (e < value) summarise(*arguments->batch, e);
#else
    for (i64 e = 0; e < value; ++e) summarise(*arguments->batch, e);
#endif
}

// `value` pairs
MH_ENTRY(give_all) {
    const Arguments& a = *arguments;
#ifdef __CUDACC__
    const i64 pair = i64(blockIdx.x) * blockDim.x + threadIdx.x;
    if (pair < value) give(*a.batch, pair);
#else
    for (i64 pair = 0; pair < value; ++pair) give(*a.batch, pair);
#endif
}
