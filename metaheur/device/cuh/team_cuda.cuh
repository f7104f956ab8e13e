struct Team {
    int rank, size;  // of threads
    int league_rank, league_size;
    Mailbox mailbox;

    MH_FN u32 mask() const { return size >= 32 ? ~0u : ((1u << size) - 1u) << ((threadIdx.x & 31) / size * size); }
    MH_FN void sync() const {
        if (size > 32) __syncthreads();
        else if (size > 1) __syncwarp(mask());
    }
    MH_FN Team alone() const { return Team{0, 1, 0, 1, {}}; }
    template <int width> MH_FN Team tile() const { return Team{int(threadIdx.x % width), width, 0, 1, {}}; }
    // the number of the team's scratch memory: of a warp, among all warps or the block's, or of a thread
    MH_FN i64 worker() const { return (i64(MH_OWN_SCRATCH ? 0 : blockIdx.x) * blockDim.x + threadIdx.x) / MH_LANES; }

    template <class Count, class F> MH_FN void for_each(Count count, F f) const {
        MH_LOOP for (Count k = rank; k < count; k += size) f(k);
    }

    // the same, for threads with few rounds each
    template <class F> MH_FN void for_few(int count, F f) const {
        MH_ROLLED
        for (int k = rank; k < count; k += size) f(k);
    }

    template <class T> MH_FN T reduce(T value) const {
        if (size == 1) return value;
        if constexpr (Same<T, i32>::value)
            if (size == 32) return __reduce_add_sync(~0u, value);
        for (int o = (size < 32 ? size : 32) / 2; o; o /= 2) value += __shfl_xor_sync(mask(), value, o);
        if (size <= 32) return value;
        __syncthreads();  // the slots may still be read
        if ((rank & 31) == 0) reinterpret_cast<T*>(mh_slots + rank / 32)[0] = value;
        __syncthreads();
        T total = 0;
        for (int w = 0; w < size / 32; ++w) total += reinterpret_cast<T*>(mh_slots + w)[0];
        return total;
    }

    // what the threads before this one have, and in `total` what all have
    MH_FN i64 preceding(i64 mine, i64& total) const {
        const int wide = size < 32 ? size : 32, lane = rank % wide;
        i64 sum = mine;
        MH_LOOP for (int o = 1; o < wide; o *= 2) {
            const i64 other = __shfl_up_sync(mask(), sum, o, wide);
            if (lane >= o) sum += other;
        }
        total = __shfl_sync(mask(), sum, wide - 1, wide);
        if (size <= 32) return sum - mine;
        __syncthreads();  // the slots may still be read
        if (lane == 31) reinterpret_cast<i64*>(mh_slots + rank / 32)[0] = sum;
        __syncthreads();
        i64 before = sum - mine;
        total = 0;
        MH_LOOP for (int w = 0; w < size / 32; ++w) {
            const i64 one = reinterpret_cast<i64*>(mh_slots + w)[0];
            if (w < rank / 32) before += one;
            total += one;
        }
        return before;
    }

    // a k < count for which f(k) holds, one of the first that threads meet, or -1; by a warp or less
    template <class F> MH_FN i64 some(i64 count, F f) const {
        for (i64 begin = 0; begin < count; begin += size) {
            const u32 found = __ballot_sync(mask(), begin + rank < count && f(begin + rank)) & mask();
            if (found) return begin + (__ffs(found) - 1) % size;
        }
        return -1;
    }

    // 0, 1, ... for the threads of a warp that ask with a value that none before asks with, -1 for others; how many ask
    MH_FN int place_in_line(bool asks, int value, int& total) const {
        const u32 all = __ballot_sync(~0u, asks), same = __match_any_sync(~0u, value) & all, before = (1u << rank) - 1;
        const bool first = asks && !(same & before);
        const u32 line = __ballot_sync(~0u, first);
        total = __popc(line);
        return first ? __popc(line & before) : -1;
    }

    // the first thread of a warp or less that says yes, or its size
    MH_FN int first(bool yes) const {
        const u32 all = __ballot_sync(mask(), yes) & mask();
        return all ? int(u32(lowest_bit(all)) % u32(size)) : size;
    }

    // f(team, lane) for each lane of a warp that asks for it, one after the other, by the whole warp
    template <class F> MH_FN void in_turn(bool asks, F f) const {
        for (u32 left = __ballot_sync(~0u, asks); left; left &= left - 1) f(tile<32>(), __ffs(left) - 1);
    }

    // the bit k of `words` becomes `yes`; by a warp, whose lanes have adjacent k, the first one a multiple of 32
    MH_FN static void mark(u32* words, i64 k, bool yes) {
        const u32 word = __ballot_sync(~0u, yes);
        if (k % 32 == 0) words[k / 32] = word;
    }

    // f(team, k) for every k < count; a warp takes one
    template <class F> MH_FN void by_warps(i64 count, F f) const {
        for (i64 k = rank / 32; k < count; k += size / 32) f(tile<32>(), k);
    }

    // the same by all warps of a league, the last ones first
    template <class F> MH_FN void by_last_warps(i64 count, F f) const {
        const i64 warps = i64(league_size) * (size / 32);
        for (i64 k = warps - 1 - i64(league_rank) * (size / 32) - rank / 32; k < count; k += warps) f(tile<32>(), k);
    }

    // whether a thread says yes
    MH_FN bool any(bool yes) const {
        if (size == 1) return yes;
        return size <= 32 ? __any_sync(mask(), yes) : __syncthreads_or(yes);
    }

    // the value of a thread, for all threads
    template <class T> MH_FN T told(T mine, i64 by) const {
        if (size == 1) return mine;
        if (size <= 32) return of_words(mine, [=](u32 word) { return __shfl_sync(mask(), word, int(by), size); });
        __shared__ T one;
        __syncthreads();  // threads may still read the value before
        if (rank == by) one = mine;
        __syncthreads();
        return one;
    }

    // the value of a thread that precedes the values of the others, for all threads
    template <class T, class P> MH_FN T first_of(T mine, P precedes) const {
        MH_LOOP for (int o = (size < 32 ? size : 32) / 2; o; o /= 2) {
            const T other = of_words(mine, [=](u32 word) { return __shfl_xor_sync(mask(), word, o); });
            if (precedes(other, mine)) mine = other;
        }
        if (size <= 32) return mine;
        __shared__ T firsts[32];
        __syncthreads();  // threads may still read the values
        if ((rank & 31) == 0) firsts[rank / 32] = mine;
        __syncthreads();
        mine = firsts[0];
        MH_LOOP for (int w = 1; w < size / 32; ++w) if (precedes(firsts[w], mine)) mine = firsts[w];
        return mine;
    }

    // the thread with the greatest value; among equals, the one with the lowest number
    template <class T> MH_FN int leader(T value, i64 number) const {
        if constexpr (Same<T, i32>::value) {
            if (size == 32) {
                const bool first = value == __reduce_max_sync(~0u, value);
                const u32 equal = __ballot_sync(~0u, first);
                if ((equal & (equal - 1)) == 0) return lowest_bit(equal);
                const u32 high = __reduce_min_sync(~0u, first ? u32(number >> 32) : ~0u);
                const bool early = first && u32(number >> 32) == high;
                const u32 low = __reduce_min_sync(~0u, early ? u32(number) : ~0u);
                return lowest_bit(__ballot_sync(~0u, early && u32(number) == low));
            }
        }
        struct Candidate {
            T value;
            i64 number, rank;
        };
        return int(first_of(Candidate{value, number, rank}, [](const auto& one, const auto& other) {
            return one.value != other.value ? one.value > other.value : one.number < other.number;
        }).rank);
    }

    // the least value of all threads
    template <class T> MH_FN T least(T value) const {
        return first_of(value, [](const T& one, const T& other) { return one < other; });
    }

    // the sum of f(k) over k < count, in the type of changes of cost or f's own, if that is wider
    template <class F> MH_FN auto sum(i64 count, F f) const {
        typename SumOf<decltype(f(0))>::type total = 0;
        for (i64 k = rank; k < count; k += size) total += f(int(k));
        return reduce(total);
    }

    // the inner product of two differences of rows, padding included
    template <class A, class B, class C, class D>
    MH_FN Number dot(RowDifference<A, B> left, RowDifference<C, D> right) const {
        const int padded = left.a.padded < right.a.padded ? left.a.padded : right.a.padded;
        if constexpr (Same<typename A::stored_type, u8>::value && Same<typename C::stored_type, u8>::value &&
                      Same<Number, i32>::value) {
            u32 plus = 0, minus = 0;
            for (int k = rank; k < padded / 4; k += size) {
                const u32 x = left.a.word(k), y = left.b.word(k), z = right.a.word(k), w = right.b.word(k);
                plus = __dp4a(x, z, __dp4a(y, w, plus));
                minus = __dp4a(x, w, __dp4a(y, z, minus));
            }
            return reduce(i32(plus - minus));
        } else {
            Number total = 0;
            for (int k = rank; k < padded; k += size)
                total += (Number(left.a[k]) - Number(left.b[k])) * (Number(right.a[k]) - Number(right.b[k]));
            return reduce(total);
        }
    }

    // the block that owns a move: it owns runs of moves, distributed so that a row and a column spread evenly
    template <class N> MH_FN bool owns(i64 g, i64 k) const {
        if (league_size == 1) return true;
        return (SharesGroups<N>::value ? u32(g) : 2 * u32(g) + u32(k) / OwnedRun<N>::length) % u32(league_size) ==
               u32(league_rank);
    }

    // the first run of a group that the team owns; it owns every league_size-th run
    MH_FN u32 first_run(i64 g) const {
        const u32 leagues = u32(league_size);
        return (u32(league_rank) + leagues - 2 * u32(g) % leagues) % leagues;
    }

    // the number of threads for a group: a power of two, large enough that all groups keep the block busy
    MH_FN int width(i64 groups, int wide) const {
        while (wide < size && wide * groups < size) wide *= 2;
        return wide < size ? wide : size;
    }

    // f(index, move) for every move of the team's share, group by group; a thread always meets the same moves
    template <class N, class F> MH_FN void visit(const N& neighborhood, F f) const {
        if constexpr (MH_FEW && Folds<N>::value) return visit_few(rank, size, neighborhood, f);
        i64 groups = neighborhood.groups();
        const bool runs = league_size > 1 && !SharesGroups<N>::value;  // the team has several runs of a group
        constexpr u32 run = OwnedRun<N>::length;
        const bool brief = neighborhood.size() < 64 * groups;  // half a warp for each, of which fewer threads are idle
        int wide = width(groups, runs ? int(run) : brief ? 16 : 32);
        for (i64 g = divided(rank, wide); g < groups; g += divided(size, wide)) {
            i64 first = neighborhood.first(g);
            u32 length = u32(neighborhood.length(g));
            if (!runs) {
                if (!owns<N>(g, 0)) continue;
                for (u32 k = rank % wide; k < length; k += wide) f(first + k, neighborhood.move(g, int(k)));
            } else {
                const u32 skip = first_run(g);
                for (u32 l = rank % wide;; l += wide) {
                    u32 k = (skip + l / run * u32(league_size)) * run + l % run;
                    if (k - l % run >= length) break;
                    if (k < length) f(first + k, neighborhood.move(g, int(k)));
                }
            }
        }
    }

    // f(team, group) for the team's share of the groups from ... to - 1; a warp takes a group
    template <class N, class F> MH_FN void groups(const N&, i64 from, i64 to, F f) const {
        const i64 skip = (league_rank + league_size - from % league_size) % league_size, warps = size / MH_LANES;
        for (i64 g = from + skip + rank / MH_LANES * league_size; g < to; g += warps * league_size)
            f(tile<MH_LANES>(), g);
    }

    // f(team, run) for the runs that the team owns in the groups from ... to - 1; a warp takes a run
    template <class N, class F> MH_FN void runs(const N& neighborhood, i64 from, i64 to, F f) const {
        constexpr u32 run = OwnedRun<N>::length;
        for (i64 g = from; g < to; ++g) {
            const u32 length = u32(neighborhood.length(g)), skip = first_run(g);
            for (u32 l = u32(rank / MH_LANES);; l += u32(size / MH_LANES)) {
                const u32 begin = (skip + l * u32(league_size)) * run;
                if (begin >= length) break;
                f(tile<MH_LANES>(), Run{g, int(begin), int(begin + run < length ? begin + run : length)});
            }
        }
    }

    // f(team) by the threads that share a group
    template <class F> MH_FN void one_tile(F f) const {
        if (rank < MH_LANES) f(tile<MH_LANES>());
    }

    // f(index, move) for the team's share of the indices from ... to - 1: with long groups, a warp takes runs of
    // indices, group by group; with short groups, or if each thread has one index, it uses the index alone
    template <class N, class F> MH_FN void enumerate(const N& neighborhood, i64 from, i64 to, F f) const {
        const i64 warps = i64(league_size) * (size / MH_LANES), share = (to - from + warps - 1) / warps;
        if (neighborhood.size() < 64 * neighborhood.groups() || share <= MH_LANES) {
            for (i64 k = from + i64(league_rank) * size + rank; k < to; k += i64(league_size) * size)
                f(k, neighborhood.unrank(k));
            return;
        }
        const i64 run = share < MH_RUN ? (share + 31) / 32 * 32 : MH_RUN;
        for (i64 begin = from + (i64(league_rank) * (size / MH_LANES) + rank / MH_LANES) * run; begin < to;
             begin += warps * run) {
            const i64 end = begin + run < to ? begin + run : to;
            i64 g = neighborhood.group(neighborhood.unrank(begin));
            for (i64 first = neighborhood.first(g); first < end; ++g) {
                with_row(neighborhood, g, [&](const auto& row) {
                    const int length = row.length(), from_here = first < begin ? int(begin - first) : 0;
                    const int stop = end - first < length ? int(end - first) : length;
                    for (int at = from_here + rank % MH_LANES; at < stop; at += MH_LANES) f(first + at, row.move(at));
                    first += length;
                });
            }
        }
    }

    // f(team, index, move) for every move of the team's share that shares an attribute with a move; a thread alone
    // takes one where they are more than a quarter of the threads, else a tile
    template <class N, class Move, class F> MH_FN void around(const N& neighborhood, Move move, F f) const {
        const i64 touched = neighborhood.touched();
        if (league_size > 1) around_owned<MH_TILE>(neighborhood, move, touched, f);
        else if (4 * touched > size) around_by<1>(neighborhood, move, touched, f);
        else around_by<MH_TILE>(neighborhood, move, touched, f);
    }

    template <int wide, class N, class Move, class F>
    MH_FN void around_by(const N& neighborhood, Move move, i64 touched, F f) const {
        for (i64 t = rank / wide; t < touched; t += size / wide) {
            Move other;
            if (neighborhood.around(move, t, other)) f(tile<wide>(), neighborhood.index(other), other);
        }
    }

    // the same if other teams own most of these moves: the lanes of a warp find the owners of 32 moves, and its tiles
    // share the moves of this team
    template <int wide, class N, class Move, class F>
    MH_FN void around_owned(const N& neighborhood, Move move, i64 touched, F f) const {
        const int lane = rank & 31;
        for (i64 begin = rank - lane; begin < touched; begin += size) {
            Move other;
            bool own = begin + lane < touched && neighborhood.around(move, begin + lane, other);
            if (own) {
                const i64 g = neighborhood.group(other);
                own = owns<N>(g, neighborhood.index(other) - neighborhood.first(g));
            }
            for (u32 left = __ballot_sync(~0u, own); left;) {
                u32 mine = 0;  // the bit of the tile's move
                for (int t = 0; t < 32 / wide; ++t) {
                    if (t == lane / wide) mine = left & (0u - left);
                    left &= left - 1;
                }
                if (!mine) continue;
                neighborhood.around(move, begin + __ffs(mine) - 1, other);
                f(tile<wide>(), neighborhood.index(other), other);
            }
        }
    }

    // the move of lowest score, the one of lowest index among equals, of the team's share; delta(index, move) is its
    // change of cost, score(index, delta) its score
    template <class N, class D, class S> MH_FN EvaluatedMove best(const N& neighborhood, D delta, S score) const {
        Lowest lowest;
        visit(neighborhood, [&](i64 k, auto move) { lowest.offer(score(k, delta(k, move)), k); });
        return reduce_best(lowest.move(neighborhood, delta));
    }

    // the same where the changes of cost of all moves lie in a table: a team that has them all asks for no move
    template <class N, class S>
    MH_FN EvaluatedMove best_in_table(const N& neighborhood, const Cost* deltas, S score) const {
        const auto delta = [=](i64 k, auto) { return deltas[k]; };
        if (league_size > 1) return best(neighborhood, delta, score);
        Lowest lowest;
        const i64 moves = neighborhood.size();
#pragma unroll 4
        for (i64 k = rank; k < moves; k += size) lowest.offer(score(k, deltas[k]), k);
        return reduce_best(lowest.move(neighborhood, delta));
    }

    // the same of the indices from ... to - 1
    template <class N, class D, class S>
    MH_FN EvaluatedMove best_of(const N& neighborhood, i64 from, i64 to, D delta, S score) const {
        Lowest lowest;
        enumerate(neighborhood, from, to, [&](i64 k, auto move) { lowest.offer(score(k, delta(k, move)), k); });
        return reduce_best(lowest.move(neighborhood, delta));
    }

    // the admitted move of lowest score, among equals the one of lowest tag(index), of the team's share;
    // admits(index, move, delta) is called only for moves that would be chosen, so that it may take long
    template <class N, class D, class S, class T, class A>
    MH_FN EvaluatedMove best_admitted(const N& neighborhood, D delta, S score, T tag, A admits) const {
        EvaluatedMove best = no_move();
        visit(neighborhood, [&](i64 k, auto move) { offer_admitted(best, k, move, delta, score, tag, admits); });
        return reduce_best(best);
    }

    // the same if `delta` is a formula, which any thread may call: all threads have as many moves, adjacent ones
    template <class N, class D, class S, class T, class A>
    MH_FN EvaluatedMove best_by_formula(const N& neighborhood, D delta, S score, T tag, A admits) const {
        EvaluatedMove best = no_move();
        for (i64 k = i64(league_rank) * size + rank; k < neighborhood.size(); k += i64(league_size) * size)
            offer_admitted(best, k, neighborhood.unrank(k), delta, score, tag, admits);
        return reduce_best(best);
    }

    // the best of all threads of the team, for all threads
    MH_FN EvaluatedMove reduce_best(EvaluatedMove best) const {
        if (size == 1) return best;
        best = best_of_warp(best);
        if (size <= 32) return best;
        __syncthreads();  // the slots may still be read
        if ((rank & 31) == 0) mh_slots[rank / 32] = best;
        __syncthreads();
        const int lane = rank & 31;
        return best_of_warp(lane < size / 32 ? mh_slots[lane] : no_move());
    }

    // the best of the league that shares a walk, for all threads; `turn` counts the exchanges
    MH_FN EvaluatedMove agree(EvaluatedMove best, u64& turn) const {
        if (league_size == 1) return best;
#if MH_CLUSTER
        const int set = int(turn & 1), lane = rank & 31;
        const u32 arrivals = shared_address(mh_arrivals + set);
        if (rank == 0)
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(arrivals),
                         "r"(u32(sizeof(mh_posts[0])))
                         : "memory");
        if (rank < league_size)
            post(best, in_block(shared_address(mh_posts[set] + league_rank), rank), in_block(arrivals, rank));
        await_posts(arrivals, u32(turn++ / 2));
        return best_of_warp(lane < league_size ? mh_posts[set][lane] : no_move());
#else
        __syncthreads();  // threads may still read the answer before
        if (rank < 32) {  // one warp posts for the block: more warps would compete for the same lines of memory
            EvaluatedMove* posts = mailbox.posts + (turn & 1) * league_size;
            if (rank == 0) {
                posts[league_rank] = best;
                __threadfence();
                atomicAdd(mailbox.arrived, 1ull);
                while (*(volatile u64*)mailbox.arrived < (turn + 1) * league_size) {}
                __threadfence();
            }
            __syncwarp();
            EvaluatedMove mine = no_move();
            for (int p = rank; p < league_size; p += 32) {
                const volatile EvaluatedMove* post = &posts[p];
                if (post->index >= 0) offer(mine, steady(post->score), steady(post->delta), post->index);
            }
            mine = best_of_warp(mine);
            if (rank == 0) mh_answer = mine;
        }
        ++turn;
        __syncthreads();
        return mh_answer;
#endif
    }

    // the blocks that share a walk wait for each other
    MH_FN void meet(u64& turn) const {
        if (league_size == 1) return;
#if MH_CLUSTER
        sync_cluster();
#else
        agree(no_move(), turn);
#endif
    }

private:
    template <class M, class D, class S, class T, class A>
    MH_FN static void offer_admitted(EvaluatedMove& best, i64 k, M move, D delta, S score, T tag, A admits) {
        const Cost d = delta(k, move);
        const Cost s = score(k, move, d);
        if (s > best.score) return;
        const EvaluatedMove other{s, d, tag(k)};
        if (precedes(other, best) && admits(k, move, d)) best = other;
    }

    // f of each word of a value
    template <class T, class F> MH_FN static T of_words(const T& value, F f) {
        static_assert(sizeof(T) % 4 == 0, "a number of words");
        u32 words[sizeof(T) / 4];
        memcpy(words, &value, sizeof(T));
        for (u32& word : words) word = f(word);
        T made;
        memcpy(&made, words, sizeof(T));
        return made;
    }

    // The lowest score that a thread has met; it meets indices in ascending order. The change of cost is computed
    // again.
    struct Lowest {
        Cost score = Never<Cost>::value;
        i64 index = -1;

        MH_FN void offer(Cost other, i64 k) {
            if (other < score) {
                score = other;
                index = k;
            }
        }
        template <class N, class D> MH_FN EvaluatedMove move(const N& neighborhood, D delta) const {
            if (index < 0) return no_move();
            return {score, delta(index, neighborhood.unrank(index)), index};
        }
    };

    // the best of the lanes of a warp, or of a tile of it
    template <class T = Cost> MH_FN EvaluatedMove best_of_warp(EvaluatedMove best) const {
        if constexpr (Same<T, i32>::value && MH_LANES == 32) {
            const i32 low = __reduce_min_sync(~0u, T(best.score));
            const bool mine = best.score == low && best.index >= 0;
            const u32 high = __reduce_min_sync(~0u, mine ? u32(u64(best.index) >> 32) : ~0u);
            const u32 rest = __reduce_min_sync(~0u, mine && u32(u64(best.index) >> 32) == high ? u32(best.index) : ~0u);
            const i64 index = i64(u64(high) << 32 | rest);  // no move at all: every bit set, -1
            const int owner = __ffs(__ballot_sync(~0u, best.index == index)) - 1;
            return {T(low), __shfl_sync(~0u, T(best.delta), owner), index};
        } else {
            for (int o = (size < 32 ? size : 32) / 2; o; o /= 2) {
                const EvaluatedMove other{__shfl_xor_sync(mask(), best.score, o),
                                          __shfl_xor_sync(mask(), best.delta, o),
                                          __shfl_xor_sync(mask(), best.index, o)};
                if (other.index >= 0) offer(best, other.score, other.delta, other.index);
            }
            return best;
        }
    }
};
