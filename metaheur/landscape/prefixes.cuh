// All local optima of a QAP under swaps, by branch and bound on prefixes: positions 0 ... d - 1 are filled. A swap of
// two filled positions changes the cost by a sum over filled positions, which is fixed, and by a sum over free
// positions of products of a difference of flows and a difference of distances. The latter is largest where both are in
// the same order (the rearrangement inequality). Where the whole change is below zero at its largest, no completion of
// the prefix is a local optimum. Of an asymmetric instance there are two such sums, and the sum of both maxima is a
// bound.
//
// Of facilities that can be exchanged without changing a cost, those later in the tree take later items: one optimum
// stands for all exchanges.
//
// SIZE facilities; SYMMETRIC instances; STRICT optima, whose neighbors are all worse; DEPTH positions of a first
// prefix; Wide, the type of changes of cost.

MH_FN int lowest_bit(u32 word) {
#ifdef __CUDACC__
    return __ffs(int(word)) - 1;
#else
    return __builtin_ctz(word);
#endif
}

MH_FN u32 highest_bit(u32 word) {
#ifdef __CUDACC__
    return 1u << (63 - __clzll(i64(word)));
#else
    return 1u << (31 - __builtin_clz(word));
#endif
}

MH_FN u64 claim(u64* counter, u64 count) {
#ifdef __CUDACC__
    return atomicAdd(counter, count);
#else
    return __atomic_fetch_add(counter, count, __ATOMIC_RELAXED);
#endif
}

// whether the thread speaks for those that explore a tree together
MH_FN bool leads() {
#ifdef __CUDACC__
    return (threadIdx.x & 31) == 0;
#else
    return true;
#endif
}

// The largest sum of products of the differences of flows of free positions, in ascending order, and of the differences
// of distances of free items; `order` has all items by these, in ascending order.
MH_FN Wide largest(const Wide* flows, const Wide* distances, const u8* order, u32 free) {
    Wide sum = 0;
    int j = 0;
    for (int i = 0; i < SIZE; ++i) {
        const int item = order[i];
        const int is_free = free >> item & 1;
        sum += is_free ? flows[j] * distances[item] : 0;
        j += is_free;
    }
    return sum;
}

// One direction of the sums: flows to a position and distances to an item, or flows from it and distances from it.
struct Direction {
    const Wide* flows;      // [r][s][k] = a(k, r) - a(k, s); 0 for k = r and k = s
    const Wide* sorted;     // [d][r][s][j]: those of k >= d, in ascending order
    const Wide* distances;  // [u][v][w] = b(w, v) - b(w, u)
    const u8* order;        // [u][v][i]: the items w by it, in ascending order

    MH_FN Wide most(const u8* item, u32 free, int d, int r, int s) const {
        const int positions = (r * SIZE + s) * SIZE, items = (int(item[r]) * SIZE + item[s]) * SIZE;
        Wide sum = largest(sorted + d * SIZE * SIZE * SIZE + positions, distances + items, order + items, free);
        for (int k = 0; k < d; ++k) sum += flows[positions + k] * distances[items + item[k]];
        return sum;
    }
};

struct Prefixes {
    const Arguments& a;
    Direction in, out;
    u8 item[SIZE];
    u32 free;
    int r, s;  // the swap that refuted last, which a CPU tries first
    u64 nodes;

    MH_FN explicit Prefixes(const Arguments& arguments)
        : a(arguments), in{a.flows, a.sorted, a.distances, a.order},
          out{a.flows + CUBE, a.sorted + SIZE * CUBE, a.distances + CUBE, a.order + CUBE}, free((1u << SIZE) - 1), r(0),
          s(1), nodes(0) {}

    static constexpr int CUBE = SIZE * SIZE * SIZE;

    MH_FN bool refutes(int d, int i, int j) const {
        Wide most = in.most(item, free, d, i, j);
        most += SYMMETRIC ? most : out.most(item, free, d, i, j);
        const int u = item[i], v = item[j];
        most += a.level[i * SIZE + j] * a.level[CUBE / SIZE + u * SIZE + v];
        most += a.skew[i * SIZE + j] * a.skew[CUBE / SIZE + u * SIZE + v];
        return STRICT ? most <= 0 : most < 0;
    }

    // whether no completion of the first d positions is a local optimum
#ifdef __CUDACC__
    // the lanes of a warp, which explore a tree together, try a swap each; swap j (j - 1) / 2 + i is that of i < j
    MH_FN bool refuted(int d) const {
        const int swaps = d * (d - 1) / 2;
        for (int last = swaps - 1; last >= 0; last -= 32) {
            const int k = last - int(threadIdx.x & 31);
            bool found = false;
            if (k >= 0) {
                const int j = int((1.0f + sqrtf(8.0f * float(k) + 1.0f)) * 0.5f);
                found = refutes(d, k - j * (j - 1) / 2, j);
            }
            if (__any_sync(~0u, found)) return true;
        }
        return false;
    }
#else
    MH_FN bool refuted(int d) {
        if (s < d && refutes(d, r, s)) return true;
        const int last_r = r, last_s = s;
        for (int j = d - 1; j > 0; --j) {
            for (int i = 0; i < j; ++i) {
                if ((i != last_r || j != last_s) && refutes(d, i, j)) {
                    r = i;
                    s = j;
                    return true;
                }
            }
        }
        return false;
    }
#endif

    MH_FN void place(int d, int value) {
        item[d] = u8(value);
        free ^= 1u << value;
    }

    // the items that position d may take: those above that of the facility before it, of those that can be exchanged,
    // as long as others above remain for those after it
    MH_FN u32 choices(int d) const {
        const int before = a.before[d];
        u32 found = before < SIZE ? free & ~((2u << item[before]) - 1) : free;
        for (int k = a.after[d]; k > 0 && found; --k) found ^= highest_bit(found);
        return found;
    }

    MH_FN void keep() const {
        if (!leads()) return;
        const u64 at = claim(a.found, 1);
        if (at >= u64(a.capacity)) return;  // counted all the same: the caller makes room and asks again
        for (int k = 0; k < SIZE; ++k) a.optima[at * SIZE + k] = item[k];
    }

    // all local optima that begin with a prefix of DEPTH positions; a node above is counted with its first prefix
    MH_FN void explore(i64 prefix) {
        i64 weight = 1;
        for (int k = 1; k < DEPTH; ++k) weight *= SIZE - k;
        for (int d = 0; d < DEPTH; ++d) {
            u32 rest = free;
            for (i64 skip = prefix / weight; skip > 0; --skip) rest &= rest - 1;
            prefix %= weight;
            const int value = lowest_bit(rest);
            if (!(choices(d) >> value & 1)) return;
            place(d, value);
            nodes += prefix == 0;
            if (refuted(d + 1)) return;
            if (d + 1 < DEPTH) weight /= SIZE - d - 1;
        }
        descend();
    }

    MH_FN void descend() {
        u32 left[SIZE + 1];
        int d = DEPTH;
        left[d] = choices(d);
        for (;;) {
            if (d == SIZE) {
                keep();
            } else if (left[d]) {
                const int value = lowest_bit(left[d]);
                left[d] &= left[d] - 1;
                place(d, value);
                ++nodes;
                ++d;
                if (!refuted(d)) {
                    left[d] = choices(d);
                    continue;
                }
            } else if (d == DEPTH) {
                return;
            }
            if (d == DEPTH) return;
            --d;
            free ^= 1u << item[d];
        }
    }
};

// the prefixes a.first ... a.first + value - 1
MH_ENTRY(prefixes) {
    const Arguments& a = *arguments;
#ifdef __CUDACC__
    const i64 warps = i64(gridDim.x) * blockDim.x / 32;
    for (i64 k = (i64(blockIdx.x) * blockDim.x + threadIdx.x) / 32; k < value; k += warps) {
        Prefixes tree(a);
        tree.explore(a.first + k);
        if (leads()) claim(a.nodes, tree.nodes);
    }
#else
#ifdef _OPENMP
#pragma omp parallel for num_threads(int(a.teams)) schedule(dynamic, 1)
#endif
    for (i64 k = 0; k < value; ++k) {
        Prefixes tree(a);
        tree.explore(a.first + k);
        claim(a.nodes, tree.nodes);
    }
#endif
}
