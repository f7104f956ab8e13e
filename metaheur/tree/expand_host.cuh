// Levels of a tree on the CPU: the fathers of a level are divided among the threads, and what each has found is joined
// in the order of the fathers.
#include <string.h>

#include <algorithm>

// Where a bound was found to be wrong: the father's bound, the child's, the cost of the child's completion.
struct Fault {
    i64 child;  // the number of the child among all, -1 for none
    i64 of_father, lower, upper;
};

// what one thread counts of a level
struct Tally {
    i64 branched = 0, bounded = 0, by_bound = 0, left = 0, lowest = no_cost;
    i64 cost;  // of the best solution, at first the threshold
    Node winner, father, child;
    Fault fault = {-1, 0, 0, 0};
};

static void expand_range(const Arguments& a, const Batch& asked, const Node* fathers, const i64* bounds, i64 from,
                         i64 to, int depth, Node* out, i64* lowers, Tally& tally) {
    Batch b = asked;
    const i64 arity = b.arities[depth];
    i64& threshold = b.threshold;
    const bool whole = depth + 1 == b.levels, drop = whole && !b.collect;
    i64 left = 0, bounded = 0, branched = 0, pruned = 0, lowest = no_cost;
    for (i64 i = from; i < to; ++i) {
        if (bounds[i] >= threshold) {
            ++pruned;
            continue;
        }
        ++branched;
        i64 seen[ahead_at_once];
        bool looks = false;
        for (int k = 0; k < arity; ++k) {
            const int at = k % ahead_at_once;
            if (at == 0) {
                const int end = arity - k < ahead_at_once ? int(arity) : k + ahead_at_once;
                looks = look_ahead(a.bound, a.tree, fathers[i], depth, k, end, threshold, seen);
            }
            if (looks && seen[at] == no_cost) continue;
            if (looks && seen[at] >= threshold) {
                ++bounded;
                ++pruned;
                continue;
            }
            Node& node = out[left];  // where the child stays, if it does
            if (!a.tree.child(fathers[i], depth, k, node)) continue;
            ++bounded;
            const Child child = evaluate(a, b, node, depth + 1, looks ? seen + at : nullptr);
            if (child.wrong(bounds[i])) {
                if (tally.fault.child < 0) {
                    tally.fault = {i * arity + k, bounds[i], child.lower, child.cost};
                    tally.father = fathers[i];
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
            lowers[left++] = child.lower;
            lowest = child.lower < lowest ? child.lower : lowest;
        }
    }
    tally.branched = branched;
    tally.bounded = bounded;
    tally.by_bound = pruned;
    tally.left = left;
    tally.lowest = lowest;
}

// the nodes that are left are moved together; returns how many there are
static i64 join(Batch& b, const Tally* tallies, i64 count, i64 parts, int depth, Node* out, i64* lowers) {
    const bool whole = depth + 1 == b.levels;
    i64 left = 0;
    for (i64 p = 0; p < parts; ++p) {
        const Tally& t = tallies[p];
        const i64 at = count * p / parts * b.arities[depth];
        if (at != left) {
            memmove(static_cast<void*>(out + left), out + at, t.left * sizeof(Node));
            memmove(lowers + left, lowers + at, t.left * sizeof(i64));
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
                        Node* out, i64* lowers) {
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
        expand_range(a, b, fathers, bounds, from, to, depth, out + at, lowers + at, each[p]);
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
    return join(b, each, count, parts, depth, out, lowers);
}

#if MH_DOMINANCE
struct Keyed {
    i64 key[2], index;

    bool operator<(const Keyed& other) const {
        if (key[0] != other.key[0]) return key[0] < other.key[0];
        return key[1] != other.key[1] ? key[1] < other.key[1] : index < other.index;
    }
};

// drops the nodes that another one beats, and returns how many are left, in their order
static i64 sweep(const Arguments& a, Batch& b, Node* nodes, i64* lowers, i64 count, int depth) {
    Keyed* keyed = reinterpret_cast<Keyed*>(b.keyed);
    for (i64 i = 0; i < count; ++i) {
        a.dominance.key(a.tree, nodes[i], depth, keyed[i].key);
        keyed[i].index = i;
    }
    std::sort(keyed, keyed + count);
    i64 kept = 0;
    for (i64 i = 0; i < count; ++i)
        if (!kept || !a.dominance.beats(a.tree, nodes[keyed[kept - 1].index], nodes[keyed[i].index], depth))
            keyed[kept++] = keyed[i];
    i64* indices = reinterpret_cast<i64*>(keyed);  // each is written where it was read, or before
    for (i64 i = 0; i < kept; ++i) {
        const i64 index = keyed[i].index;
        memcpy(indices + i, &index, sizeof index);
    }
    std::sort(indices, indices + kept);
    b.lowest = no_cost;
    for (i64 i = 0; i < kept; ++i) {
        nodes[i] = nodes[indices[i]];
        lowers[i] = lowers[indices[i]];
        b.lowest = lowers[i] < b.lowest ? lowers[i] : b.lowest;
    }
    return kept;
}
#endif

MH_ENTRY(sweep_all) {
#if MH_DOMINANCE
    Batch& b = *arguments->batch;
    b.left = sweep(*arguments, b, b.first_nodes, b.first_lowers, value, int(b.depth));
#endif
}

// level by level, as long as what is left is one batch and nobody has found a better solution
MH_ENTRY(expand) {
    const Arguments& a = *arguments;
    Batch& b = *a.batch;
    const Node* fathers = b.nodes;
    const i64* bounds = b.lowers;
    i64 count = b.count, work = 0;
    for (int depth = int(b.depth);; ++depth) {
        Node* out = b.rounds % 2 ? b.second_nodes : b.first_nodes;
        i64* lowers = b.rounds % 2 ? b.second_lowers : b.first_lowers;
        b.left = expand_level(a, b, fathers, bounds, count, depth, out, lowers);
        const bool whole = depth + 1 == b.levels;
        b.kept += whole ? 0 : b.left;
#if MH_DOMINANCE
        if (b.dominance && !whole && b.left > 1) {
            const i64 swept = sweep(a, b, out, lowers, b.left, depth + 1);
            b.by_dominance += b.left - swept;
            b.left = swept;
        }
#endif
        ++b.rounds;
        work += count;
        const bool found = b.cost < b.threshold || b.fault >= 0;
        if (found || whole || !b.left || b.left > b.most || b.rounds == b.most_rounds || work > 4 * b.most) return;
        fathers = out;
        bounds = lowers;
        count = b.left;
    }
}
