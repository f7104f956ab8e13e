// Explore the neighborhoods of an archive's members, and archive what is found: many iterations in one call on the CPU,
// four launches an iteration on a GPU, without Python in between. Members stand in the order in which they came; the
// first `count` of `slots` say in which rows their solutions lie, the others which rows are free.
enum Standing { Running, Visited, Full, Cut };  // all members have been visited; there is no room; it was broken off

struct Costs {
    const Cost* all;

    MH_FN const Cost& operator()(i64 i) const { return all[i]; }
};

struct Front {
    Costs costs;
    i64 count;
};

// the thread's share of a range
struct Share {
    i64 begin, end;

    MH_FN Share(Team team, i64 size) : begin(size * team.rank / team.size), end(size * (team.rank + 1) / team.size) {}
};

MH_FN bool goes_on(const Orders& o, const Control& c) {
    return c.standing == Running && c.iteration < o.end && c.evaluated < o.evaluated &&
           c.iteration - c.improved_at < o.stagnation &&
           !(o.on_improvement && c.improved_at == c.iteration && c.iteration > o.begun);
}

MH_FN Random random_of(const Control& c, u32 stream) { return {c.seed, c.walk, stream, c.iteration + 1}; }

// of the indices below `size` in their order, those that f accepts come to out, from out[0] on; returns how many
template <class F> MH_FN i64 gather(const Arguments& a, Team team, i64 size, i64* out, F f) {
    const Share share(team, size);
    i64 mine = 0;
    for (i64 t = share.begin; t < share.end; ++t) mine += f(t) >= 0;
    a.tally[team.rank] = mine;
    team.sync();
    i64 at = 0, total = 0;
    for (int r = 0; r < team.size; ++r) {
        if (r == team.rank) at = total;
        total += a.tally[r];
    }
    for (i64 t = share.begin; t < share.end; ++t) {
        const i64 k = f(t);
        if (k >= 0) out[at++] = k;
    }
    team.sync();
    return total;
}

// the least t below `size` for which f holds, or `size`
template <class F> MH_FN i64 first_of(const Arguments& a, Team team, i64 size, F f) {
    const Share share(team, size);
    i64 t = share.begin;
    while (t < share.end && !f(t)) ++t;
    a.tally[team.rank] = t < share.end ? t : size;
    team.sync();
    i64 first = size;
    for (int r = 0; r < team.size; ++r) first = a.tally[r] < first ? a.tally[r] : first;
    team.sync();
    return first;
}

MH_FN void copy(Team team, i64 n, Item* to, const Item* from) {
    team.for_each(n, [=](i64 k) { to[k] = from[k]; });
}

// the next member to explore is in place: of the round, or of a new one; c is the team's own copy of the control
MH_FN void choose(const Arguments& a, Team team, Control& c) {
    const i64 n = a.problem.n;
    if (c.next == c.round) {
        const i64 free = gather(a, team, c.count, a.chosen, [&](i64 i) { return a.visited[i] ? i64(-1) : i; });
        if (free == 0) {
            c.standing = Visited;
            return;
        }
        const Random random = random_of(c, selection_stream);
        const i64 chosen = a.selection.choose(team, Front{{a.costs}, c.count}, free, a.chosen, a.work, random);
        for (i64 r = 0; r < chosen; ++r) {
            const i64 i = a.chosen[r];
            if (team.rank == 0) {
                a.round_costs[r] = a.costs[i];
                a.round_born[r] = a.born[i];
            }
            copy(team, n, a.round_solutions + r * n, a.solutions + a.slots[i] * n);
        }
        c.round = chosen;
        c.next = 0;
        team.sync();
    }
    c.current = a.round_costs[c.next];
    copy(team, n, a.x, a.round_solutions + c.next * n);
    team.sync();
    prepare_problem(a.problem, team, a.x, a.state);
    prepare_neighborhood(a.neighborhood, team, a.x);
    team.sync();
}

// what a neighbor is: 0 where a member weakly dominates it, or the move is infeasible; 2 where it dominates the one
// that is explored; else 1. `hint` is the member that dominated the one before, which often dominates this one, too.
MH_FN u8 kind_of(const Arguments& a, const Control& c, Cost change, i64& hint) {
    if (Neighborhood::partial && change == Cost(Never<Number>::value)) return 0;
    const Cost cost = c.current + change;
    if (hint < c.count && covers(a.costs[hint], cost)) return 0;
    for (i64 i = 0; i < c.count; ++i)
        if (covers(a.costs[i], cost)) {
            hint = i;
            return 0;
        }
    return covers(cost, c.current) && cost != c.current ? 2 : 1;
}

MH_FN void filter(const Arguments& a, Team team, const Control& c) {
    const i64 size = a.neighborhood.size(), workers = i64(team.size) * team.league_size;
    const i64 worker = i64(team.league_rank) * team.size + team.rank;
    i64 hint = c.count;
    for (i64 k = worker; k < size; k += workers) a.kinds[k] = kind_of(a, c, a.out[k], hint);
}

MH_FN bool suits(i64 rule, u8 kind) { return rule == 0 ? kind > 0 : kind == 2; }

struct Exploring {
    i64 offered, evaluated;
    bool complete;
};

// which neighbors are offered to the archive, in order, in a.offered
MH_FN Exploring explore(const Arguments& a, Team team, const Control& c) {
    const i64 size = a.neighborhood.size();
    const auto& how = a.exploration;
    const Random random = random_of(c, exploration_stream);
    const u8* kinds = a.kinds;
    if (how.scan == 2) {
        const i64 drawn = size ? how.sample : 0;
        const auto draw = [&](i64 t) { return random.index(u32(t), size); };
        bool dominating = how.accept_rule == 1;
        if (how.accept_rule == 2)
            dominating = first_of(a, team, drawn, [&](i64 t) { return kinds[draw(t)] == 2; }) < drawn;
        const i64 offered = gather(a, team, drawn, a.offered,
                                   [&](i64 t) { return suits(dominating, kinds[draw(t)]) ? draw(t) : i64(-1); });
        return {offered, drawn, size == 0};
    }
    if (how.scan == 1) {
        const i64 cursor = size ? random.index(0, size) : 0;
        const auto at = [&](i64 t) { return t + cursor < size ? t + cursor : t + cursor - size; };
        const i64 found = first_of(a, team, size, [&](i64 t) { return suits(how.until_rule, kinds[at(t)]); });
        const i64 seen = found < size ? found + 1 : size;
        const i64 offered = gather(a, team, seen, a.offered,
                                   [&](i64 t) { return suits(how.accept_rule, kinds[at(t)]) ? at(t) : i64(-1); });
        return {offered, seen, found == size};
    }
    bool dominating = how.accept_rule == 1;
    if (how.accept_rule == 2) dominating = first_of(a, team, size, [&](i64 k) { return kinds[k] == 2; }) < size;
    const i64 offered =
        gather(a, team, size, a.offered, [&](i64 k) { return suits(dominating, kinds[k]) ? k : i64(-1); });
    return {offered, size, true};
}

// of what is offered, those that no other one dominates, the first one of equals, stay in a.offered; returns how many
MH_FN i64 sift(const Arguments& a, Team team, i64 offered) {
    const Cost* out = a.out;
    const i64* candidates = a.offered;
    i64* kept = a.entering;
    return gather(a, team, offered, kept, [=](i64 t) {
        const Cost cost = out[candidates[t]];
        for (i64 s = 0; s < offered; ++s) {
            const Cost other = out[candidates[s]];
            if (s != t && covers(other, cost) && (s < t || other != cost)) return i64(-1);
        }
        return candidates[t];
    });
}

// the members for which f holds leave; the others keep their order
template <class F> MH_FN void remove(const Arguments& a, Team team, Control& c, F f) {
    const i64 first = first_of(a, team, c.count, f);
    if (first == c.count) return;
    if (team.rank == 0) {
        i64 to = first, gone = 0;
        for (i64 i = first; i < c.count; ++i) {
            const i64 slot = a.slots[i];
            if (f(i)) {
                a.chosen[gone++] = slot;
                continue;
            }
            a.slots[to] = slot;
            a.costs[to] = a.costs[i];
            a.visited[to] = a.visited[i];
            a.born[to] = a.born[i];
            ++to;
        }
        for (i64 g = 0; g < gone; ++g) a.slots[to + g] = a.chosen[g];
        a.tally[0] = to;
    }
    team.sync();
    c.count = a.tally[0];
    team.sync();
}

// whether a cost belongs to a member that was explored before a restart
MH_FN bool known(const Arguments& a, const Orders& o, const Cost& cost) {
    for (i64 i = 0; i < o.known; ++i)
        if (a.known[i] == cost) return true;
    return false;
}

// the neighbor that move k leads to becomes a member
MH_FN void append(const Arguments& a, Team team, const Orders& o, Control& c, i64 k) {
    const i64 n = a.problem.n, slot = a.slots[c.count];
    const Cost cost = c.current + a.out[k];
    Item* row = a.solutions + slot * n;
    copy(team, n, row, a.x);
    team.sync();
    resolve(a.neighborhood, a.neighborhood.unrank(k),
            [&](const auto& inner, auto leaf) { inner.apply(team, row, leaf); });
    team.sync();
    if (team.rank == 0) {
        a.costs[c.count] = cost;
        a.visited[c.count] = known(a, o, cost);
        a.born[c.count] = c.iteration + 1;
    }
    ++c.count;
}

MH_FN void note_best(const Arguments& a, Team team, Control& c) {
    i64 best = 0;
    for (i64 i = 1; i < c.count; ++i) best = a.costs[i] < a.costs[best] ? i : best;
    if (!(a.costs[best] < c.best)) return;
    c.best = a.costs[best];
    copy(team, a.problem.n, a.best, a.solutions + a.slots[best] * a.problem.n);
    team.sync();
}

// what the filter has let through is archived, and the iteration counts
MH_FN void archive(const Arguments& a, Team team, const Orders& o, Control& c) {
    const Exploring found = explore(a, team, c);
    const i64 entering = sift(a, team, found.offered);
    if (c.count + entering > o.room) {
        c.standing = Full;
        c.needed = c.count + entering;
        return;
    }
    if (entering > 0) {
        const Cost current = c.current;
        remove(a, team, c, [&](i64 i) {
            for (i64 e = 0; e < entering; ++e)
                if (covers(current + a.out[a.entering[e]], a.costs[i])) return true;
            return false;
        });
        for (i64 e = 0; e < entering; ++e) append(a, team, o, c, a.entering[e]);
        team.sync();
        while (o.limit >= 0 && c.count > o.limit) {
            const i64 worst = a.archive.worst(team, Costs{a.costs}, c.count, a.work);
            team.sync();
            remove(a, team, c, [=](i64 i) { return i == worst; });
        }
        c.improved_at = c.iteration + 1;
        note_best(a, team, c);
    }
    if (found.complete) {
        const Cost current = c.current;
        team.for_each(c.count, [&](i64 i) {
            if (a.costs[i] == current) a.visited[i] = 1;
        });
        team.sync();
    }
    ++c.next;
    ++c.iteration;
    c.evaluated += found.evaluated;
}

MH_FN void keep(const Arguments& a, Team team, const Control& c) {
    team.sync();
    if (team.rank == 0) *a.control = c;
}

#ifdef __CUDACC__
MH_ENTRY(select) {
    const Team team = one_team();
    const Orders o = fetch(team, arguments->orders);
    Control c = fetch(team, arguments->control);
    if (!goes_on(o, c)) return;
    choose(*arguments, team, c);
    keep(*arguments, team, c);
}

MH_ENTRY(evaluate) {
    const Arguments& a = *arguments;
    if (!goes_on(*a.orders, *a.control)) return;
    in_parallel(int(a.teams), [&](Team team, i64 thread) {
        evaluate_all(a.problem, a.neighborhood, team, a.x, a.state, a.out, a.scratch + thread * a.problem.n);
    });
}

MH_ENTRY(sieve) {
    const Arguments& a = *arguments;
    const Control c = *a.control;
    if (!goes_on(*a.orders, c)) return;
    in_parallel(int(a.teams), [&](Team team, i64) { filter(a, team, c); });
}

MH_ENTRY(insert) {
    const Team team = one_team();
    const Orders o = fetch(team, arguments->orders);
    Control c = fetch(team, arguments->control);
    if (!goes_on(o, c)) return;
    archive(*arguments, team, o, c);
    keep(*arguments, team, c);
}
#else
MH_ENTRY(drive) {
    const Arguments& a = *arguments;
    const Team team = one_team();
    mh_cancel = a.cancel;
    const Orders o = *a.orders;
    Control c = *a.control;
    while (goes_on(o, c)) {
        choose(a, team, c);
        if (c.standing != Running) break;
        evaluate_all(a.problem, a.neighborhood, team, a.x, a.state, a.out, a.scratch);
        if (cancelled()) {
            c.standing = Cut;  // some changes of cost are missing
            break;
        }
        filter(a, team, c);
        archive(a, team, o, c);
    }
    keep(a, team, c);
}
#endif
