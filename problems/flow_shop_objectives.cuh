// Several objectives of a flow shop. heads(k, p): when machine k has done the first p jobs; counted(p, o): what these
// jobs count for objective o. The constants makespan ... tardy_jobs are the places of the objectives among them, or -1.
struct FlowShop : FlowShopData {
    typedef decltype(FlowShopState::heads)::stored_type Time;          // holds the longest path of any sequence
    typedef typename Either<sizeof(Time) == 8, i64, i32>::type Clock;  // a time in a register
    typedef typename Either<narrow, i32, i64>::type Count;             // holds what any sequence counts
    typedef Objectives<Count, several> Counts;

#ifdef __CUDACC__
    // Adjacent threads have adjacent moves, and so adjacent positions of the sequence at a time: times are kept by
    // position, `packed` machines in a word, and due dates by position, too.
    typedef decltype(FlowShopState::sequence)::stored_type Word;
    static constexpr int words = (int(machines) + packed - 1) / packed, bits = 8 * sizeof(Word) / packed;

    struct Job {
        Word times[words];
        Time deadline;
        Clock release;
    };
#endif

    template <class T> MH_FN static T later(T a, T b) { return a > b ? a : b; }
    // when a job may begin; the table is there only if there are release times
    template <class Shop> MH_FN static Clock release_in(const Shop& shop, Item job) {
        if constexpr (Shop::released) return Clock(shop.release(job));
        else return 0;
    }
    MH_FN Clock released_at(Item job) const { return release_in(*this, job); }

    MH_FN void append(Clock* front, Item job) const {
        const auto own = times.row(job);
        Clock done = released_at(job);
        for (int k = 0; k < machines; ++k) front[k] = done = later(done, front[k]) + Clock(own[k]);
    }

    // a job that is done at a time, and when it is due
    MH_FN void count(Counts& counts, Item job, Clock done, Clock deadline) const {
        const Clock late = later(done, deadline) - deadline;
        if (makespan >= 0) counts[makespan] = done;
        if (total_flow_time >= 0) counts[total_flow_time] += done;
        if (total_tardiness >= 0) counts[total_tardiness] += late;
        if (weighted_tardiness >= 0) counts[weighted_tardiness] += Count(late) * Count(weight(job));
        if (maximum_tardiness >= 0) counts[maximum_tardiness] = later(counts[maximum_tardiness], Count(late));
        if (tardy_jobs >= 0) counts[tardy_jobs] += late > 0;
    }

    template <class Row> MH_FN static Counts counts_of(Row row) {
        Counts counts;
        for (int o = 0; o < several; ++o) counts[o] = Count(row[o]);
        return counts;
    }

    MH_FN static Cost difference(const Counts& after, const Counts& before) {
        Cost change;
        for (int o = 0; o < several; ++o) change[o] = Number(after[o]) - before[o];
        return change;
    }

    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(1, [&](int) {
            Clock front[machines] = {};
            Counts counts = 0;
            for (int p = 0; p < n; ++p) {
                append(front, x[p]);
                count(counts, x[p], front[machines - 1], Clock(due(x[p])));
            }
            return difference(counts, 0);
        });
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(machines, [=](i64 k) { s.heads(k, 0) = 0; });
#ifdef __CUDACC__
        arrange(team, x, s);
        team.sync();
        if (machines <= 32 && team.size >= 32) {
            if (team.rank < 32) {
                follow(team.rank, s);
                __syncwarp();
                add_up(team.rank, x, s);
            }
            return;
        }
#endif
        team.sync();
        for (int wave = 0; wave < n + machines - 1; ++wave) {  // machine k does the job at position wave - k
            const int low = wave < n ? 0 : wave - n + 1, high = wave < machines ? wave : int(machines) - 1;
            team.for_each(high - low + 1, [=](i64 l) {
                const int k = low + int(l), p = wave - k;
                const Time ready = k ? s.heads(k - 1, p + 1) : Time(released_at(x[p]));
                s.heads(k, p + 1) = Time(later(ready, s.heads(k, p)) + Time(times(x[p], k)));
            });
            team.sync();
        }
        if (team.rank != 0) return;
        Counts counts = 0;
        for (int p = 0;; ++p) {
            for (int o = 0; o < several; ++o) s.counted(p, o) = counts[o];
            if (p == n) return;
            count(counts, x[p], Clock(s.heads(machines - 1, p + 1)), Clock(due(x[p])));
        }
    }

    template <class Move> MH_FN void commit(Team team, const Item* x, State s, Move) const { init(team, x, s); }

    // jobs change places from position `first` on; place(p) is where the job was that comes to position p
    template <class Place> MH_FN Cost from(const Item* x, State s, int first, Place place) const {
        Clock front[machines];
        for (int k = 0; k < machines; ++k) front[k] = s.heads(k, first);
        Counts counts = counts_of(s.counted.row(first));
#ifdef __CUDACC__
        int q = place(first);
        Job next = job_at(s, q);
        for (int p = first; p < n; ++p) {
            const Job now = next;
            const Item job = x[q];
            q = place(p + 1 < n ? p + 1 : p);
            next = job_at(s, q);  // on its way while the one before is processed
            append_packed(front, now);
            count(counts, job, front[machines - 1], Clock(now.deadline));
        }
#else
        for (int p = first; p < n; ++p) {
            const Item job = x[place(p)];
            append(front, job);
            count(counts, job, front[machines - 1], Clock(due(job)));
        }
#endif
        return difference(counts, counts_of(s.counted.row(n)));
    }

    MH_FN Cost delta(Team, const Item* x, State s, SwapMove m) const {
        return from(x, s, m.i, [=](int p) { return p == m.i ? m.j : p == m.j ? m.i : p; });
    }

    MH_FN Cost delta(Team, const Item* x, State s, InsertionMove m) const {
        const int low = m.i < m.j ? m.i : m.j, high = m.i < m.j ? m.j : m.i, step = m.i < m.j ? 1 : -1;
        return from(x, s, low, [=](int p) { return p == m.j ? m.i : p < low || p > high ? p : p + step; });
    }

#ifdef __CUDACC__
    MH_FN void arrange(Team team, const Item* x, State s) const {
        team.for_each(n, [=](i64 p) {
            const auto own = times.row(x[p]);
            for (int w = 0; w < words; ++w) {
                u64 word = 0;
                for (int k = w * packed; k < machines && k < (w + 1) * packed; ++k)
                    word |= u64(own[k]) << bits * (k % packed);
                s.sequence(w, p) = Word(word);
            }
            if (released) s.sequence(words, p) = Word(released_at(x[p]));
            s.deadlines(p) = Time(due(x[p]));
        });
    }

    // the k-th time of a word
    MH_FN static Clock unpacked(Word word, int k) {
        if (packed == 4) return Clock(__byte_perm(u32(word), 0, 0x4440 | k));
        if (packed == 2) return Clock(__byte_perm(u32(word), 0, k ? 0x4432 : 0x4410));
        return Clock(word);
    }

    // when a machine begins with a job: as soon as the one before, which began at `start`, and itself are done
    MH_FN static Clock begin(Clock start, Clock own, Clock ready) {
        if constexpr (Same<Clock, i32>::value) return __viaddmax_s32(start, own, ready);  // one instruction
        else return later(start + own, ready);
    }

    MH_FN Job job_at(State s, int q) const {
        Job job;
        for (int w = 0; w < words; ++w) job.times[w] = s.sequence(w, q);
        job.deadline = s.deadlines(q);
        job.release = released ? Clock(s.sequence(words, q)) : Clock(0);
        return job;
    }

    // the job comes next
    MH_FN static void append_packed(Clock* front, const Job& job) {
        Clock start = job.release, own = 0;
        for (int k = 0; k < machines; ++k) {
            start = begin(start, own, front[k]);
            own = unpacked(job.times[k / packed], k % packed);
            front[k] = start + own;
        }
    }

    // Heads by one warp, whose lane k is machine k: it does a few jobs when the machine before has done them, and
    // passes them on. Times of the next ones are on their way meanwhile. Behind the last job there is room for a few
    // more.
    MH_FN void follow(int k, State s) const {
        constexpr int few = 4;
        const int jobs = n;  // a copy, which no store can change
        const int machine = k < machines ? k : int(machines) - 1;
        const Word* releases = released ? &s.sequence(words, 0) : nullptr;
        const Word* words = &s.sequence(machine / packed, 0);
        Time* heads = &s.heads(machine, 1);
        const auto fetch = [=](int first, Word* to) {
            const Word* from = words + (first < 0 ? 0 : first < jobs ? first : jobs);
            for (int t = 0; t < few; ++t) to[t] = from[t];
        };
        Word now[few], next[few], after[few];
        Clock ends[few] = {}, start = 0, own = 0;  // of the job before
        fetch(-few * k, now);
        fetch(few - few * k, next);
        for (int first = -few * k, last = jobs + few * (int(machines) - 1 - k); first < last; first += few) {
            fetch(first + 2 * few, after);
            Clock ready[few];
            for (int t = 0; t < few; ++t) ready[t] = __shfl_up_sync(~0u, ends[t], 1);
            for (int t = 0; t < few; ++t) {
                const bool waits = released && k == 0 && first + t < jobs;
                start = begin(start, own, k ? ready[t] : waits ? Clock(releases[first + t]) : Clock(0));
                own = unpacked(now[t], machine % packed);
                ends[t] = start + own;
                if (first >= 0 && first < jobs && k < machines) heads[first + t] = Time(ends[t]);
                now[t] = next[t];
                next[t] = after[t];
            }
            if (first < 0) start = own = 0;  // there was no job yet
        }
    }

    // the counts of the first jobs of a sequence together with the counts of the jobs after them
    MH_FN static Counts joined(Counts first, const Counts& then) {
        for (int o = 0; o < several; ++o)
            if (o == makespan || o == maximum_tardiness) first[o] = later(first[o], then[o]);
            else first[o] += then[o];
        return first;
    }

    MH_FN static Counts shifted(Counts counts, int lanes) {
        for (int c = 0; c < several; ++c) counts[c] = __shfl_up_sync(~0u, counts[c], lanes);
        return counts;
    }

    // counts by one warp, when heads are known: of 32 adjacent positions at a time each lane has one, and adds what all
    // before it count
    MH_FN void add_up(int lane, const Item* x, State s) const {
        const int jobs = n;  // a copy, which no store can change
        const auto counted = [=](int p) {
            Counts counts = 0;
            if (p < jobs) count(counts, x[p], Clock(s.heads(machines - 1, p + 1)), Clock(s.deadlines(p)));
            return counts;
        };
        if (lane < several) s.counted(0, lane) = 0;
        Counts before = 0, next = counted(lane);
        for (int first = 0; first < jobs; first += 32) {
            Counts counts = next;
            next = counted(first + 32 + lane);  // on its way meanwhile
            for (int o = 1; o < 32; o *= 2) {
                const Counts others = shifted(counts, o);
                if (lane >= o) counts = joined(others, counts);
            }
            counts = joined(before, counts);
            for (int c = 0; c < several; ++c) {
                if (first + lane < jobs) s.counted(first + lane + 1, c) = counts[c];
                before[c] = __shfl_sync(~0u, counts[c], 31);
            }
        }
    }
#else
    // Adjacent positions of a job are evaluated together, one in each lane of a vector of times; sums take several
    // vectors. Lane l begins with the heads of its own position, so all lanes put the job in at once, and then go on in
    // step with the jobs behind, whose times are adjacent in memory.
#ifdef __AVX512BW__
    static constexpr int vector = long_vectors ? 64 : 32;
#else
    static constexpr int vector = 32;
#endif
    static constexpr int lanes = vector / sizeof(Time), wide = vector / sizeof(Count);
    static constexpr int parts = (lanes + wide - 1) / wide;
    static constexpr int stage = 32;   // positions that pass through the machines together
    static constexpr int blocked = 8;  // jobs whose times change from rows into columns together
    typedef Time Times __attribute__((vector_size(lanes * sizeof(Time))));
    typedef Time Part __attribute__((vector_size(lanes / parts * sizeof(Time))));
    typedef Count Sums __attribute__((vector_size(lanes / parts * sizeof(Count))));

    template <class Vector, class T> MH_FN static Vector adjacent(const T* first) {
        Vector vector;
        __builtin_memcpy(&vector, first, sizeof(vector));
        return vector;
    }

    MH_FN static int smaller(int a, int b) { return a < b ? a : b; }

    // A job in each lane: its due date and weight, and whether there is one, all bits or none.
    struct Jobs {
        Times due, there;
        Sums weight[parts];
    };

    // The counts of the jobs of each lane: objectives that are times, and objectives that are sums.
    struct Strip {
        Times held[several] = {};
        Sums sums[several][parts] = {};

        MH_FN static Times later(Times a, Times b) { return a > b ? a : b; }

        // jobs that are done at a time in each lane
        MH_FN void count(Times done, const Jobs& jobs) {
            const Times late = later(done, jobs.due) - jobs.due;
            if (makespan >= 0) held[makespan] = done;
            if (maximum_tardiness >= 0) held[maximum_tardiness] = later(held[maximum_tardiness], late);
            if (tardy_jobs >= 0) held[tardy_jobs] -= Times(done > jobs.due);  // a truth is -1 in a lane
            if (total_flow_time >= 0) done &= jobs.there;
            Part ends[parts], excess[parts];
            __builtin_memcpy(ends, &done, sizeof(done));
            __builtin_memcpy(excess, &late, sizeof(late));
            for (int part = 0; part < parts; ++part) {
                const Sums lateness = __builtin_convertvector(excess[part], Sums);
                if (total_flow_time >= 0) sums[total_flow_time][part] += __builtin_convertvector(ends[part], Sums);
                if (total_tardiness >= 0) sums[total_tardiness][part] += lateness;
                if (weighted_tardiness >= 0) sums[weighted_tardiness][part] += lateness * jobs.weight[part];
            }
        }

        // the counts of all jobs in a lane, after jobs whose counts are `all`
        MH_FN Counts behind(Counts all, int l) const {
            for (int o = 0; o < several; ++o) {
                const Count own = held[o][l];
                if (o == makespan) all[o] = own;
                else if (o == maximum_tardiness) all[o] = FlowShop::later(all[o], own);
                else all[o] += o == tardy_jobs ? own : sums[o][l / (lanes / parts)][l % (lanes / parts)];
            }
            return all;
        }
    };

    // jobs 0 ... steps - 1, or vectors of jobs, on `count` machines from the first one on: done[t] is when the machine
    // before them is done with job t, and then when the last of them is; own(k, t) is the time of the job
    template <int count, class T, class Own, class Keep>
    MH_FN static void pass(int first, T* front, T* done, int steps, Own own, Keep keep) {
        T ready[count];  // in registers
        for (int k = 0; k < count; ++k) ready[k] = front[first + k];
        for (int t = 0; t < steps; ++t) {
            T end = done[t];
#pragma GCC unroll 16
            for (int k = 0; k < count; ++k) {
                ready[k] = end = (end > ready[k] ? end : ready[k]) + own(first + k, t);
                keep(first + k, t, end);
            }
            done[t] = end;
        }
        for (int k = 0; k < count; ++k) front[first + k] = ready[k];
    }

    // the same on all machines, `block` at a time, not before start(t); keep(k, t, end) is told each end
    template <int block, class T, class Start, class Own, class Keep>
    MH_FN static void process(T* front, T* done, int steps, Start start, Own own, Keep keep) {
        constexpr int others = machines % block;
        for (int t = 0; t < steps; ++t) done[t] = start(t);
        for (int k = 0; k + block <= machines; k += block) pass<block>(k, front, done, steps, own, keep);
        if constexpr (others > 0) pass<others>(machines - others, front, done, steps, own, keep);
    }

    // All positions of the job at position i.
    MH_FN void deltas(Team team, const Item* x, State s, const Insertion&, i64 group, Cost* out) const {
        const int i = int(group);
        const auto rest = s.rest.of(team), heads = s.without.of(team);
        const auto weights = s.weights.of(team), counted = s.tallied.of(team);
        arrange(x, i, rest, weights);
        follow(x, s, i, rest, heads, counted);
        const Counts now = counts_of(s.counted.row(n));
        for (int begin = 0; begin < n; begin += lanes) {
            const auto& before = begin + lanes <= i ? s.heads : heads;
            const Strip strip = insert(x[i], begin, before, rest, weights.at(0));
            for (int j = begin; j < smaller(begin + lanes, n); ++j) {
                if (j == i || j == i - 1) continue;
                const Counts ahead = counts_of(j < i ? s.counted.row(j) : counted.row(j));
                out[j < i ? j : j - 1 - (i > 0)] = difference(strip.behind(ahead, j - begin), now);
            }
        }
    }

    // times by machine and position, and in the last rows due dates and release times, of the jobs but that at position
    // i; weights
    template <class Table, class Weights> MH_FN void arrange(const Item* x, int i, Table rest, Weights weights) const {
        typedef decltype(times.row(0)) OfJob;
        for (int p = 0; p < n - 1; p += blocked) {
            OfJob own[blocked];
            for (int c = 0; c < blocked; ++c) {
                const int q = smaller(p + c, n - 2);
                const Item job = x[q + (q >= i)];
                own[c] = times.row(job);
                rest(machines, p + c) = Time(due(job));
                if (released) rest(machines + 1, p + c) = Time(released_at(job));
                if (weighted_tardiness >= 0) weights(0, p + c) = Count(weight(job));
            }
            Time* column = rest.at(0) + p;
            const int stride = rest.stride;
            for (int k = 0; k < machines; ++k, column += stride) {
                Time side_by_side[blocked];
                for (int c = 0; c < blocked; ++c) side_by_side[c] = Time(own[c][k]);
                __builtin_memcpy(column, side_by_side, sizeof(side_by_side));
            }
        }
        for (int p = n - 1; p < n - 1 + lanes; ++p) {  // no job: it takes no time and is never late
            for (int k = 0; k < machines; ++k) rest(k, p) = 0;
            rest(machines, p) = Time(due(n));
            if (released) rest(machines + 1, p) = 0;
        }
    }

    // heads and counts without the job at position i, from i on; and the heads before it that share a strip with it
    template <class Table, class Counted>
    MH_FN void follow(const Item* x, State s, int i, Table own, Table heads, Counted counted) const {
        Clock front[machines], done[stage];
        for (int k = 0; k < machines; ++k) {
            for (int p = i - i % lanes; p <= i; ++p) heads(k, p) = s.heads(k, p);
            front[k] = s.heads(k, i);
        }
        Counts counts = counts_of(s.counted.row(i));
        for (int first = i; first < n - 1; first += stage) {
            const int steps = smaller(stage, n - 1 - first);
            process<4>(front, done, steps,
                       [=](int t) { return released ? Clock(own(machines + 1, first + t)) : Clock(0); },
                       [=](int k, int t) { return Clock(own(k, first + t)); },
                       [=](int k, int t, Clock end) { heads(k, first + t + 1) = Time(end); });
            for (int t = 0; t < steps; ++t) {
                count(counts, x[first + t + 1], done[t], Clock(due(x[first + t + 1])));
                for (int o = 0; o < several; ++o) counted(first + t + 1, o) = counts[o];
            }
        }
    }

    // the job, in lane l at position begin + l, and all jobs behind it
    template <class Table> MH_FN Strip insert(Item job, int begin, Table heads, Table own, const Count* weights) const {
        Strip strip;
        Jobs jobs = {Times{} + Time(due(job)), ~Times{}, {}};
        for (int part = 0; part < parts; ++part) jobs.weight[part] += Count(weight(job));
        Times front[machines], done[stage], end = Times{} + Time(released_at(job)), lane;
        for (int k = 0; k < machines; ++k)
            front[k] = end = Strip::later(end, adjacent<Times>(heads.at(k) + begin)) + Time(times(job, k));
        strip.count(end, jobs);
        for (int l = 0; l < lanes; ++l) lane[l] = Time(l);
        for (int first = begin; first < n - 1; first += stage) {
            const int steps = smaller(stage, n - 1 - first);
            const auto start = [=](int t) {
                if constexpr (released) return adjacent<Times>(own.at(machines + 1) + first + t);
                else return Times{};
            };
            process<10>(front, done, steps, start, [=](int k, int t) { return adjacent<Times>(own.at(k) + first + t); },
                        [](int, int, Times) {});
            for (int t = 0; t < steps; ++t) {
                const int p = first + t;
                jobs.due = adjacent<Times>(own.at(machines) + p);
                jobs.there = Times(lane < Time(smaller(lanes, n - 1 - p)));
                for (int part = 0; part < parts && weighted_tardiness >= 0; ++part)
                    jobs.weight[part] = adjacent<Sums>(weights + p + part * (lanes / parts));
                strip.count(done[t], jobs);
            }
        }
        return strip;
    }
#endif
};
