// heads(k, p): when machine k has done the first p jobs; tails(k, p): the time from when machine k begins the job at
// position p to the end of all. A makespan is the longest head + tail at any cut of the sequence (Taillard 1990). With
// release times, tails(machines, p) is the longest release time + tail of the jobs from position p on.
struct Insertion;  // the groups that are evaluated together are this neighborhood's

struct FlowShop : FlowShopData {
    typedef decltype(FlowShopState::heads)::stored_type Time;  // holds the longest path of any sequence

#ifdef __CUDACC__
    static constexpr int lanes = 1;  // places that a thread evaluates at once
#else
    static constexpr int lanes = 32 / sizeof(Time);
#endif

    MH_FN static Cost later(Cost a, Cost b) { return a > b ? a : b; }
    // when a job may begin; the table is there only if there are release times
    template <class Shop> MH_FN static Cost release_in(const Shop& shop, Item job) {
        if constexpr (Shop::released) return Cost(shop.release(job));
        else return 0;
    }
    MH_FN Cost released_at(Item job) const { return release_in(*this, job); }

    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(1, [&](int) {
            Cost front[machines] = {};
            for (int p = 0; p < n; ++p) append(front, x[p]);
            return Total(front[machines - 1]);
        });
    }

    // a front is when each machine is done; a job more
    MH_FN void append(Cost* front, Item job) const {
        const auto own = times.row(job);
        Cost done = released_at(job);
        for (int k = 0; k < machines; ++k) front[k] = done = later(done, front[k]) + Cost(own[k]);
    }

#ifdef __CUDACC__
    static constexpr bool lines_up = machines <= 32;  // a lane to each machine of a warp

    // The same by a warp: each lane has its machine's last time in a register, and takes the time of the machine before
    // from its neighbor.
    template <class At, class Own, class Start>
    MH_FN void line_up(Team warp, int rows, At at, Own own, Start start) const {
        const int k = warp.rank;
        Cost done = k < machines ? Cost(at(0, k)) : Cost(0);
        for (int wave = 0; wave < rows + int(machines) - 1; ++wave) {
            const int row = wave - k;
            const Cost before = __shfl_up_sync(~0u, done, 1);
            if (k >= machines || row < 0 || row >= rows) continue;
            done = later(done, k ? before : start(row)) + own(row, k);
            at(row + 1, k) = Time(done);
        }
        warp.sync();
    }
#else
    static constexpr bool lines_up = false;
    template <class At, class Own, class Start> MH_FN void line_up(Team, int, At, Own, Start) const {}
#endif

    // at(row + 1, k) from at(row, k) on, machine by machine, not before start(row): row by row on one thread, else wave
    // by wave
    template <class At, class Own, class Start>
    MH_FN void sweep(Team team, int rows, At at, Own own, Start start) const {
        if (lines_up && team.size == 32) {
            line_up(team, rows, at, own, start);
        } else if (team.size == 1) {
            for (int row = 0; row < rows; ++row) {
                Cost done = start(row);
                for (int k = 0; k < machines; ++k) {
                    done = later(done, at(row, k)) + own(row, k);
                    at(row + 1, k) = Time(done);
                }
            }
        } else {
            for (int wave = 0; wave < rows + machines - 1; ++wave) {
                const int low = wave < rows ? 0 : wave - rows + 1, high = wave < machines ? wave : int(machines) - 1;
                team.for_each(high - low + 1, [=](i64 l) {
                    const int k = low + int(l), row = wave - k;
                    at(row + 1, k) = Time(later(at(row, k), k ? Cost(at(row + 1, k - 1)) : start(row)) + own(row, k));
                });
                team.sync();
            }
        }
    }

    // to(k, p + 1) from to(k, p) on, for the jobs at first <= p < end
    template <class To> MH_FN void sweep_heads(Team team, const Item* x, To to, int first, int end) const {
        sweep(team, end - first, [=](int row, int k) -> Time& { return to(k, first + row); }, [=](int row, int k) {
            return Cost(times(x[first + row], k));
        }, [=](int row) { return released_at(x[first + row]); });
    }

    // to(k, p) from to(k, p + 1) on, for the jobs at last > p >= 0
    template <class To> MH_FN void sweep_tails(Team team, const Item* x, To to, int last) const {
        const int end = int(machines) - 1;
        sweep(team, last, [=](int row, int k) -> Time& { return to(end - k, last - row); },
              [=](int row, int k) { return Cost(times(x[last - 1 - row], end - k)); }, [](int) { return Cost(0); });
        if constexpr (released) {
            for (int p = last - 1; p >= 0 && team.rank == 0; --p)
                to(machines, p) = Time(later(to(machines, p + 1), released_at(x[p]) + to(0, p)));
            team.sync();
        }
    }

    // the head before the first job, and the tail behind the last one
    MH_FN void clear(Team team, State s, int end) const {
        team.for_each(machines, [=](i64 k) { s.heads(k, 0) = s.tails(k, end) = 0; });
        if (released && team.rank == 0) s.tails(machines, end) = 0;
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        clear(team, s, n);
        team.sync();
#ifdef __CUDACC__
        if (lines_up && team.size >= 64) {  // a warp each
            const Team warp = team.tile<32>();
            if (team.rank < 32) sweep_heads(warp, x, s.heads, 0, n);
            else if (team.rank < 64) sweep_tails(warp, x, s.tails, n);
            team.sync();
            return;
        }
#endif
        sweep_heads(team, x, s.heads, 0, n);
        sweep_tails(team, x, s.tails, n);
    }

    template <class Move> MH_FN void commit(Team team, const Item* x, State s, Move) const { init(team, x, s); }

    // jobs change places within positions low ... high only: the heads before, the jobs one by one, the tails behind
    template <class F> MH_FN Cost between(State s, int low, int high, F job) const {
        Cost front[machines];
        for (int k = 0; k < machines; ++k) front[k] = s.heads(k, low);
        for (int p = low; p <= high; ++p) append(front, job(p));
        Cost makespan = released ? Cost(s.tails(machines, high + 1)) : Cost(0);
        for (int k = 0; k < machines; ++k) makespan = later(makespan, front[k] + s.tails(k, high + 1));
        return makespan - s.heads(machines - 1, n);
    }

    MH_FN Cost delta(Team, const Item* x, State s, SwapMove m) const {
        return between(s, m.i, m.j, [=](int p) { return x[p == m.i ? m.j : p == m.j ? m.i : p]; });
    }

    // the job between head and tail, at each of `places`: the makespans, less a given one
    template <class Head, class Tail>
    MH_FN void insert(Team team, Item job, int places, Head head, Tail tail, Cost current, Cost* out) const {
        Time own[machines + released];  // and the release time
        for (int k = 0; k < machines; ++k) own[k] = Time(times(job, k));
        if constexpr (released) own[machines] = Time(released_at(job));
        team.for_each((places + lanes - 1) / lanes, [=, &own](i64 strip) {
            const i64 begin = strip * lanes;
            Time done[lanes] = {}, makespan[lanes] = {};
            if constexpr (released) {
                for (int l = 0; l < lanes; ++l) {
                    done[l] = own[machines];
                    makespan[l] = tail(machines, begin + l);
                }
            }
            for (int k = 0; k < machines; ++k) {
                for (int l = 0; l < lanes; ++l) {
                    const Time ready = head(k, begin + l);
                    done[l] = Time((done[l] > ready ? done[l] : ready) + own[k]);
                    const Time whole = Time(done[l] + tail(k, begin + l));
                    makespan[l] = makespan[l] > whole ? makespan[l] : whole;
                }
            }
            const int filled = places - begin < lanes ? int(places - begin) : lanes;
            for (int l = 0; l < filled; ++l) out[begin + l] = makespan[l] - current;
        });
    }

    MH_FN Cost delta(Team, const Item* x, State s, InsertionMove m) const {
        const int step = m.i < m.j ? 1 : -1;
        return between(s, step > 0 ? m.i : m.j, step > 0 ? m.j : m.i,
                       [=](int p) { return x[p == m.j ? m.i : p + step]; });
    }

    // All places of the job at position i, one pass each over heads, tails and places. Of the sequence without the job,
    // without(k, p) is a tail where p <= i and the head of p - 1 jobs where p > i: the other heads and tails are kept.
    MH_FN void deltas(Team team, const Item* x, State s, const Insertion&, i64 group, Cost* out) const {
        const int i = int(group);
        const auto without = s.without.of(team);
        team.for_each(machines, [=](i64 k) {
            without(k, i) = s.tails(k, i + 1);
            without(k, i + 1) = s.heads(k, i);
        });
        if (released && team.rank == 0) without(machines, i) = s.tails(machines, i + 1);
        team.sync();
        sweep_tails(team, x, without, i);
        sweep_heads(team, x, without, i + 1, n);
        const Cost current = s.heads(machines - 1, n);
        insert(team, x[i], i - 1, [=](i64 k, i64 j) { return s.heads(k, j); },
               [=](i64 k, i64 j) { return without(k, j); }, current, out);
        insert(team, x[i], n - i - 1, [=](i64 k, i64 j) { return without(k, i + 2 + j); },
               [=](i64 k, i64 j) { return s.tails(k, i + 2 + j); }, current, out + (i > 0 ? i - 1 : 0));
        team.sync();
    }

    // a job at each of the first `length` places; heads and tails of these items overwrite heads and tails of all items
    MH_FN void insertions(Team team, const Item* x, int length, Item job, State s, Cost* out) const {
        clear(team, s, length);
        team.sync();
        sweep_heads(team, x, s.heads, 0, length);
        sweep_tails(team, x, s.tails, length);
        insert(team, job, length + 1, [=](i64 k, i64 j) { return s.heads(k, j); },
               [=](i64 k, i64 j) { return s.tails(k, j); }, 0, out);
    }
};
