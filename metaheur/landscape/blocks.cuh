// All permutations under swaps, block by block. A block is the permutations that begin with the same PRE items; the
// last TAIL positions hold the other items in every order: TAILS permutations, in lexicographic order. The neighbors of
// a block by one swap lie in one block, too: a swap of two early positions leaves the order of the last items as it is,
// one of two late positions stays in the block, and one that brings the item of rank b among the last ones to an early
// position i leads to a block that depends on i and b alone. Tables, which are the same for every block, have the rest.
//
// SIZE = PRE + TAIL items; TABLES = SIZE (SIZE - 1) / 2 swaps; Key holds a height above the lowest one and the index of
// a move, in SHIFT bits; BY_DELTA: heights by changes of cost.

constexpr int EARLY = PRE * (PRE - 1) / 2;
constexpr int MAPS = 1 + TAIL * TAIL + TAIL * (TAIL - 1) / 2;
constexpr u32 ENDS = 1u << 31;  // marks the label of a local optimum

struct Block {
    i64 number;
    u8 item[SIZE];      // those of the early positions, then the others in ascending order
    u32 block[TABLES];  // the block of each table
    u16 map[TABLES];    // the table of places in that block; 0 leaves them
    i16 base[TABLES];   // the index of the move, plus the late position
    u16 late[TABLES];   // the table of late positions; 0 for none

    MH_FN void begin(i64 block_number) {
        number = block_number;
        u32 used = 0;
        i64 weight = BLOCKS, rest = block_number;
        for (int d = 0; d < PRE; ++d) {
            weight /= SIZE - d;
            int skip = int(rest / weight), value = 0;
            rest %= weight;
            for (;; ++value)
                if (!(used >> value & 1) && skip-- == 0) break;
            item[d] = u8(value);
            used |= 1u << value;
        }
        int at = PRE;
        for (int value = 0; value < SIZE; ++value)
            if (!(used >> value & 1)) item[at++] = u8(value);
    }

    MH_FN static u32 rank(const u8* early) {
        u32 used = 0;
        i64 weight = BLOCKS, found = 0;
        for (int d = 0; d < PRE; ++d) {
            weight /= SIZE - d;
            int below = early[d];
            for (int value = 0; value < early[d]; ++value) below -= used >> value & 1;
            found += below * weight;
            used |= 1u << early[d];
        }
        return u32(found);
    }

    MH_FN static int index(int i, int j) { return i * (2 * SIZE - 1 - i) / 2 + j - i - 1; }

    MH_FN void connect() {
        u8 early[PRE];
        for (int d = 0; d < PRE; ++d) early[d] = item[d];
        int t = 0;
        for (int i = 0; i < PRE; ++i) {
            for (int j = i + 1; j < PRE; ++j) {
                early[i] = item[j];
                early[j] = item[i];
                set(t++, rank(early), 0, index(i, j), 0);
                early[i] = item[i];
                early[j] = item[j];
            }
        }
        for (int i = 0; i < PRE; ++i) {
            for (int b = 0; b < TAIL; ++b) {
                early[i] = item[PRE + b];
                int a = 0;  // the rank of the item that leaves, among those of the new block
                for (int k = 0; k < TAIL; ++k) a += k != b && item[PRE + k] < item[i];
                set(t++, rank(early), 1 + b * TAIL + a, index(i, PRE), 1 + b);
                early[i] = item[i];
            }
        }
        for (int i = 0, m = 0; i < TAIL; ++i)
            for (int j = i + 1; j < TAIL; ++j, ++m)
                set(t++, u32(number), 1 + TAIL * TAIL + m, index(PRE + i, PRE + j), 0);
    }

    MH_FN void set(int t, u32 to, int table, int first, int positions) {
        block[t] = to;
        map[t] = u16(table);
        base[t] = i16(first);
        late[t] = u16(positions);
    }
};

MH_FN u64 raise_counter(u64* counter, u64 by) {
#ifdef __CUDACC__
    return atomicAdd(counter, by);
#else
    return __atomic_fetch_add(counter, by, __ATOMIC_RELAXED);
#endif
}

// W::work(a, here, team, first, step) for each block: a CPU's threads have blocks of their own; of a GPU, the threads
// of a thread block share the permutations first, first + step, ...
template <class W> MH_FN void each_block(const Arguments& a) {
#ifdef __CUDACC__
    __shared__ Block here;
    for (i64 k = blockIdx.x; k < BLOCKS; k += gridDim.x) {
        __syncthreads();
        if (threadIdx.x == 0) {
            here.begin(k);
            here.connect();
        }
        __syncthreads();
        W::work(a, here, 0, int(threadIdx.x), int(blockDim.x));
    }
#else
#ifdef _OPENMP
#pragma omp parallel for num_threads(int(a.teams)) schedule(dynamic, 16)
#endif
    for (i64 k = 0; k < BLOCKS; ++k) {
        Block here;
        here.begin(k);
        here.connect();
#ifdef _OPENMP
        W::work(a, here, omp_get_thread_num(), 0, 1);
#else
        W::work(a, here, 0, 0, 1);
#endif
    }
#endif
}

// f(k) for each k below `count`, by all threads
template <class F> MH_FN void each_item(const Arguments& a, i64 count, F f) {
#ifdef __CUDACC__
    for (i64 k = i64(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += i64(gridDim.x) * blockDim.x) f(k);
#else
#ifdef _OPENMP
#pragma omp parallel for num_threads(int(a.teams)) schedule(static)
#endif
    for (i64 k = 0; k < count; ++k) f(k);
#endif
}

// the least and the largest height so far
MH_FN void widen(i64* ends, i64 low, i64 high) {
#ifdef __CUDACC__
    atomicMin(ends, low);
    atomicMax(ends + 1, high);
#else
    i64 seen = __atomic_load_n(ends, __ATOMIC_RELAXED);
    while (low < seen && !__atomic_compare_exchange_n(ends, &seen, low, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    seen = __atomic_load_n(ends + 1, __ATOMIC_RELAXED);
    while (high > seen &&
           !__atomic_compare_exchange_n(ends + 1, &seen, high, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
#endif
}

// The heights of all permutations above a.ground, in 32 bits: a.ends tells whether they fit. The last positions take
// every order by swaps of neighbors (Steinhaus, Johnson and Trotter).
MH_ENTRY(heights) {
    const Arguments& a = *arguments;
    each_item(a, BLOCKS, [&](i64 number) {
        Block here;
        here.begin(number);
        Item x[SIZE];
        for (int k = 0; k < SIZE; ++k) x[k] = Item(here.item[k]);
        const Team alone = one_team().alone();
        i64 height = i64(cost_of(a.problem, alone, x)) - a.ground, low = height, high = height;
        i32* heights = a.heights + number * TAILS;
        heights[a.visited[0]] = i32(height);
        for (int t = 1; t < TAILS; ++t) {
            const int i = PRE + a.swapped[t];
            if constexpr (BY_DELTA)
                height += i64(delta_of(a.problem, a.neighborhood, alone, x, a.state, SwapMove{i, i + 1}));
            const Item held = x[i];
            x[i] = x[i + 1];
            x[i + 1] = held;
            if constexpr (!BY_DELTA) height = i64(cost_of(a.problem, alone, x)) - a.ground;
            heights[a.visited[t]] = i32(height);
            low = height < low ? height : low;
            high = height > high ? height : high;
        }
        widen(a.ends, low, high);
    });
}

// a.next: the number of the best neighbor, of several the one with the lowest index; that of the permutation itself
// where no neighbor is better, which is then listed in a.optima
template <class Key> struct Steepest {
    static constexpr int SHIFT = sizeof(Key) == 4 ? 7 : 8;

    MH_FN static Key key(const Arguments& a, const Block& here, int t, int r) {
        const i32 height = a.heights[i64(here.block[t]) * TAILS + a.maps[int(here.map[t]) * TAILS + r]];
        return (Key(height) - Key(a.ends[0])) << SHIFT | Key(here.base[t] + a.late[int(here.late[t]) * TAILS + r]);
    }

    MH_FN static void keep(const Arguments& a, const Block& here, int r, Key best) {
        const i64 self = here.number * TAILS + r;
        if (i64(best >> SHIFT) >= i64(a.heights[self]) - a.ends[0]) {
            a.next[self] = u32(self);
            const u64 at = raise_counter(a.found, 1);
            if (at < u64(a.capacity)) a.optima[at] = u32(self);
            return;
        }
        const int index = int(best & ((1 << SHIFT) - 1)), i = a.pairs[2 * index], j = a.pairs[2 * index + 1];
        int t;
        if (j < PRE) t = i * (2 * PRE - 1 - i) / 2 + j - i - 1;
        else if (i < PRE) t = EARLY + i * TAIL + a.tails[r * TAIL + j - PRE];
        else t = EARLY + PRE * TAIL + (i - PRE) * (2 * TAIL - 1 - (i - PRE)) / 2 + j - i - 1;
        a.next[self] = u32(i64(here.block[t]) * TAILS + a.maps[int(here.map[t]) * TAILS + r]);
    }

    // the least key of each permutation so far, and of one more table: its heights and indices
    template <class H, class I> MH_FN static void least(Key* best, H height, I index) {
        for (int r = 0; r < TAILS; ++r) {
            const Key found = height(r) << SHIFT | Key(index(r));
            best[r] = found < best[r] ? found : best[r];
        }
    }

    MH_FN static void work(const Arguments& a, const Block& here, int, int first, int step) {
#ifdef __CUDACC__
        for (int r = first; r < TAILS; r += step) {
            Key best = ~Key(0);
            for (int t = 0; t < TABLES; ++t) {
                const Key found = key(a, here, t, r);
                best = found < best ? found : best;
            }
            keep(a, here, r, best);
        }
#else
        Key best[TAILS];
        for (int r = 0; r < TAILS; ++r) best[r] = ~Key(0);
        const Key low = Key(a.ends[0]);
        for (int t = 0; t < TABLES; ++t) {
            const i32* heights = a.heights + i64(here.block[t]) * TAILS;
            const u16* map = a.maps + int(here.map[t]) * TAILS;
            const u8* late = a.late + int(here.late[t]) * TAILS;
            const int base = here.base[t];
            if (!here.map[t]) least(best, [=](int r) { return Key(heights[r]) - low; }, [=](int) { return base; });
            else if (!here.late[t])
                least(best, [=](int r) { return Key(heights[map[r]]) - low; }, [=](int) { return base; });
            else least(best, [=](int r) { return Key(heights[map[r]]) - low; }, [=](int r) { return base + late[r]; });
        }
        for (int r = 0; r < TAILS; ++r) keep(a, here, r, best[r]);
#endif
    }
};

MH_ENTRY(steepest) { each_block<Steepest<u32>>(*arguments); }
MH_ENTRY(steepest_wide) { each_block<Steepest<u64>>(*arguments); }

// the labels of `value` local optima, in the order of a.optima
MH_ENTRY(mark) {
    const Arguments& a = *arguments;
    each_item(a, value, [&](i64 k) { a.next[a.optima[k]] = ENDS | u32(k); });
}

// a.next: the label of the local optimum to which steepest descent leads. What another thread has written meanwhile
// leads to the same one.
MH_ENTRY(resolve) {
    const Arguments& a = *arguments;
    volatile u32* next = a.next;
    each_item(a, BLOCKS * i64(TAILS), [&](i64 k) {
        u32 at = next[k];
        while (!(at & ENDS)) at = next[at];
        next[k] = at;
    });
}

// a.sizes: how many permutations lead to each of `value` local optima; a CPU's threads count apart
struct Sizes {
    MH_FN static void work(const Arguments& a, const Block& here, int team, int first, int step) {
        for (int r = first; r < TAILS; r += step) {
            const u32 label = a.next[here.number * TAILS + r] & ~ENDS;
#ifdef __CUDACC__
            atomicAdd(a.sizes + label, 1ull);
#else
            ++a.sizes[team * a.count + label];
#endif
        }
    }
};

MH_ENTRY(sizes) { each_block<Sizes>(*arguments); }

// a.labels: new labels in 16 bits
MH_ENTRY(relabel) {
    const Arguments& a = *arguments;
    each_item(a, BLOCKS * i64(TAILS), [&](i64 k) { a.labels[k] = a.renamed[a.next[k] & ~ENDS]; });
}

// a.edges: for each pair of labels, how many pairs of neighbors have them, each pair of neighbors once
struct Transitions {
#ifdef __CUDACC__
    // Most pairs of a block are met again in it: a table in the memory of the thread block counts those that came
    // first.
    static constexpr int SLOTS = 5632, PROBES = 4;
    static constexpr u32 EMPTY = ~0u;

    MH_FN static void work(const Arguments& a, const Block& here, int, int first, int step) {
        __shared__ u32 pairs[SLOTS], counts[SLOTS];
        for (int k = first; k < SLOTS; k += step) {
            pairs[k] = EMPTY;
            counts[k] = 0;
        }
        __syncthreads();
        const u16* own = a.labels + here.number * TAILS;
        for (int t = 0; t < TABLES; ++t) {
            if (i64(here.block[t]) < here.number) continue;
            const bool inside = i64(here.block[t]) == here.number;
            const u16* other = a.labels + i64(here.block[t]) * TAILS;
            const u16* map = a.maps + int(here.map[t]) * TAILS;
            for (int r = first; r < TAILS; r += step) {
                const int to = map[r];
                if (!inside || to > r) count(a, pairs, counts, own[r], other[to]);
            }
        }
        __syncthreads();
        for (int k = first; k < SLOTS; k += step)
            if (counts[k]) atomicAdd(a.edges + i64(pairs[k] >> 16) * a.count + (pairs[k] & 0xffff), counts[k]);
    }

    MH_FN static void count(const Arguments& a, u32* pairs, u32* counts, u32 one, u32 other) {
        const u32 low = one < other ? one : other, high = one < other ? other : one, pair = low << 16 | high;
        u32 slot = u32(u64(pair * 2654435761u) * SLOTS >> 32);
        for (int probe = 0; probe < PROBES; ++probe) {
            const u32 seen = atomicCAS(pairs + slot, EMPTY, pair);
            if (seen == EMPTY || seen == pair) {
                atomicAdd(counts + slot, 1u);
                return;
            }
            slot = slot + 1 < SLOTS ? slot + 1 : 0;
        }
        atomicAdd(a.edges + i64(low) * a.count + high, 1u);
    }
#else
    // The labels beside each label are listed, and counted where the list is full: a row of counters then stays in fast
    // memory while thousands of them are raised.
    MH_FN static void work(const Arguments& a, const Block& here, int team, int, int) {
        const u16* own = a.labels + here.number * TAILS;
        const u16* beside[TABLES];
        int maps[TABLES], count = 0;
        for (int t = 0; t < EARLY + PRE * TAIL; ++t) {
            if (i64(here.block[t]) < here.number) continue;
            beside[count] = a.labels + i64(here.block[t]) * TAILS;
            maps[count++] = here.map[t];
        }
        for (int r = 0; r < TAILS; ++r) {
            const i64 label = team * a.count + own[r];
            if (a.listed[label] > ROOM - TABLES) empty(a, label);
            const u16* map = a.maps_by_place + r * MAPS;
            u16* list = a.lists + label * ROOM;
            u32 end = a.listed[label];
            for (int t = 0; t < count; ++t) list[end++] = beside[t][map[maps[t]]];
            if (a.even[r])  // a swap leads from an even order to an odd one
                for (int t = 1 + TAIL * TAIL; t < MAPS; ++t) list[end++] = own[map[t]];
            a.listed[label] = end;
        }
    }

    // counts the labels listed beside a label, one of a thread's own
    MH_FN static void empty(const Arguments& a, i64 label) {
        const u16* list = a.lists + label * ROOM;
        u32* row = a.edges + label * a.count;
        for (u32 k = 0; k < a.listed[label]; ++k) ++row[list[k]];
        a.listed[label] = 0;
    }
#endif
};

MH_ENTRY(transitions) {
    const Arguments& a = *arguments;
    each_block<Transitions>(a);
#ifndef __CUDACC__
    each_item(a, a.teams * a.count, [&](i64 label) { Transitions::empty(a, label); });
#endif
}
