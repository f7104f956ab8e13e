// x lists the operations of machine 0, a separator, those of machine 1, and so
// on; an item from `operations` on is a separator. While the operations wait
// for no circle, s.at lists them in an order in which each comes behind those
// that it waits for, s.place tells where in it an operation is, s.entry where
// in x, s.on on which machine. s.head is when it begins, s.tail how long the
// longest path behind it is. s.span holds the cost, and how many operations
// begin.
struct FlexibleJobShop : FlexibleJobShopData {
    template <int count> struct Flags {
        u64 words[(count + 63) / 64];

        MH_FN Flags() {
            for (u64& word : words) word = 0;
        }
        MH_FN void set(int k) { words[k / 64] |= u64(1) << k % 64; }
        MH_FN bool has(int k) const { return words[k / 64] >> k % 64 & 1; }
    };

    MH_FN static Total larger(Total a, Total b) { return a > b ? a : b; }
    MH_FN Total time(int o, int machine) const { return Total(takes(o, machine)); }
    MH_FN int job_after(int o) const { return o + 1 < int(first_of(int(job(o)) + 1)) ? o + 1 : -1; }
    MH_FN int job_before(int o) const { return o > int(first_of(int(job(o)))) ? o - 1 : -1; }
    // the operation at an entry; -1 for a separator, and outside of x
    MH_FN int operation(const Item* x, int k) const { return k < 0 || k >= n || x[k] >= operations ? -1 : int(x[k]); }

    // calls begin(operation, machine, when) for each operation in an order in
    // which it may begin; returns the cost
    template <class Begin> MH_FN Total schedule(const Item* x, Begin begin) const {
        Total job_ends[job_count], machine_ends[machines], last = 0;
        int due[job_count], next[machines];
        for (int j = 0; j < job_count; ++j) {
            job_ends[j] = 0;
            due[j] = int(first_of(j));
        }
        for (int k = 0, r = 0; r < machines; ++r) {
            machine_ends[r] = 0;
            next[r] = k;
            while (operation(x, k) >= 0) ++k;
            ++k;
        }
        int waiting = operations;
        for (bool moved = true; moved;) {
            moved = false;
            for (int r = 0; r < machines; ++r) {
                for (int o; (o = operation(x, next[r])) >= 0 && o == due[int(job(o))]; ++next[r]) {
                    const int j = int(job(o));
                    ++due[j];
                    const Total when = larger(job_ends[j], machine_ends[r]);
                    begin(o, r, when);
                    job_ends[j] = machine_ends[r] = when + time(o, r);
                    last = larger(last, job_ends[j]);
                    moved = true;
                    --waiting;
                }
            }
        }
        return waiting ? Total(never) + waiting : last;
    }

    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(1, [&](int) { return schedule(x, [](int, int, Total) {}); });
    }

    MH_FN Total time(State s, int o) const { return time(o, int(s.on(o))); }
    MH_FN Total end(State s, int o) const { return o < 0 ? Total(0) : Total(s.head(o)) + time(s, o); }
    // the longest path that begins with o
    MH_FN Total path(State s, int o) const { return o < 0 ? Total(0) : time(s, o) + Total(s.tail(o)); }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(1, [&](int) {
            int count = 0;
            s.span(0) = schedule(x, [&](int o, int machine, Total when) {
                s.at(count) = o;
                s.place(o) = count++;
                s.on(o) = machine;
                s.head(o) = when;
            });
            s.span(1) = count;
            for (int k = 0; k < n; ++k)
                if (operation(x, k) >= 0) s.entry(operation(x, k)) = k;
            while (count-- > 0) {
                const int o = int(s.at(count));
                s.tail(o) = larger(path(s, job_after(o)), path(s, operation(x, int(s.entry(o)) + 1)));
            }
        });
        team.sync();
    }

    // where an operation goes: between two others of a machine, -1 for none
    struct Gap { int machine, before, behind; };
    MH_FN Gap gap(const Item* x, State s, InsertionMove m) const {
        const int right = m.i < m.j;
        Gap found = {0, operation(x, m.j - 1 + right), operation(x, m.j + right)};
        if (found.before >= 0) {
            found.machine = int(s.on(found.before));
        } else if (found.behind >= 0) {
            found.machine = int(s.on(found.behind));
        } else {
            for (int k = 0; k < m.j + right; ++k) found.machine += operation(x, k) < 0;
        }
        return found;
    }

    // whether b may wait for a: it does not begin before a ends
    MH_FN bool reaches(State s, int a, int b) const { return a == b || Total(s.head(b)) >= end(s, a); }

    // a critical operation goes where it may, unless it would then wait for a
    // later one
    MH_FN bool feasible(Team, const Item* x, State s, InsertionMove m) const {
        const int o = operation(x, m.i);
        if (o < 0 || int(s.span(1)) < operations || end(s, o) + Total(s.tail(o)) != Total(s.span(0))) return false;
        const Gap to = gap(x, s, m);
        if (time(o, to.machine) >= Total(never)) return false;
        const int previous = job_before(o), next = job_after(o);
        if (previous >= 0 && to.behind >= 0 && reaches(s, to.behind, previous)) return false;
        return next < 0 || to.before < 0 || !reaches(s, next, to.before);
    }

    // The cost after a feasible move, by the operations at begin ... stop in the
    // order, outside of which no times change but of paths through them. What
    // waits for the moved operation, and is listed before something that it
    // waits for, is `late`, and comes behind it.
    MH_FN Total moved(const Item* x, State s, int o, Gap to) const {
        const int previous = job_before(o), next = job_after(o), old = int(s.place(o));
        const int left = operation(x, int(s.entry(o)) - 1), right = operation(x, int(s.entry(o)) + 1);
        const int first = least_place(s, next, to.behind);
        int last = previous < 0 ? -1 : int(s.place(previous));
        if (to.before >= 0 && int(s.place(to.before)) > last) last = int(s.place(to.before));
        Flags<operations> late;
        Flags<job_count> by_job;
        Flags<machines> by_machine;
        for (int k = first; k <= last; ++k) {
            const int each = int(s.at(k)), j = int(job(each)), r = int(s.on(each));
            if (each == o || (each != next && each != to.behind && !by_job.has(j) && !by_machine.has(r))) continue;
            late.set(k);
            by_job.set(j);
            by_machine.set(r);
        }
        const int begin = first < old ? first : old, through = last > begin ? last : begin - 1;
        const int stop = through > old ? through : old;
        Total fresh[operations], span = 0;
        const auto ended = [&](int each) {
            if (each < 0) return Total(0);
            const int k = int(s.place(each));
            return k < begin ? end(s, each) : fresh[k];
        };
        const auto outside = [&](int each) {
            return each >= 0 && int(s.place(each)) > stop ? path(s, each) : Total(0);
        };
        const auto place = [&](int each) {
            const int e = int(s.entry(each));
            int ahead = each == o ? to.before : each == to.behind ? o : operation(x, e - 1);
            int behind = each == o ? to.behind : each == to.before ? o : operation(x, e + 1);
            if (each == right && each != to.behind) ahead = left;
            if (each == left && each != to.before) behind = right;
            const Total when = larger(ended(job_before(each)), ended(ahead));
            const Total then = when + (each == o ? time(o, to.machine) : time(s, each));
            fresh[int(s.place(each))] = then;
            span = larger(span, then + larger(outside(job_after(each)), outside(behind)));
        };
        for (int k = begin; k <= through; ++k)
            if (k != old && !late.has(k)) place(int(s.at(k)));
        place(o);
        for (int k = begin; k <= through; ++k)
            if (late.has(k)) place(int(s.at(k)));
        for (int k = through + 1; k <= stop; ++k)
            if (k != old) place(int(s.at(k)));
        if (span >= Total(s.span(0))) return span;
        // paths beside these operations
        for (int k = 0; k < begin; ++k) span = larger(span, end(s, int(s.at(k))));
        for (int k = stop + 1; k < operations; ++k) {
            const int each = int(s.at(k)), ahead = job_before(each);
            int beside = each == right ? left : operation(x, int(s.entry(each)) - 1);
            if (each == to.behind) beside = -1;
            Total when = 0;
            if (ahead >= 0 && int(s.place(ahead)) < begin) when = end(s, ahead);
            if (beside >= 0 && int(s.place(beside)) < begin) when = larger(when, end(s, beside));
            span = larger(span, when + path(s, each));
        }
        return span;
    }
    MH_FN int least_place(State s, int a, int b) const {
        const int first = a < 0 ? int(operations) : int(s.place(a)), second = b < 0 ? int(operations) : int(s.place(b));
        return first < second ? first : second;
    }

    // At most the change of cost of a feasible move: the longest path through the moved operation. What waits for it
    // may begin earlier by no more than it is moved ahead, and the same of the paths behind.
    MH_FN Cost delta_bound(const Item* x, State s, InsertionMove m) const {
        const int o = operation(x, m.i), previous = job_before(o), next = job_after(o);
        const Gap to = gap(x, s, m);
        Total when = end(s, previous), then = path(s, next);
        if (to.before >= 0) {
            const Total first = end(s, o), slack = first - end(s, operation(x, m.i - 1));
            when = larger(when, end(s, to.before) - (Total(s.head(to.before)) >= first ? slack : Total(0)));
        }
        if (to.behind >= 0) {
            const Total last = path(s, o), slack = last - path(s, operation(x, m.i + 1));
            then = larger(then, path(s, to.behind) - (Total(s.tail(to.behind)) >= last ? slack : Total(0)));
        }
        return Cost(when + time(o, to.machine) + then - Total(s.span(0)));
    }

    template <class N, class F> MH_FN void feasible_moves(const Item* x, State s, const N&, F f) const {
        if (int(s.span(1)) < operations) return;
        int first[machines + 1], row = 0;  // entries
        first[0] = 0;
        for (int k = 0; k < n; ++k)
            if (operation(x, k) < 0) first[++row] = k + 1;
        first[machines] = n + 1;
        for (int o = 0; o < operations; ++o) {
            if (end(s, o) + Total(s.tail(o)) != Total(s.span(0))) continue;
            const int from = int(s.entry(o)), previous = job_before(o), next = job_after(o);
            for (int r = 0; r < machines; ++r) {
                if (time(o, r) >= Total(never)) continue;
                for (int k = first[r]; k < first[r + 1]; ++k) {  // between the entries k - 1 and k
                    const int before = operation(x, k - 1), behind = operation(x, k);
                    if (next >= 0 && before >= 0 && reaches(s, next, before)) break;
                    if (previous >= 0 && behind >= 0 && reaches(s, behind, previous)) continue;
                    if (k < from - 1 || k > from + 1) f(InsertionMove{from, k > from ? k - 1 : k});
                }
            }
        }
    }

    MH_FN Cost delta(Team team, const Item* x, State s, InsertionMove m) const {
        if (!feasible(team, x, s, m)) return 0;
        return Cost(moved(x, s, operation(x, m.i), gap(x, s, m)) - Total(s.span(0)));
    }
};
