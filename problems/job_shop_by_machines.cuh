// Row r of x lists the jobs in the order in which they are on machine r. Operation o = job * machines + step of the
// job. While the operations wait for no circle, s.at lists them in an order in which each comes behind those that it
// waits for, s.place tells where in it an operation is, s.head when it begins, s.tail how long the longest path behind
// it is. s.joins tells whether the operations at an entry and the next one follow
// each other in a critical block.
struct JobShopByMachines : JobShopByMachinesData {
    static constexpr int operations = jobs * machines;

    template <int count> struct Flags {
        u64 words[(count + 63) / 64];

        MH_FN void clear(int first = count) {
            for (int w = 0; w <= (first - 1) / 64; ++w) words[w] = 0;
        }
        MH_FN void set(int k) { words[k / 64] |= u64(1) << k % 64; }
        MH_FN bool has(int k) const { return words[k / 64] >> k % 64 & 1; }
    };

    // the entries of x, and those after an insertion
    struct AsTheyAre {
        const Item* x;
        MH_FN int operator()(int k) const { return x[k]; }
    };
    struct Inserted {
        const Item* x;
        int from, to;
        MH_FN int operator()(int k) const {
            if (k == to) return x[from];
            if (from < to) return x[k + (k >= from && k < to)];
            return x[k - (k > to && k <= from)];
        }
    };

    MH_FN int machine(int o) const { return int(on(o)); }
    MH_FN Total time(int o) const { return Total(takes(o)); }

    // calls begin(operation, when) for each operation in an order in which it may begin; returns the cost
    template <class At, class Begin> MH_FN Total schedule(At at, Begin begin) const {
        Total job[jobs], machine[machines], last = 0;
        int due[jobs], next[machines];
        for (int j = 0; j < jobs; ++j) {
            job[j] = 0;
            due[j] = j * int(machines);
        }
        for (int r = 0; r < machines; ++r) machine[r] = next[r] = 0;
        int waiting = operations;
        for (bool moved = true; moved;) {
            moved = false;
            for (int r = 0; r < machines; ++r) {
                for (; next[r] < jobs; ++next[r]) {
                    const int j = at(r * int(jobs) + next[r]);
                    const int o = int(operation(j, r));
                    if (o != due[j]) break;
                    ++due[j];
                    const Total when = job[j] > machine[r] ? job[j] : machine[r];
                    begin(o, when);
                    job[j] = machine[r] = when + time(o);
                    last = job[j] > last ? job[j] : last;
                    moved = true;
                    --waiting;
                }
            }
        }
        return waiting ? Total(longest) + waiting : last;
    }

    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(1, [&](int) { return schedule(AsTheyAre{x}, [](int, Total) {}); });
    }

    // the operation behind o on its machine, and the one before it; -1 if there is none
    MH_FN int after(const Item* x, State s, int o) const {
        const int k = int(s.entry(o)) + 1;
        return k % int(jobs) ? int(operation(x[k], k / int(jobs))) : -1;
    }
    MH_FN int before(const Item* x, State s, int o) const {
        const int k = int(s.entry(o));
        return k % int(jobs) ? int(operation(x[k - 1], k / int(jobs))) : -1;
    }
    MH_FN static int job_after(int o) { return o % int(machines) + 1 < int(machines) ? o + 1 : -1; }
    MH_FN static int job_before(int o) { return o % int(machines) ? o - 1 : -1; }

    // the longest path that begins with o
    MH_FN Total path(State s, int o) const { return o < 0 ? Total(0) : time(o) + Total(s.tail(o)); }
    MH_FN Total end(State s, int o) const { return o < 0 ? Total(0) : Total(s.head(o)) + time(o); }
    MH_FN static Total larger(Total a, Total b) { return a > b ? a : b; }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(1, [&](int) {
            int count = 0;
            s.span(0) = schedule(AsTheyAre{x}, [&](int o, Total when) {
                s.at(count) = o;
                s.place(o) = count++;
                s.head(o) = when;
            });
            s.span(1) = count;
            for (int k = 0; k < operations; ++k) s.entry(int(operation(x[k], k / int(jobs)))) = k;
            while (count-- > 0) {
                const int o = int(s.at(count));
                s.tail(o) = 0;
                s.tail(o) = larger(path(s, job_after(o)), path(s, after(x, s, o)));
            }
            for (int k = 0; k < operations; ++k) s.joins(k) = joined(x, s, k / int(jobs), k);
        });
        team.sync();
    }

    // The makespan after an insertion in a row, by the operations between the two that trade their order: those that
    // wait for the delayed ones come behind them. -1 if operations would wait in a circle.
    MH_FN Total inserted(const Item* x, State s, int from, int to) const {
        const int row = from / int(jobs), low = from < to ? from : to, high = from < to ? to : from;
        const int moved = int(operation(x[from], row)), other = int(operation(x[to], row));
        const int first = int(operation(x[low], row)), last = int(operation(x[high], row));
        const int begin = int(s.place(first)), stop = int(s.place(last));
        Flags<operations> late;
        if (from < to) {
            mark_behind(s, begin, stop, late);
        } else {
            mark_ahead(s, begin, stop, late);
        }
        // moved may not be on the other side of an operation that it passes
        for (int k = low; k <= high; ++k) {
            if (k == from) continue;
            if (late.has(int(s.place(int(operation(x[k], row)))) - begin) == (from < to)) return -1;
        }
        Total fresh[operations], span = 0;
        for (int round = 0; round < 2; ++round) {
            for (int k = begin; k <= stop; ++k) {
                if (late.has(k - begin) != (round == 1)) continue;
                const int o = int(s.at(k));
                int ahead, behind;
                if (o == moved) {
                    ahead = from < to ? other : neighbor(x, row, to - 1);
                    behind = from < to ? neighbor(x, row, to + 1) : other;
                } else if (machine(o) == row) {
                    const int e = int(s.entry(o)), left = e - 1 == from ? e - 2 : e - 1,
                              right = e + 1 == from ? e + 2 : e + 1;
                    ahead = e == to && from > to ? moved : neighbor(x, row, left);
                    behind = e == to && from < to ? moved : neighbor(x, row, right);
                } else {
                    ahead = before(x, s, o);
                    behind = after(x, s, o);
                }
                const Total when =
                    larger(ended(s, fresh, job_before(o), begin, stop), ended(s, fresh, ahead, begin, stop));
                const Total then = when + time(o);
                fresh[k - begin] = then;
                span = larger(span, then + larger(outside(s, job_after(o), stop), outside(s, behind, stop)));
            }
        }
        return span < Total(s.span(0)) ? larger(span, beside(x, s, row, high, begin, stop)) : span;
    }

    // the operation at an entry of a row; -1 if the row does not reach so far
    MH_FN int neighbor(const Item* x, int row, int k) const {
        return k < row * int(jobs) || k >= (row + 1) * int(jobs) ? -1 : int(operation(x[k], row));
    }
    MH_FN Total ended(State s, const Total* fresh, int o, int begin, int stop) const {
        if (o < 0) return 0;
        const int k = int(s.place(o));
        return k >= begin && k <= stop ? fresh[k - begin] : end(s, o);
    }
    MH_FN Total outside(State s, int o, int stop) const {
        return o >= 0 && int(s.place(o)) > stop ? path(s, o) : Total(0);
    }

    // of the operations at begin ... stop: the first, and all that wait for it, but on its own machine
    MH_FN void mark_behind(State s, int begin, int stop, Flags<operations>& late) const {
        Flags<jobs> by_job;
        Flags<machines> by_machine;
        late.clear(stop - begin + 1);
        by_job.clear();
        by_machine.clear();
        const int first = int(s.at(begin));
        late.set(0);
        by_job.set(first / int(machines));
        for (int k = begin + 1; k <= stop; ++k) {
            const int o = int(s.at(k)), j = o / int(machines), r = machine(o);
            if (!by_job.has(j) && !by_machine.has(r)) continue;
            late.set(k - begin);
            by_job.set(j);
            by_machine.set(r);
        }
    }
    // of the operations at begin ... stop: all but the last, and those for which it waits, but on its own machine
    MH_FN void mark_ahead(State s, int begin, int stop, Flags<operations>& late) const {
        Flags<jobs> by_job;
        Flags<machines> by_machine;
        late.clear(stop - begin + 1);
        by_job.clear();
        by_machine.clear();
        by_job.set(int(s.at(stop)) / int(machines));
        for (int k = stop - 1; k >= begin; --k) {
            const int o = int(s.at(k)), j = o / int(machines), r = machine(o);
            if (by_job.has(j) || by_machine.has(r)) {
                by_job.set(j);
                by_machine.set(r);
            } else {
                late.set(k - begin);
            }
        }
    }

    // the longest path without the operations at begin ... stop
    MH_FN Total beside(const Item* x, State s, int row, int high, int begin, int stop) const {
        Total span = 0;
        for (int k = 0; k < begin; ++k) span = larger(span, end(s, int(s.at(k))));
        for (int k = stop + 1; k < operations; ++k) {
            const int o = int(s.at(k)), e = int(s.entry(o));
            const int ahead = e / int(jobs) == row && e == high + 1 ? -2 : before(x, s, o), job = job_before(o);
            Total when = 0;
            if (ahead >= 0 && int(s.place(ahead)) < begin) when = end(s, ahead);
            if (job >= 0 && int(s.place(job)) < begin) when = larger(when, end(s, job));
            span = larger(span, when + path(s, o));
        }
        return span;
    }

    MH_FN Cost delta(Team, const Item* x, State s, InsertionMove m) const {
        const Total now = Total(s.span(0));
        if (m.i == m.j) return 0;
        if (int(s.span(1)) == operations) {
            const Total then = inserted(x, s, m.i, m.j);
            if (then >= 0) return Cost(then - now);
        }
        return Cost(schedule(Inserted{x, m.i, m.j}, [](int, Total) {}) - now);
    }
    MH_FN Cost delta(Team team, const Item* x, State s, SwapMove m) const {
        return delta(team, x, s, InsertionMove{m.i, m.j});  // of neighbors
    }

    // whether o is on a longest path, and the next one on its machine is the next one of this path
    MH_FN bool critical(State s, int o) const { return end(s, o) + Total(s.tail(o)) == Total(s.span(0)); }
    MH_FN bool joined(const Item* x, State s, int row, int k) const {
        const int o = neighbor(x, row, k), next = neighbor(x, row, k + 1);
        return o >= 0 && next >= 0 && critical(s, o) && critical(s, next) && end(s, o) == Total(s.head(next));
    }

    // to an end of the critical block, if the other operations then need not wait in a circle (N6)
    MH_FN bool feasible(Team, const Item* x, State s, InsertionMove m) const {
        const bool right = m.i < m.j;
        const int low = right ? m.i : m.j, high = right ? m.j : m.i;
        if (!s.joins(right ? low : high - 1)) return false;
        if (right ? s.joins(high) : low > 0 && s.joins(low - 1)) return false;
        for (int k = low; k < high; ++k)
            if (!s.joins(k)) return false;
        const int row = m.i / int(jobs);
        const int moved = int(operation(x[m.i], row)), other = int(operation(x[m.j], row));
        if (right) return path(s, other) >= path(s, job_after(moved));
        return m.i > m.j + 1 && end(s, other) >= end(s, job_before(moved));
    }
    // the first two of a critical block, or the last two (N5)
    MH_FN bool feasible(Team, const Item*, State s, SwapMove m) const {
        if (m.j != m.i + 1 || !s.joins(m.i)) return false;
        return !(m.i > 0 && s.joins(m.i - 1)) || !s.joins(m.j);
    }
};
