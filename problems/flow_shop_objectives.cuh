// Several objectives of a flow shop. heads(p, k): when machine k has done the first p jobs; counted(p, o): what these
// jobs count for objective o. The constants makespan ... tardy_jobs are the places of the objectives among them, or -1.
struct FlowShop : FlowShopData {
    typedef decltype(FlowShopState::heads)::stored_type Time;          // holds the longest path of any sequence
    typedef typename Either<sizeof(Time) == 8, i64, i32>::type Clock;  // a time in a register
    typedef typename Either<narrow, i32, i64>::type Count;             // holds what any sequence counts
    typedef Objectives<Count, several> Counts;

    template <class T> MH_FN static T later(T a, T b) { return a > b ? a : b; }

    MH_FN void append(Clock* front, Item job) const {
        const auto own = times.row(job);
        Clock done = 0;
        for (int k = 0; k < machines; ++k) front[k] = done = later(done, front[k]) + Clock(own[k]);
    }

    // a job that is done at a time
    MH_FN void count(Counts& counts, Item job, Clock done) const {
        const Clock late = later(done, Clock(due(job))) - Clock(due(job));
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

    // what the whole sequence counts: jobs and fronts before position `first` are given, job(p) are the others
    template <class Job> MH_FN Counts completed(Clock* front, Counts counts, int first, Job job) const {
        for (int p = first; p < n; ++p) {
            const Item next = job(p);
            append(front, next);
            count(counts, next, front[machines - 1]);
        }
        return counts;
    }

    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(1, [&](int) {
            Clock front[machines] = {};
            return difference(completed(front, 0, 0, [=](int p) { return x[p]; }), 0);
        });
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(machines, [=](i64 k) { s.heads(0, k) = 0; });
        team.sync();
        for (int wave = 0; wave < n + machines - 1; ++wave) {  // machine k does the job at position wave - k
            const int low = wave < n ? 0 : wave - n + 1, high = wave < machines ? wave : int(machines) - 1;
            team.for_each(high - low + 1, [=](i64 l) {
                const int k = low + int(l), p = wave - k;
                const Time ready = k ? s.heads(p + 1, k - 1) : Time(0);
                s.heads(p + 1, k) = Time(later(ready, s.heads(p, k)) + Time(times(x[p], k)));
            });
            team.sync();
        }
        if (team.rank != 0) return;
        Counts counts = 0;
        for (int p = 0;; ++p) {
            for (int o = 0; o < several; ++o) s.counted(p, o) = counts[o];
            if (p == n) return;
            count(counts, x[p], Clock(s.heads(p + 1, machines - 1)));
        }
    }

    template <class Move> MH_FN void commit(Team team, const Item* x, State s, Move) const { init(team, x, s); }

    // jobs change places from position `first` on
    template <class Job> MH_FN Cost from(State s, int first, Job job) const {
        Clock front[machines];
        for (int k = 0; k < machines; ++k) front[k] = s.heads(first, k);
        return difference(completed(front, counts_of(s.counted.row(first)), first, job), counts_of(s.counted.row(n)));
    }

    MH_FN Cost delta(Team, const Item* x, State s, SwapMove m) const {
        return from(s, m.i, [=](int p) { return x[p == m.i ? m.j : p == m.j ? m.i : p]; });
    }

    MH_FN Cost delta(Team, const Item* x, State s, InsertionMove m) const {
        const int low = m.i < m.j ? m.i : m.j, high = m.i < m.j ? m.j : m.i, step = m.i < m.j ? 1 : -1;
        return from(s, low, [=](int p) { return x[p == m.j ? m.i : p < low || p > high ? p : p + step]; });
    }

#ifndef __CUDACC__
    // Adjacent positions are evaluated together, one in each lane of a vector of times; sums take several vectors.
    static constexpr int lanes = 32 / sizeof(Time), wide = 32 / sizeof(Count), parts = (lanes + wide - 1) / wide;
    typedef Time Times __attribute__((vector_size(lanes * sizeof(Time))));
    typedef Time Part __attribute__((vector_size(lanes / parts * sizeof(Time))));
    typedef Count Sums __attribute__((vector_size(lanes / parts * sizeof(Count))));

    // A job in each lane: its due date and weight.
    struct Jobs {
        Times due;
        Sums weight[parts];
    };

    // Everything of a strip of positions: the fronts; objectives that a time can hold; those that are sums.
    struct Strip {
        Times front[machines], held[several];
        Sums sums[several][parts];

        MH_FN static constexpr bool is_sum(int o) {
            return o == total_flow_time || o == total_tardiness || o == weighted_tardiness;
        }

        MH_FN void begin(const Time* head, const Counts& before) {
            for (int k = 0; k < machines; ++k) front[k] = Times{} + head[k];
            for (int o = 0; o < several; ++o) {
                held[o] = Times{} + Time(before[o]);
                for (int part = 0; part < parts; ++part) sums[o][part] = Sums{} + before[o];
            }
        }

        MH_FN Count of(int o, int l) const {
            return is_sum(o) ? sums[o][l / (lanes / parts)][l % (lanes / parts)] : held[o][l];
        }

        MH_FN static Times later(Times a, Times b) { return a > b ? a : b; }

        // a job that is done at a time in each lane
        MH_FN void count(Times done, const Jobs& jobs) {
            const Times late = later(done, jobs.due) - jobs.due;
            if (makespan >= 0) held[makespan] = done;
            if (maximum_tardiness >= 0) held[maximum_tardiness] = later(held[maximum_tardiness], late);
            if (tardy_jobs >= 0) held[tardy_jobs] -= Times(done > jobs.due);  // a truth is -1 in a lane
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
    };

    // one more job in each lane of one strip or two, whose chains of machines then overlap; own(k) are its times
    template <int strips, class Own> MH_FN static void append(Strip* strip, Own own, const Jobs& jobs) {
        Times done[strips] = {};
#pragma GCC unroll 32
        for (int k = 0; k < machines; ++k) {
            const Times time = own(k);
            for (int s = 0; s < strips; ++s)
                strip[s].front[k] = done[s] = Strip::later(done[s], strip[s].front[k]) + time;
        }
        for (int s = 0; s < strips; ++s) strip[s].count(done[s], jobs);
    }

    // All positions of the job at position i. Of the sequence without it, `rest` are the jobs, and behind i `without`
    // and `tallied` the heads and counts.
    MH_FN void deltas(Team team, const Item* x, State s, const Insertion&, i64 group, Cost* out) const {
        const int i = int(group);
        const auto rest = s.rest.of(team);
        const auto without = s.without.of(team);
        const auto tallied = s.tallied.of(team);
        Item* jobs = rest.at(0);
        for (int p = 0; p < n - 1; ++p) jobs[p] = x[p + (p >= i)];
        Clock front[machines];
        for (int k = 0; k < machines; ++k) front[k] = s.heads(i, k);
        Counts counts = counts_of(s.counted.row(i));
        for (int p = i; p < n - 1; ++p) {
            append(front, jobs[p]);
            count(counts, jobs[p], front[machines - 1]);
            for (int k = 0; k < machines; ++k) without(p + 1, k) = Time(front[k]);
            for (int o = 0; o < several; ++o) tallied(p + 1, o) = counts[o];
        }
        const Counts now = counts_of(s.counted.row(n));
        for (int begin = 0; begin < n; begin += 2 * lanes) {
            Strip strip[2];
            const int middle = begin + lanes < n ? begin + lanes : n, end = middle + lanes < n ? middle + lanes : n;
            for (int half = 0; half < 2; ++half) {
                const int first = half ? middle : begin;
                const bool kept = first <= i;
                strip[half].begin(kept ? s.heads.at(first) : without.at(first < n ? first : n - 1),
                                  kept ? counts_of(s.counted.row(first))
                                       : counts_of(tallied.row(first < n ? first : n - 1)));
            }
            mix(strip, jobs, x[i], begin, middle);
            follow<1>(strip, jobs, middle, end);
            mix(strip + 1, jobs, x[i], middle, end);
            follow<2>(strip, jobs, end, n);
            for (int l = 0; l < end - begin; ++l) {
                const int j = begin + l;
                if (j == i || j == i - 1) continue;
                Counts after;
                for (int o = 0; o < several; ++o) after[o] = strip[l / lanes].of(o, l % lanes);
                out[j < i ? j : j - 1 - (i > 0)] = difference(after, now);
            }
        }
    }

    // positions begin ... end - 1, where lane l has `job` at position begin + l and the others in their order
    __attribute__((noinline)) void mix(Strip* strip, const Item* jobs, Item job, int begin, int end) const {
        const auto own = times.row(job);
        Times lane;
        for (int l = 0; l < lanes; ++l) lane[l] = Time(l);
        for (int p = begin; p < end; ++p) {
            const Item ahead = jobs[p < n - 1 ? p : n - 2], behind = jobs[p > 0 ? p - 1 : 0];
            const auto a = times.row(ahead), b = times.row(behind);
            const Times here = Times{} + Time(p - begin);
            const Times to_come = Times(lane > here), now = Times(lane == here), done = ~(to_come | now);
            const auto choose = [&](Time x, Time y, Time z) { return (to_come & x) | (now & y) | (done & z); };
            Jobs each;
            each.due = choose(Time(due(ahead)), Time(due(job)), Time(due(behind)));
            for (int l = 0; l < lanes && weighted_tardiness >= 0; ++l)
                each.weight[l / (lanes / parts)][l % (lanes / parts)] = Count(weight(l > p - begin    ? ahead
                                                                                     : l == p - begin ? job
                                                                                                      : behind));
            append<1>(strip, [&](int k) { return choose(Time(a[k]), Time(own[k]), Time(b[k])); }, each);
        }
    }

    // positions begin ... end - 1 of strips that have the job already
    template <int strips>
    __attribute__((noinline)) void follow(Strip* strip, const Item* jobs, int begin, int end) const {
        for (int p = begin; p < end; ++p) {
            const Item next = jobs[p - 1];
            const auto own = times.row(next);
            Jobs each;
            each.due = Times{} + Time(due(next));
            for (int part = 0; part < parts && weighted_tardiness >= 0; ++part)
                each.weight[part] = Sums{} + Count(weight(next));
            append<strips>(strip, [&](int k) { return Times{} + Time(own[k]); }, each);
        }
    }
#endif
};
