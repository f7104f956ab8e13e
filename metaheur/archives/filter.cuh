// Filters of many costs of K whole numbers. A cost *beats* another one if no number of it is larger, and one is smaller
// or it comes before. A cost that beats another one precedes it in two orders. The first order compares the first
// objective, then the second and so on, then the index; the second order compares the second objective, then the first
// order. So with three objectives, the ranks in both orders and the third number tell whether a cost beats another one.
struct Costs {
    const i64* keys;
    i64 n, next;  // the step from one cost to the next: 1 if each objective is an array, K if each cost is a row

    MH_FN i64 operator()(i64 i, int k) const { return keys[i * next + k * (next == 1 ? n : 1)]; }
    // the third objective; with two objectives it is the same for all
    MH_FN i64 third(i64 i) const { return K > 2 ? (*this)(i, 2) : 0; }

    // whether a comes before b in the first order
    MH_FN bool before(i64 a, i64 b) const {
        for (int k = 0; k < K; ++k)
            if ((*this)(a, k) != (*this)(b, k)) return (*this)(a, k) < (*this)(b, k);
        return a < b;
    }
};

MH_FN Costs costs_of(const Arguments& a) { return {a.keys, a.n, a.next}; }
MH_FN Costs others_of(const Arguments& a) { return {a.others, a.m, a.next}; }

#ifdef __CUDACC__
constexpr int TILE = 256;             // threads of a block, and costs that are in shared memory at a time
constexpr int MOST_IN_BUCKET = 3072;  // the most costs of a bucket, all in shared memory

MH_FN i64 thread() { return i64(blockIdx.x) * blockDim.x + threadIdx.x; }

// the least number of each objective, and the negated largest one
MH_ENTRY(ranges) {
    const Arguments& a = *arguments;
    const Costs costs = costs_of(a);
    for (int k = 0; k < K; ++k) {
        i64 low = Never<i64>::value, high = low;
        for (i64 i = thread(); i < a.n; i += i64(gridDim.x) * blockDim.x) {
            const i64 value = costs(i, k);
            low = value < low ? value : low;
            high = -value < high ? -value : high;
        }
        for (int o = 16; o; o /= 2) {
            const i64 other_low = __shfl_xor_sync(~0u, low, o), other_high = __shfl_xor_sync(~0u, high, o);
            low = other_low < low ? other_low : low;
            high = other_high < high ? other_high : high;
        }
        if (threadIdx.x % 32 == 0) {
            atomicMin(a.ranges + 2 * k, low);
            atomicMin(a.ranges + 2 * k + 1, high);
        }
    }
}

// Numbers near a middle as 32 bits; numbers farther away become the ends, which keeps the result of comparisons.
struct Near {
    static constexpr i64 reach = 0x7ffffffe, least = -Never<i64>::value - 1;
    i64 middle, low, high;

    MH_FN explicit Near(i64 about)
        : middle(about), low(about < least + reach ? least : about - reach),
          high(about > Never<i64>::value - reach ? Never<i64>::value : about + reach) {}
    MH_FN bool holds(i64 value) const { return low < value && value < high; }
    MH_FN i32 of(i64 value) const { return i32((value < low ? low : value > high ? high : value) - middle); }
};

// K numbers of type T, read together
template <class T> struct alignas(16) Packed { T of[(K * sizeof(T) + 15) / 16 * 16 / sizeof(T)]; };

// in numbers of type T: i64, or i32 if the numbers of the block fit
template <class T, bool self> MH_FN void meet_all(const Arguments& a, i64 share, void* shared) {
    Packed<T>* tile = reinterpret_cast<Packed<T>*>(shared);
    const Costs costs = costs_of(a), others = others_of(a);
    const i64 blocks = (a.n + TILE - 1) / TILE, i = blockIdx.x % blocks * TILE + threadIdx.x, c = i < a.n ? i : a.n - 1;
    const i64 begin = blockIdx.x / blocks * share, end = begin + share < a.m ? begin + share : a.m;
    const auto number = [&](i64 value, int k) -> T {
        if constexpr (sizeof(T) < sizeof(i64)) return Near(others(0, k)).of(value);
        else return value;
    };
    T own[K];
    for (int k = 0; k < K; ++k) own[k] = number(costs(c, k), k);
    bool covered = false;
    for (i64 first = begin; first < end; first += TILE) {
        const i64 j = first + threadIdx.x;
        __syncthreads();  // the tile before has been read
        for (int k = 0; k < K; ++k) tile[threadIdx.x].of[k] = j < end ? number(others(j, k), k) : Never<T>::value;
        if (__syncthreads_and(covered)) break;
#pragma unroll 8
        for (int t = 0; t < TILE; ++t) {
            const Packed<T> other = tile[t];
            bool nowhere_larger = true, equal = true;
            for (int k = 0; k < K; ++k) {
                nowhere_larger &= other.of[k] <= own[k];
                equal &= other.of[k] >= own[k];
            }
            covered |= nowhere_larger && (!self || !equal || first + t < c);
        }
    }
    if (covered && i < a.n) a.out[i] = 1;
}

// out[i] = 1 if another cost is nowhere larger than cost i; within one set, if another cost beats it. As many blocks as
// there are tiles of costs compare them with the first `value` other costs, as many with the next ones, and so on.
MH_ENTRY(meet_others) {
    const Arguments& a = *arguments;
    const Costs costs = costs_of(a), others = others_of(a);
    const i64 blocks = (a.n + TILE - 1) / TILE, i = blockIdx.x % blocks * TILE + threadIdx.x;
    bool near = true;
    for (int k = 0; k < K && i < a.n; ++k) near &= Near(others(0, k)).holds(costs(i, k));
    const bool self = a.others == a.keys;
    __shared__ Packed<i64> tile[TILE];
    if (__syncthreads_and(near)) self ? meet_all<i32, true>(a, value, tile) : meet_all<i32, false>(a, value, tile);
    else self ? meet_all<i64, true>(a, value, tile) : meet_all<i64, false>(a, value, tile);
}

// completes an order by the first objective to the first order: one thread sorts each run of equal numbers; a run that
// is too long is reported instead
MH_ENTRY(untie) {
    const Arguments& a = *arguments;
    const Costs costs = costs_of(a);
    i32* order = a.order;
    const i64 i = thread();
    if (i + 1 >= a.n) return;
    const i64 number = costs(order[i], 0);
    if (costs(order[i + 1], 0) != number || (i > 0 && costs(order[i - 1], 0) == number)) return;
    i64 end = i + 2;
    while (end < a.n && end - i <= 64 && costs(order[end], 0) == number) ++end;
    if (end - i > 64) {
        *a.long_run = 1;
        return;
    }
    for (i64 k = i + 1; k < end; ++k) {
        const i32 one = order[k];
        i64 to = k;
        for (; to > i && costs.before(one, order[to - 1]); --to) order[to] = order[to - 1];
        order[to] = one;
    }
}

MH_ENTRY(rank) {
    const Arguments& a = *arguments;
    for (i64 i = thread(); i < 2 * a.n; i += i64(gridDim.x) * blockDim.x) {
        const i64 axis = i / a.n;
        a.ranks[axis * a.n + a.order[i]] = i32(i - axis * a.n);
    }
}

// A cell belongs to a bucket of the first order and a bucket of the second. At first it has the least third number of
// the costs in both buckets; then the least of these and of all lower cells.
MH_ENTRY(place) {
    const Arguments& a = *arguments;
    const i64 i = thread();
    if (i >= a.n) return;
    atomicMin(a.cells + a.ranks[i] / a.bucket * a.grid + a.ranks[a.n + i] / a.bucket, costs_of(a).third(i));
}

MH_ENTRY(across) {
    const Arguments& a = *arguments;
    i64* row = a.cells + i64(blockIdx.x) * a.grid;
    const int lane = threadIdx.x;
    i64 least = Never<i64>::value;
    if (lane >= 32) return;
    for (i64 begin = 0; begin < a.grid; begin += 32) {
        i64 value = begin + lane < a.grid ? row[begin + lane] : Never<i64>::value;
        for (int o = 1; o < 32; o *= 2) {
            const i64 other = __shfl_up_sync(~0u, value, o);
            if (lane >= o && other < value) value = other;
        }
        value = least < value ? least : value;
        least = __shfl_sync(~0u, value, 31);
        if (begin + lane < a.grid) row[begin + lane] = value;
    }
}

MH_ENTRY(down) {
    const Arguments& a = *arguments;
    const i64 column = thread();
    i64 least = Never<i64>::value;
    if (column >= a.grid) return;
    constexpr int ahead = 8;  // loads on their way together
    for (i64 row = 0; row < a.grid; row += ahead) {
        i64 values[ahead];
        const int count = int(row + ahead < a.grid ? ahead : a.grid - row);
        i64* first = a.cells + row * a.grid + column;
        for (int r = 0; r < ahead; ++r)
            if (r < count) values[r] = first[r * a.grid];
        for (int r = 0; r < ahead; ++r)
            if (r < count) first[r * a.grid] = least = values[r] < least ? values[r] : least;
    }
}

// out[i] = 1 if a cost beats cost i whose cell is lower in both orders
MH_ENTRY(look) {
    const Arguments& a = *arguments;
    const i64 i = thread();
    if (i >= a.n) return;
    const i64 row = a.ranks[i] / a.bucket - 1, column = a.ranks[a.n + i] / a.bucket - 1;
    a.out[i] = row >= 0 && column >= 0 && a.cells[row * a.grid + column] <= costs_of(a).third(i);
}

// out[i] = 1 if a cost of the same bucket of the order `value` beats cost i
MH_ENTRY(meet_bucket) {
    const Arguments& a = *arguments;
    __shared__ i32 rank[MOST_IN_BUCKET];
    __shared__ i64 third[MOST_IN_BUCKET];
    const i64 first = blockIdx.x * a.bucket;
    const int count = int(first + a.bucket < a.n ? a.bucket : a.n - first);
    const i32* order = a.order + value * a.n + first;
    for (int t = threadIdx.x; t < count; t += blockDim.x) {
        rank[t] = a.ranks[(1 - value) * a.n + order[t]];  // in the other order
        third[t] = costs_of(a).third(order[t]);
    }
    __syncthreads();
    for (int t = threadIdx.x; t < count; t += blockDim.x) {
        if (a.out[order[t]]) continue;
        const i32 own = rank[t];
        const i64 limit = third[t];
        bool beaten = false;
#pragma unroll 8
        for (int s = 0; s < t; ++s) beaten |= rank[s] < own && third[s] <= limit;
        if (beaten) a.out[order[t]] = 1;
    }
}
#else
// out[i] = 1 if another cost is nowhere larger than cost i
MH_ENTRY(meet_others) {
    const Arguments& a = *arguments;
    const Costs costs = costs_of(a), others = others_of(a);
    for (i64 i = 0; i < a.n; ++i) {
        bool covered = false;
        for (i64 j = 0; j < a.m && !covered; ++j) {
            covered = true;
            for (int k = 0; k < K && covered; ++k) covered = others(j, k) <= costs(i, k);
        }
        a.out[i] = covered;
    }
}
#endif
