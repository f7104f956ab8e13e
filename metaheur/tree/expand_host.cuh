// Levels of a tree on a CPU: the fathers of a level are divided among the threads, and the findings of the threads are
// joined in the order of the fathers.
#include <string.h>

// A wrong bound: the father's bound, the child's, and the cost of the child's completion.
struct Fault {
    i64 child;  // the number of the child among all; -1 for no fault
    i64 of_father, lower, upper;
};

// the counts of one thread on a level
struct Tally {
    i64 branched = 0, bounded = 0, by_bound = 0, left = 0, lowest = no_cost;
    i64 cost;  // the cost of the best solution; at first the threshold
    Node winner, father, child;
    Fault fault = {-1, 0, 0, 0};
};

// where nodes and their bounds are written
struct Level {
    Node* nodes;
    i64* lowers;
};

static void expand_range(const Arguments& arguments, const Batch& asked, const Node* fathers, const i64* bounds,
                         i64 from, i64 to, int depth, const Level& out, Tally& tally) {
    const Arguments a = arguments;  // a copy: writing nodes and bounds cannot change it
    Batch b = asked;
    const i64 arity = b.arities[depth];
    i64& threshold = b.threshold;
    const bool whole = depth + 1 == b.levels, drop = whole && !b.collect;
    i64 bounded = 0, branched = 0, pruned = 0, lowest = no_cost;
    Node* __restrict to_node = out.nodes;  // where the next child that is kept stays
    i64* __restrict to_lower = out.lowers;
    for (i64 i = from; i < to; ++i) {
        if (bounds[i] >= threshold) {
            ++pruned;
            continue;
        }
        ++branched;
        i64 seen[ahead_at_once];
        bool ahead = false;  // whether the bounds of the next children are in `seen`
        const Node& father = fathers[i];
        const i64 of_father = bounds[i];
        for (int k = 0; k < arity; ++k) {
            const int at = k % ahead_at_once;
            if (at == 0) {
                const int end = arity - k < ahead_at_once ? int(arity) : k + ahead_at_once;
                ahead = look_ahead(a.bound, a.tree, father, depth, k, end, threshold, seen);
            }
            if (ahead && seen[at] == no_cost) continue;
            if (ahead && seen[at] >= threshold) {
                ++bounded;
                ++pruned;
                continue;
            }
            Node& node = *to_node;
            if (!a.tree.child(father, depth, k, node)) continue;
            ++bounded;
            const bool inherited = inherits(a.bound, a.tree, father, depth, k);
            const Child child = inherited ? Child{of_father, whole ? of_father : no_cost, true}
                                          : evaluate(a, b, node, depth + 1, ahead ? seen + at : nullptr);
            if (child.wrong(of_father)) {
                if (tally.fault.child < 0) {
                    tally.fault = {i * arity + k, of_father, child.lower, child.cost};
                    tally.father = father;
                    tally.child = node;
                }
                continue;
            }
            if (!child.kept) {
                ++pruned;
                continue;
            }
            if (child.cost < tally.cost) {
                tally.cost = child.cost;
                tally.winner = node;
                if (b.eager) threshold = child.cost;
            }
            if (drop) continue;
            ++to_node;
            *to_lower++ = child.lower;
            lowest = child.lower < lowest ? child.lower : lowest;
        }
    }
    tally.branched = branched;
    tally.bounded = bounded;
    tally.by_bound = pruned;
    tally.left = to_lower - out.lowers;
    tally.lowest = lowest;
}

// moves the nodes that are left next to each other; returns their number
static i64 join(Batch& b, const Tally* tallies, i64 count, i64 parts, int depth, const Level& out) {
    const bool whole = depth + 1 == b.levels;
    i64 left = 0;
    for (i64 p = 0; p < parts; ++p) {
        const Tally& t = tallies[p];
        const i64 at = count * p / parts * b.arities[depth];
        if (at != left) {
            memmove(static_cast<void*>(out.nodes + left), out.nodes + at, t.left * sizeof(Node));
            memmove(out.lowers + left, out.lowers + at, t.left * sizeof(i64));
        }
        left += t.left;
        b.branched += t.branched;
        b.bounded += t.bounded;
        b.by_bound += t.by_bound;
        b.complete += whole ? t.bounded : 0;
        b.deepest = t.bounded ? depth + 1 : b.deepest;
        b.lowest = t.lowest < b.lowest ? t.lowest : b.lowest;
        if (t.cost < b.cost) {
            b.cost = t.cost;
            b.winner_depth = depth + 1;
            *b.winner = t.winner;
        }
        if (t.fault.child >= 0 && b.fault < 0) {
            b.fault = t.fault.child;
            b.of_father = t.fault.of_father;
            b.lower = t.fault.lower;
            b.upper = t.fault.upper;
            b.faulty[0] = t.father;
            b.faulty[1] = t.child;
        }
    }
    return left;
}

static i64 expand_level(const Arguments& a, Batch& b, const Node* fathers, const i64* bounds, i64 count, int depth,
                        const Level& out) {
    constexpr int most = 256;
    static thread_local Tally tallies[most];
    const int wanted = b.threads < most ? int(b.threads) : most, parts = count >= 4096 ? wanted : 1;
    Tally* each = tallies;
    for (int p = 0; p < parts; ++p) {
        each[p] = Tally();
        each[p].cost = b.threshold;
    }
    auto part = [&](int p) {
        const i64 from = count * p / parts, to = count * (p + 1) / parts, at = from * b.arities[depth];
        expand_range(a, b, fathers, bounds, from, to, depth, {out.nodes + at, out.lowers + at}, each[p]);
    };
    b.lowest = no_cost;
    if (parts == 1) part(0);
#ifdef _OPENMP
    else {
#pragma omp parallel for num_threads(parts) schedule(static, 1)
        for (int p = 0; p < parts; ++p) part(p);
    }
#else
    else
        for (int p = 0; p < parts; ++p) part(p);
#endif
    return join(b, each, count, parts, depth, out);
}

#if MH_DOMINANCE
struct Keyed {
    i64 key[2], index;  // the key and the index of the node; in a run, of the next node

    bool operator<(const Keyed& other) const {
        return key[0] != other.key[0] ? key[0] < other.key[0] : key[1] < other.key[1];
    }
};

// Sorts keys; equal ones keep their order. Runs of a few keys are sorted by insertion, and then merged; `other` has as
// much memory.
static void sort(Keyed* keyed, Keyed* other, i64 count) {
    constexpr i64 few = 16;
    for (i64 i = 1; i < count; ++i) {
        const Keyed moved = keyed[i];
        i64 to = i;
        for (; to % few && moved < keyed[to - 1]; --to) keyed[to] = keyed[to - 1];
        keyed[to] = moved;
    }
    Keyed *from = keyed, *to = other;
    for (i64 run = few; run < count; run *= 2) {
        for (i64 begin = 0; begin < count; begin += 2 * run) {
            const i64 middle = begin + run < count ? begin + run : count;
            const i64 end = middle + run < count ? middle + run : count;
            i64 a = begin, b = middle;
            for (i64 k = begin; k < end; ++k)
                to[k] = b == end || (a < middle && !(from[b] < from[a])) ? from[a++] : from[b++];
        }
        Keyed* const merged = to;
        to = from;
        from = merged;
    }
    if (from != keyed) memcpy(keyed, from, count * sizeof(Keyed));
}

// Calls `tell` with the indices of keys in their order; of equal keys the first index comes first. If fathers lie in
// the order of their keys, their children are a few ascending runs, mixed with each other: each key goes to the run
// with the greatest last key that is not above it, and then the runs are merged. `keyed` has memory for twice as many.
template <class Tell> static void in_order(Keyed* keyed, i64 count, const Tell& tell) {
    constexpr int most = 8;
    i64 at[most];
    Keyed* last[most];  // the last key of each run; these descend, so equal keys are in runs in the order of indices
    int runs = 0;
    for (i64 i = 0; i < count; ++i) {
        int r = 0;
        while (r < runs && keyed[i] < *last[r]) ++r;
        if (r == most) {
            for (i64 j = 0; j < count; ++j) keyed[j].index = j;
            sort(keyed, keyed + count, count);
            for (i64 j = 0; j < count; ++j) tell(keyed[j].index);
            return;
        }
        i64& link = r < runs ? last[r]->index : at[runs++];
        link = i;
        last[r] = keyed + i;
    }
    for (int r = 0; r < runs; ++r) last[r]->index = count;
    while (runs) {
        int r = 0;
        for (int other = 1; other < runs; ++other)
            if (keyed[at[other]] < keyed[at[r]]) r = other;
        tell(at[r]);
        at[r] = keyed[at[r]].index;
        if (at[r] < count) continue;
        --runs;
        for (int later = r; later < runs; ++later) at[later] = at[later + 1];
    }
}

// writes the nodes that no other node beats, in the order of their keys, and returns their number
static i64 sweep(const Arguments& a, Batch& b, const Node* nodes, const i64* lowers, i64 count, int depth,
                 const Level& to) {
    Keyed* keyed = reinterpret_cast<Keyed*>(b.keyed);
    for (i64 i = 0; i < count; ++i) a.dominance.key(a.tree, nodes[i], depth, keyed[i].key);
    i64 kept = 0, lowest = no_cost;
    in_order(keyed, count, [&](i64 i) {
        if (kept && a.dominance.beats(a.tree, to.nodes[kept - 1], nodes[i], depth)) return;
        to.nodes[kept] = nodes[i];
        to.lowers[kept++] = lowers[i];
        lowest = lowers[i] < lowest ? lowers[i] : lowest;
    });
    b.lowest = lowest;
    return kept;
}
#endif

MH_ENTRY(sweep_all) {
#if MH_DOMINANCE
    Batch& b = *arguments->batch;
    b.left = sweep(*arguments, b, b.nodes, b.lowers, value, int(b.depth), {b.first_nodes, b.first_lowers});
#endif
}

// goes down level by level while the nodes left are one batch and no better solution was found
MH_ENTRY(expand) {
    const Arguments& a = *arguments;
    Batch& b = *a.batch;
    Level free{b.first_nodes, b.first_lowers}, left{b.second_nodes, b.second_lowers};
    const Node* fathers = b.nodes;
    const i64* bounds = b.lowers;
    i64 count = b.count, work = 0;
    for (int depth = int(b.depth);; ++depth) {
        const bool whole = depth + 1 == b.levels;
        b.left = expand_level(a, b, fathers, bounds, count, depth, free);
        b.kept += whole ? 0 : b.left;
#if MH_DOMINANCE
        const bool sweeps = b.dominance && !whole;
        if (sweeps) {  // to where the fathers were
            const i64 swept = sweep(a, b, free.nodes, free.lowers, b.left, depth + 1, left);
            b.by_dominance += b.left - swept;
            b.left = swept;
        }
#else
        constexpr bool sweeps = false;
#endif
        if (!sweeps) {
            const Level swept = free;
            free = left;
            left = swept;
        }
        b.second = left.nodes == b.second_nodes;
        ++b.rounds;
        work += count;
        const bool found = b.cost < b.threshold || b.fault >= 0;
        if (found || whole || !b.left || b.left > b.most || b.rounds == b.most_rounds || work > 4 * b.most) return;
        fathers = left.nodes;
        bounds = left.lowers;
        count = b.left;
    }
}
