// Row r of x lists the jobs in the order in which they are on machine r. Operation o = job * machines + step of the
// job; `none`, the number behind the last one, stands for no operation. While the operations wait for no circle, s.at
// lists them in an order in which each comes behind those that it waits for, s.place tells where in it an operation is,
// s.entry where in x, s.before and s.after which operations are next to it on its machine, s.head when it begins,
// s.tail how long the longest path behind it is. Bit k of s.joins tells whether the operations at entries k and k + 1
// follow each other in a critical block. s.span holds the cost, and how many operations begin.
struct JobShopByMachines : JobShopByMachinesData {
    static constexpr int operations = jobs * machines, none = operations;

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

    MH_FN int at_entry(const Item* x, int k) const { return int(operation(x[k], k / int(jobs))); }
    MH_FN static int job_after(int o) { return o % int(machines) + 1 < int(machines) ? o + 1 : none; }
    MH_FN static int job_before(int o) { return o % int(machines) ? o - 1 : none; }

    // the longest path that begins with o, and the longest one to its end; 0 for none
    MH_FN Total path(State s, int o) const { return time(o) + Total(s.tail(o)); }
    MH_FN Total end(State s, int o) const { return Total(s.head(o)) + time(o); }
    MH_FN static Total larger(Total a, Total b) { return a > b ? a : b; }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(1, [&](int) {
            int count = 0;
            s.head(none) = s.tail(none) = 0;
            s.place(none) = -1;
            s.span(0) = schedule(AsTheyAre{x}, [&](int o, Total when) {
                s.at(count) = o;
                s.place(o) = count++;
                s.head(o) = when;
            });
            s.span(1) = count;
            for (int r = 0; r < machines; ++r) link(x, s, r * int(jobs), (r + 1) * int(jobs) - 1);
            if (count == operations) {
                set_tails(s, operations - 1);
                join(s);
            } else {
                for (int w = 0; w <= (operations - 1) / 32; ++w) s.joins(w) = 0;
            }
        });
        team.sync();
    }

    // the entries low ... high of a row, and their neighbors
    MH_FN void link(const Item* x, State s, int low, int high) const {
        const int row = low / int(jobs), begin = row * int(jobs), end = begin + int(jobs);
        int last = low > begin ? int(operation(x[low - 1], row)) : none;
        for (int k = low; k <= high; ++k) {
            const int o = int(operation(x[k], row));
            s.entry(o) = k;
            s.before(o) = last;
            if (last != none) s.after(last) = o;
            last = o;
        }
        const int next = high + 1 < end ? int(operation(x[high + 1], row)) : none;
        s.after(last) = next;
        if (next != none) s.before(next) = last;
    }

    // the longest paths behind the operations up to a place in the order
    MH_FN void set_tails(State s, int last) const {
        for (int k = last; k >= 0; --k) {
            const int o = int(s.at(k));
            s.tail(o) = larger(path(s, job_after(o)), path(s, int(s.after(o))));
        }
    }

    // finds the critical blocks
    MH_FN void join(State s) const {
        const Total span = Total(s.span(0));
        for (int w = 0; w <= (operations - 1) / 32; ++w) s.joins(w) = 0;
        for (int base = 0; base < operations; base += 64) {
            u64 critical = 0;
            const int count = operations - base < 64 ? operations - base : 64;
            for (int k = 0; k < count; ++k) critical |= u64(end(s, base + k) + Total(s.tail(base + k)) == span) << k;
            for (; critical; critical &= critical - 1) {
                const int o = base + lowest_of(critical), next = int(s.after(o));
                if (next == none || end(s, o) != Total(s.head(next))) continue;
                if (end(s, next) + Total(s.tail(next)) != span) continue;
                const int k = int(s.entry(o));
                s.joins(k / 32) |= i32(u32(1) << k % 32);
            }
        }
    }
    MH_FN static int lowest_of(u64 word) {
        return u32(word) ? lowest_bit(u32(word)) : 32 + lowest_bit(u32(word >> 32));
    }
    MH_FN bool joined(State s, int k) const { return u32(s.joins(k / 32)) >> k % 32 & 1; }

    // An operation trades its order with those that it passes: it goes right behind the last of them, or right before
    // the first. Those at begin ... stop in the order of all operations are affected.
    struct Passing {
        int moved, other, begin, stop;
        bool right;

        MH_FN Passing(State s, int moved, int other, bool right) : moved(moved), other(other), right(right) {
            begin = int(s.place(right ? moved : other));
            stop = int(s.place(right ? other : moved));
        }
        MH_FN int ahead(State s) const { return right ? other : int(s.before(other)); }  // of it, afterwards
        MH_FN int behind(State s) const { return right ? int(s.after(other)) : other; }
    };

    // which of these operations come behind the others afterwards; false if operations would wait in a circle
    MH_FN bool find_late(State s, const Passing& p, Flags<operations>& late) const {
        if (p.right) mark_behind(s, p.begin, p.stop, late);
        else mark_ahead(s, p.begin, p.stop, late);
        // the moved one may not be on the other side of an operation that it passes
        for (int o = p.other; o != p.moved; o = int(p.right ? s.before(o) : s.after(o)))
            if (late.has(int(s.place(o)) - p.begin) == p.right) return false;
        return true;
    }

    // The makespan after a move, by the operations between the two that trade their order: those that wait for the
    // delayed ones come behind them. -1 if operations would wait in a circle.
    MH_FN Total passed(State s, const Passing& p) const {
        Flags<operations> late;
        if (!find_late(s, p, late)) return -1;
        const int left = int(s.before(p.moved)), right = int(s.after(p.moved)), ahead = p.ahead(s),
                  behind = p.behind(s);
        Total fresh[operations], span = 0;
        for (int round = 0; round < 2; ++round) {
            for (int k = p.begin; k <= p.stop; ++k) {
                if (late.has(k - p.begin) != (round == 1)) continue;
                const int o = int(s.at(k));
                int previous = int(s.before(o)), next = int(s.after(o));
                if (o == p.moved) {
                    previous = ahead;
                    next = behind;
                } else {
                    if (previous == p.moved) previous = left;
                    if (next == p.moved) next = right;
                    if (o == ahead) next = p.moved;
                    if (o == behind) previous = p.moved;
                }
                const Total when = larger(ended(s, fresh, job_before(o), p), ended(s, fresh, previous, p));
                const Total then = when + time(o);
                fresh[k - p.begin] = then;
                span = larger(span, then + larger(outside(s, job_after(o), p), outside(s, next, p)));
            }
        }
        return span < Total(s.span(0)) ? larger(span, beside(s, p)) : span;
    }
    MH_FN Total ended(State s, const Total* fresh, int o, const Passing& p) const {
        const int k = int(s.place(o));
        return k >= p.begin && k <= p.stop ? fresh[k - p.begin] : end(s, o);
    }
    MH_FN Total outside(State s, int o, const Passing& p) const {
        return int(s.place(o)) > p.stop ? path(s, o) : Total(0);
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
    MH_FN Total beside(State s, const Passing& p) const {
        Total span = 0;
        for (int k = 0; k < p.begin; ++k) span = larger(span, end(s, int(s.at(k))));
        for (int k = p.stop + 1; k < operations; ++k) {
            const int o = int(s.at(k)), ahead = int(s.before(o)), job = job_before(o);
            const Total when = int(s.place(ahead)) < p.begin ? end(s, ahead) : Total(0);
            span = larger(span, larger(when, int(s.place(job)) < p.begin ? end(s, job) : Total(0)) + path(s, o));
        }
        return span;
    }

    MH_FN Cost delta(Team, const Item* x, State s, InsertionMove m) const {
        const Total now = Total(s.span(0));
        if (m.i == m.j) return 0;
        if (int(s.span(1)) == operations) {
            const Total then = passed(s, Passing(s, at_entry(x, m.i), at_entry(x, m.j), m.i < m.j));
            if (then >= 0) return Cost(then - now);
        }
        return Cost(schedule(Inserted{x, m.i, m.j}, [](int, Total) {}) - now);
    }
    MH_FN Cost delta(Team team, const Item* x, State s, SwapMove m) const {
        return delta(team, x, s, InsertionMove{m.i, m.j});  // of neighbors
    }

    // At most the change of cost of a feasible move: the longest path through the operations that trade their order.
    // Those for which they wait may begin earlier only where they wait for the moved one, or those that it passes, and
    // by no more than `slack`; the same of the paths behind.
    MH_FN Cost delta_bound(const Item* x, State s, InsertionMove m) const {
        const Passing p(s, at_entry(x, m.i), at_entry(x, m.j), m.i < m.j);
        Total heads[jobs];
        int row[jobs], count = 0;
        if (!p.right) row[count++] = p.moved;
        for (int o = p.right ? int(s.after(p.moved)) : p.other; o != p.moved; o = int(s.after(o))) {
            row[count++] = o;
            if (p.right && o == p.other) break;
        }
        if (p.right) row[count++] = p.moved;
        const Total before = end(s, int(s.before(p.right ? p.moved : p.other)));
        const Total behind = path(s, int(s.after(p.right ? p.other : p.moved)));
        const Total first = p.right ? end(s, p.moved) : Total(longest), slack = first - before;
        const Total last = p.right ? Total(longest) : path(s, p.moved), tail_slack = last - behind;
        Total when = before;
        for (int k = 0; k < count; ++k) {
            const int job = job_before(row[k]);
            when = larger(when, end(s, job) - (Total(s.head(job)) >= first ? slack : Total(0)));
            heads[k] = when;
            when += time(row[k]);
        }
        Total span = 0, then = behind;
        for (int k = count - 1; k >= 0; --k) {
            const int job = job_after(row[k]);
            then = time(row[k]) + larger(then, path(s, job) - (Total(s.tail(job)) >= last ? tail_slack : Total(0)));
            span = larger(span, heads[k] + then);
        }
        return Cost(span - Total(s.span(0)));
    }
    MH_FN Cost delta_bound(const Item* x, State s, SwapMove m) const {
        return delta_bound(x, s, InsertionMove{m.i, m.j});
    }

    // The times of the operations that come behind those that trade their order, and of those before them.
    MH_FN void commit(Team team, const Item* x, State s, InsertionMove m) const {
        bool anew = false;
        team.for_each(1, [&](int) {
            const Passing p(s, at_entry(x, m.j), at_entry(x, m.i < m.j ? m.j - 1 : m.j + 1), m.i < m.j);
            Flags<operations> late;
            anew = int(s.span(1)) < operations || !find_late(s, p, late);
            if (anew) return;
            int behind[operations], count = 0, k = p.begin;
            for (int each = p.begin; each <= p.stop; ++each) {
                const int o = int(s.at(each));
                if (late.has(each - p.begin)) {
                    behind[count++] = o;
                } else {
                    s.at(k) = o;
                    s.place(o) = k++;
                }
            }
            for (int each = 0; each < count; ++each, ++k) {
                s.at(k) = behind[each];
                s.place(behind[each]) = k;
            }
            link(x, s, m.i < m.j ? m.i : m.j, m.i < m.j ? m.j : m.i);
            for (int each = p.begin; each < operations; ++each) {
                const int o = int(s.at(each));
                s.head(o) = larger(end(s, job_before(o)), end(s, int(s.before(o))));
            }
            Total span = 0;
            for (int o = machines - 1; o < operations; o += machines) span = larger(span, end(s, o));
            s.span(0) = span;
            set_tails(s, p.stop);
            join(s);
        });
        if (team.any(anew)) init(team, x, s);
        else team.sync();
    }
    MH_FN void commit(Team team, const Item* x, State s, SwapMove m) const {
        commit(team, x, s, InsertionMove{m.i, m.j});
    }

    // to an end of the critical block, if the other operations then need not wait in a circle (N6)
    MH_FN bool feasible(Team, const Item* x, State s, InsertionMove m) const {
        const bool right = m.i < m.j;
        const int low = right ? m.i : m.j, high = right ? m.j : m.i;
        if (!joined(s, right ? low : high - 1)) return false;
        if (right ? joined(s, high) : low > 0 && joined(s, low - 1)) return false;
        for (int k = low; k < high; ++k)
            if (!joined(s, k)) return false;
        const int moved = at_entry(x, m.i), other = at_entry(x, m.j);
        if (right) return path(s, other) >= path(s, job_after(moved));
        return m.i > m.j + 1 && end(s, other) >= end(s, job_before(moved));
    }
    // the first two of a critical block, or the last two (N5)
    MH_FN bool feasible(Team, const Item*, State s, SwapMove m) const {
        if (m.j != m.i + 1 || !joined(s, m.i)) return false;
        return !(m.i > 0 && joined(s, m.i - 1)) || !joined(s, m.j);
    }

    // f(low, high) for the first and the last entry of each critical block
    template <class F> MH_FN void blocks(State s, F f) const {
        int low = -1;
        for (int w = 0; w <= (operations - 1) / 32; ++w) {
            const u32 word = u32(s.joins(w));
            for (u32 left = word; left;) {
                const int k = w * 32 + lowest_bit(left);
                left &= left - 1;
                if (low < 0) low = k;
                if (joined(s, k + 1)) continue;
                f(low, k + 1);
                low = -1;
            }
        }
    }

    template <class N, class F> MH_FN void feasible_moves(const Item* x, State s, const N&, F f) const {
        blocks(s, [&](int low, int high) {
            if constexpr (Same<typename N::Move, SwapMove>::value) {
                f(SwapMove{low, low + 1});
                if (high > low + 1) f(SwapMove{high - 1, high});
            } else {
                const int first = at_entry(x, low), last = at_entry(x, high);
                for (int k = low; k <= high; ++k) {
                    const int o = at_entry(x, k);
                    if (k < high && path(s, last) >= path(s, job_after(o))) f(InsertionMove{k, high});
                    if (k > low + 1 && end(s, first) >= end(s, job_before(o))) f(InsertionMove{k, low});
                }
            }
        });
    }
};
