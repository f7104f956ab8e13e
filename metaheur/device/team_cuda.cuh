// A team on the GPU is a thread, a tile of a warp, or a block. Several blocks may share a walk: each holds a replica of
// its solution and state and owns a part of the neighborhood; only the best move travels between them.
struct Post {
    Cost score, delta;
    i64 index;
};

struct Exchange {  // in global memory, one for the blocks of a walk
    unsigned long long arrived;
    Post post[2][MH_BLOCKS];
};

// Whether parts own whole groups, because the problem evaluates a group at once; defined when the problem is known.
template <class Neighborhood> struct OwnsGroups;

struct Team {
    int rank, size;   // of threads
    int part, parts;  // of the neighborhood
    Best* slots;      // shared memory, one for each warp; of a block only
    Exchange* exchange;
    u64* epoch;      // how often this block has exchanged, in shared memory
    Chosen* answer;  // what the last exchange chose, in shared memory

    MH_FN u32 mask() const { return size >= 32 ? ~0u : ((1u << size) - 1u) << ((threadIdx.x & 31) / size * size); }
    MH_FN void sync() const {
        if (size > 32) __syncthreads();
        else if (size > 1) __syncwarp(mask());
    }
    MH_FN Team alone() const { return Team{0, 1, 0, 1, nullptr, nullptr, nullptr, nullptr}; }
    MH_FN i64 worker() const { return (i64(blockIdx.x) * blockDim.x + threadIdx.x) / 32; }  // a warp
    template <int width> MH_FN Team tile() const {
        return Team{int(threadIdx.x % width), width, 0, 1, nullptr, nullptr, nullptr, nullptr};
    }

    template <class F> MH_FN void for_each(i64 count, F f) const {
        for (i64 k = rank; k < count; k += size) f(k);
    }

    template <class T> MH_FN T reduce(T value) const {
        if (size == 1) return value;
        for (int o = (size < 32 ? size : 32) / 2; o; o /= 2) value += __shfl_xor_sync(mask(), value, o);
        if (size <= 32) return value;
        __syncthreads();  // the slots may still be read
        if ((rank & 31) == 0) reinterpret_cast<T*>(slots + rank / 32)[0] = value;
        __syncthreads();
        T total = 0;
        for (int w = 0; w < size / 32; ++w) total += reinterpret_cast<T*>(slots + w)[0];
        return total;
    }

    template <class F> MH_FN auto sum(i64 count, F f) const {
        decltype(f(0)) total = 0;
        for (i64 k = rank; k < count; k += size) total += f(int(k));
        return reduce(total);
    }

    // the sum of (a[k] - b[k]) (c[k] - d[k]) over whole rows, padding included
    template <class A, class B> MH_FN Cost dot_of_differences(A a, A b, B c, B d) const {
        if constexpr (Same<typename A::stored_type, u8>::value && Same<typename B::stored_type, u8>::value &&
                      Same<Cost, i32>::value) {
            u32 plus = 0, minus = 0;
            for (int k = rank; k < (a.padded < c.padded ? a.padded : c.padded) / 4; k += size) {
                u32 x = a.word(k), y = b.word(k), z = c.word(k), w = d.word(k);
                plus = __dp4a(x, z, __dp4a(y, w, plus));
                minus = __dp4a(x, w, __dp4a(y, z, minus));
            }
            return reduce(i32(plus - minus));
        } else {
            Cost total = 0;
            int padded = a.padded < c.padded ? a.padded : c.padded;
            for (int k = rank; k < padded; k += size) total += (Cost(a[k]) - Cost(b[k])) * (Cost(c[k]) - Cost(d[k]));
            return reduce(total);
        }
    }

    // which part owns a move: runs of eight (a sector of the table), dealt so that a row and a column spread evenly
    template <class N> MH_FN bool owns(i64 g, i64 k) const {
        if (parts == 1) return true;
        return (OwnsGroups<N>::value ? u32(g) : 2 * u32(g) + u32(k) / 8) % u32(parts) == u32(part);
    }

    // threads that walk a group together: a power of two, so many that all groups keep the block busy
    MH_FN int width(i64 groups) const {
        int wide = 32;
        while (wide < size && wide * groups < size) wide *= 2;
        return wide < size ? wide : size;
    }

    template <class N, class F> MH_FN void visit(const N& neighborhood, F f) const {
        i64 groups = neighborhood.groups();
        int wide = width(groups);
        for (i64 g = rank / wide; g < groups; g += size / wide) {
            i64 first = neighborhood.first(g);
            u32 length = u32(neighborhood.length(g));
            if (parts == 1 || OwnsGroups<N>::value) {
                if (!owns<N>(g, 0)) continue;
                for (u32 k = rank % wide; k < length; k += wide) f(first + k, neighborhood.move(g, int(k)));
            } else {
                u32 skip = (u32(part) + u32(parts) - 2 * u32(g) % u32(parts)) % u32(parts);
                for (u32 l = rank % wide;; l += wide) {
                    u32 k = (skip + l / 8 * u32(parts)) * 8 + l % 8;
                    if (k - l % 8 >= length) break;
                    if (k < length) f(first + k, neighborhood.move(g, int(k)));
                }
            }
        }
    }

    // f(team, group) for the team's part of the groups from ... to - 1; a warp takes a group
    template <class N, class F> MH_FN void groups(const N&, i64 from, i64 to, F f) const {
        for (i64 g = from + rank / 32; g < to; g += size / 32)
            if (owns<N>(g, 0)) f(tile<32>(), g);
    }

    // f(index, move) for the team's part of the indices from ... to - 1: where groups are long, a warp takes runs of
    // indices and walks them group by group; where they are short, each thread goes by the index alone
    template <class N, class F> MH_FN void enumerate(const N& neighborhood, i64 from, i64 to, F f) const {
        if (neighborhood.size() < 64 * neighborhood.groups()) {
            for (i64 k = from + i64(part) * size + rank; k < to; k += i64(parts) * size) f(k, neighborhood.unrank(k));
            return;
        }
        const i64 warps = i64(parts) * (size / 32), share = (to - from + warps - 1) / warps;
        const i64 run = share < 512 ? (share + 31) / 32 * 32 : 512;
        for (i64 begin = from + (i64(part) * (size / 32) + rank / 32) * run; begin < to; begin += warps * run) {
            const i64 end = begin + run < to ? begin + run : to;
            for (i64 k = begin; k < end;) {
                const i64 g = neighborhood.group(neighborhood.unrank(k)), first = neighborhood.first(g);
                const int length = neighborhood.length(g), stop = end - first < length ? int(end - first) : length;
                for (int at = int(k - first) + (rank & 31); at < stop; at += 32)
                    f(first + at, neighborhood.move(g, at));
                k = first + stop;
            }
        }
    }

    template <class N, class Move, class F> MH_FN void around(const N& neighborhood, Move move, F f) const {
        constexpr int wide = MH_TILE;
        for (i64 t = rank / wide, touched = neighborhood.touched(); t < touched; t += size / wide) {
            Move other;
            if (!neighborhood.around(move, t, other)) continue;
            i64 g = neighborhood.group(other);
            i64 index = neighborhood.index(other);
            if (owns<N>(g, index - neighborhood.first(g))) f(tile<wide>(), index, other);
        }
    }

    template <class N, class F> MH_FN Best argmin(const N& neighborhood, F score) const {
        Best best{Never<Cost>::value, -1};
        visit(neighborhood, [&](i64 k, auto move) {
            Best other{score(k, move), k};
            if (other.score != Never<Cost>::value && (best.index < 0 || other < best)) best = other;
        });
        return lowest(best);
    }

    // the best of all threads, known to all
    MH_FN Best lowest(Best best) const {
        if (size == 1) return best;
        best = lowest_of_warp(best);
        if (size <= 32) return best;
        if ((rank & 31) == 0) slots[rank / 32] = best;
        __syncthreads();
        int lane = threadIdx.x & 31;
        best = lane < size / 32 ? slots[lane] : Best{Never<Cost>::value, -1};
        return lowest_of_warp(best);
    }

    // the same with the change of cost: whoever found the best tells it
    MH_FN Found lowest(Found found) const {
        Best best = lowest(Best{found.score, found.index});
        __shared__ Found told;
        if (found.index == best.index) told = found;
        sync();
        return told;
    }

    MH_FN Best lowest_of_warp(Best best) const {
        if constexpr (Same<Cost, i32>::value) {
            i32 low = __reduce_min_sync(~0u, i32(best.score));
            bool mine = best.score == low && best.index >= 0;
            u32 high = __reduce_min_sync(~0u, mine ? u32(u64(best.index) >> 32) : ~0u);
            u32 rest = __reduce_min_sync(~0u, mine && u32(u64(best.index) >> 32) == high ? u32(best.index) : ~0u);
            return {Cost(low), i64(u64(high) << 32 | rest)};  // no move at all: every bit set, -1
        } else {
            for (int o = 16; o; o /= 2) {
                Best other{__shfl_xor_sync(~0u, best.score, o), __shfl_xor_sync(~0u, best.index, o)};
                if (other.index >= 0 && (best.index < 0 || other < best)) best = other;
            }
            return best;
        }
    }

    // the move of lowest score and lowest index of the block's part
    template <class N, class D, class S> MH_FN Found best(const N& neighborhood, D delta, S score) const {
        Found found{Never<Cost>::value, 0, -1};
        enumerate(neighborhood, 0, neighborhood.size(), [&](i64 k, auto m) {
            Cost change = delta(m);
            const Cost s = score(change);
            if (s != Never<Cost>::value) found.offer(s, change, k);
        });
        return lowest(found);
    }

    // the best of all blocks, known to all; two sets of posts, so that nobody overwrites what is still read
    template <class F> MH_FN Chosen across(Best best, F delta) const {
        if (parts == 1) return {best.index, best.index < 0 ? Cost(0) : delta(best.index)};
        __syncthreads();
        if (rank < 32) {  // one warp speaks for the block: more of them would crowd the same lines of memory
            u64 turn = *epoch;
            Post* posts = exchange->post[turn & 1];
            if (rank == 0) {
                posts[part] = {best.score, best.index < 0 ? Cost(0) : delta(best.index), best.index};
                __threadfence();
                atomicAdd(&exchange->arrived, 1ull);
                while (*(volatile u64*)&exchange->arrived < (turn + 1) * parts) {}
                __threadfence();
                *epoch = turn + 1;
            }
            __syncwarp();
            Best mine{Never<Cost>::value, -1};
            Cost change = 0;
            for (int p = rank; p < parts; p += 32) {
                volatile Post* post = &posts[p];
                Best other{post->score, post->index};
                if (other.index >= 0 && (mine.index < 0 || other < mine)) {
                    mine = other;
                    change = post->delta;
                }
            }
            best = lowest_of_warp(mine);
            int owner = __ffs(__ballot_sync(~0u, mine.index == best.index)) - 1;
            change = __shfl_sync(~0u, change, owner);
            if (rank == 0) *answer = {best.index, change};
        }
        __syncthreads();
        return *answer;
    }
};

__shared__ Best mh_slots[32];

MH_FN Team one_team() { return Team{int(threadIdx.x), int(blockDim.x), 0, 1, mh_slots, nullptr, nullptr}; }

// f(team, thread) in all blocks, each with its part of the neighborhood
template <class F> MH_FN void in_parallel(int, F f) {
    Team team{int(threadIdx.x), int(blockDim.x), int(blockIdx.x), int(gridDim.x), mh_slots, nullptr, nullptr};
    f(team, i64(blockIdx.x) * blockDim.x + threadIdx.x);
}
