// Explore the neighborhoods of an archive's members, and archive neighbors, in three phases. Members are listed in the
// order in which they entered. The first `count` entries of `slots` are the rows of their solutions; the other entries
// are the free rows.
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

    MH_FN Share(Team team, i64 size) {
        const i64 each = u64(size) >> 32 ? size / team.size + 1 : i64(u32(size) / u32(team.size)) + 1;
        begin = each * team.rank < size ? each * team.rank : size;
        end = begin + each < size ? begin + each : size;
    }
};

// calls f(t, put) for the indices t below `size`; put appends a number to `out`, in the order of t; returns how many
template <class F> MH_FN i64 gather(Team team, i64 size, i64* out, F f) {
    const Share share(team, size);
    i64 mine = 0, total;
    MH_LOOP for (i64 t = share.begin; t < share.end; ++t) f(t, [&](i64) { ++mine; });
    i64 at = team.preceding(mine, total);
    MH_LOOP for (i64 t = share.begin; t < share.end; ++t) f(t, [&](i64 k) { out[at++] = k; });
    team.sync();
    return total;
}

// the least t below `size` for which f holds, or `size`
template <class F> MH_FN i64 first_of(Team team, i64 size, F f) {
    i64 t = team.rank;
    MH_LOOP while (t < size && !f(t)) t += team.size;
    return team.least(t < size ? t : size);
}

MH_FN PrefixMinima minima_of(const Arguments& a) { return {*reinterpret_cast<const Window*>(a.window), a.cells}; }

MH_FN void copy(Team team, i64 n, Item* to, const Item* from) {
    team.for_each(n, [=](i64 k) { to[k] = from[k]; });
}

// all members have been visited: the search has ended, unless a stage or a restart follows, which Python begins
MH_FN void note_visited(const Orders& o, Control& c) { c.standing = o.follows ? Asks : Ended; }

// where the next member is not chosen yet: note whether all members have been visited
MH_FN void settle(const Arguments& a, Team team, const Orders& o, Control& c) {
    if (c.next < c.round) return;
    if (first_of(team, c.count, [&](i64 i) { return !a.visited[i]; }) == c.count) note_visited(o, c);
}

// makes the next member of the round, or of a new round, the current solution; c is the team's own copy of the control
MH_FN void choose(const Arguments& a, Team team, const Orders& o, Control& c) {
    const i64 n = a.problem.n;
    if (c.next == c.round) {
        const i64 free = gather(team, c.count, a.chosen, [&](i64 i, auto put) {
            if (!a.visited[i]) put(i);
        });
        if (free == 0) return note_visited(o, c);
        const Random random = random_of(c, selection_stream);
        const i64 chosen = a.selection.choose(team, Front{{a.costs}, c.count}, free, a.chosen, a.work, random);
        MH_LOOP for (i64 r = 0; r < chosen; ++r) {
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

// whether the s-th offered neighbor, of cost `other`, excludes the t-th one, of cost `cost`
MH_FN bool excludes(i64 s, const Cost& other, i64 t, const Cost& cost) {
    return covers(other, cost) && (s < t || other != cost) && s != t;
}

// brings the members that entered last into the table of minima
MH_FN void follow(const Arguments& a, Team team, const Control& c) {
    const PrefixMinima minima = minima_of(a);
    if (!minima.window.built) return;
    team.by_last_warps(c.latest, [&](Team warp, i64 e) { minima.follow(warp, a.costs[c.count - 1 - e]); });
}

// marks each neighbor: as `free` if the move is feasible and no member weakly dominates the neighbor; as `better` if
// the neighbor also dominates the explored member
MH_FN void filter(const Arguments& a, Team team, const Control& c) {
    const PrefixMinima minima = minima_of(a);
    const i64 size = a.neighborhood.size(), workers = i64(team.size) * team.league_size;
    const int lane = team.rank % 32;
    i64 hint = -1;  // the last member found to dominate a neighbor; it often dominates the next neighbor, too
    for (i64 begin = i64(team.league_rank) * team.size + team.rank - lane; begin < size; begin += workers) {
        const i64 k = begin + lane;
        bool free = false, better = false, open = false;
        Cost cost = 0;
        if (k < size && !(Neighborhood::partial && a.out[k] == Cost(Never<Number>::value))) {
            cost = c.current + a.out[k];
            const Verdict verdict = minima.judge(cost);
            free = verdict != Covered;
            better = free && covers(cost, c.current) && cost != c.current;
            open = verdict == Unknown;
        }
        team.in_turn(open, [&](Team warp, int turn) {
            const Cost cost = c.current + a.out[begin + turn];
            if (hint < 0 || !covers(a.costs[hint], cost)) {
                const i64 found = warp.some(c.count, [&](i64 i) { return covers(a.costs[i], cost); });
                if (found < 0) return;
                hint = found;
            }
            if (lane == turn) free = better = false;
        });
        if (a.exploration.scan == 0) {  // all neighbors are offered, and some of them exclude adjacent ones
            team.in_turn(free, [&](Team warp, int turn) {
                const Cost other = warp.told(cost, turn);
                if (excludes(turn, other, lane, cost)) free = better = false;
            });
        }
        team.mark(a.free, k, free);
        team.mark(a.better, k, better);
    }
}

struct Exploring {
    i64 offered, evaluated;
    bool complete;
};

// which neighbors are offered to the archive, in order, in a.offered
MH_FN Exploring explore(const Arguments& a, Team team, const Control& c) {
    const i64 size = a.neighborhood.size();
    const auto& how = a.exploration;
    const Random random = random_of(c, exploration_stream);
    const auto marked = [](const u32* words, i64 k) { return words[k / 32] >> k % 32 & 1; };
    const auto that = [&](i64 rule) { return rule == 0 ? a.free : a.better; };
    if (how.scan == 2) {
        const i64 drawn = size ? how.sample : 0;
        const auto draw = [&](i64 t) { return random.index(u32(t), size); };
        bool dominating = how.accept_rule == 1;
        if (how.accept_rule == 2)
            dominating = first_of(team, drawn, [&](i64 t) { return marked(a.better, draw(t)); }) < drawn;
        const u32* suit = that(dominating);
        const i64 offered = gather(team, drawn, a.offered, [&](i64 t, auto put) {
            const i64 k = draw(t);
            if (marked(suit, k)) put(k);
        });
        return {offered, drawn, size == 0};
    }
    if (how.scan == 1) {
        const i64 cursor = size ? random.index(0, size) : 0;
        const auto at = [&](i64 t) { return t + cursor < size ? t + cursor : t + cursor - size; };
        const u32 *suit = that(how.accept_rule), *last = that(how.until_rule);
        const i64 found = first_of(team, size, [&](i64 t) { return marked(last, at(t)); });
        const i64 seen = found < size ? found + 1 : size;
        const i64 offered = gather(team, seen, a.offered, [&](i64 t, auto put) {
            if (marked(suit, at(t))) put(at(t));
        });
        return {offered, seen, found == size};
    }
    const i64 words = (size + 31) / 32;
    bool dominating = how.accept_rule == 1;
    if (how.accept_rule == 2) dominating = first_of(team, words, [&](i64 w) { return a.better[w] != 0; }) < words;
    const u32* suit = that(dominating);
    const i64 offered = gather(team, words, a.offered, [&](i64 w, auto put) {
        for (u32 word = suit[w]; word; word &= word - 1) put(32 * w + lowest_bit(word));
    });
    return {offered, size, true};
}

// whether one of the costs first ... end - 1, whose places ascend, excludes another cost; several costs are fetched
// together
template <class Place>
MH_FN bool excluded(const Cost* costs, i64 first, i64 end, Place place, i64 t, const Cost& cost) {
    constexpr int several = 4;
    MH_LOOP for (i64 begin = first; begin < end; begin += several) {
        bool stays = true;
        for (i64 s = begin; s < begin + several; ++s)  // may read beyond the end, where TOGETHER entries follow
            stays &= s >= end || !excludes(place(s), costs[s], t, cost);
        if (!stays) return true;
    }
    return false;
}

// writes into a.staying for each cost whether no other cost excludes it; if there are few costs, several threads share
// a cost
MH_FN void compare_all(const Arguments& a, Team team, const Cost* costs, i64 count) {
    const i64 shares = count > 0 && count < team.size ? team.size / int(count) : 1, each = count / shares + 1;
    team.for_each(count, [&](i64 t) { a.staying[t] = 1; });
    team.sync();
    team.for_each(shares * count, [&](i64 k) {
        const i64 share = shares > 1 ? int(k) / int(count) : 0, t = k - share * count, first = share * each;
        const i64 end = first + each < count ? first + each : count;
        if (excluded(costs, first, end, [](i64 s) { return s; }, t, costs[t])) a.staying[t] = 0;
    });
    team.sync();
}

// removes the offered neighbors that the front of a sample excludes, which are most of them; returns how many are left
MH_FN i64 thin_out(const Arguments& a, Team team, i64 offered) {
    constexpr i64 sample = MH_SAMPLE;
    if (offered < 2 * sample) return offered;
    const auto sampled = [=](i64 i) { return i * offered / sample; };
    team.for_each(sample, [&](i64 i) { a.sampled[i] = a.offers[sampled(i)]; });
    team.sync();
    compare_all(a, team, a.sampled, sample);
    const i64 best = gather(team, sample, a.entering, [&](i64 i, auto put) {
        if (a.staying[i]) put(sampled(i));
    });
    team.for_each(best, [&](i64 b) { a.sampled[b] = a.offers[a.entering[b]]; });
    team.sync();
    team.for_each(offered, [&](i64 t) {
        a.staying[t] = !excluded(a.sampled, 0, best, [&](i64 b) { return a.entering[b]; }, t, a.offers[t]);
    });
    team.sync();
    const i64 left = gather(team, offered, a.entering, [&](i64 t, auto put) {
        if (a.staying[t]) put(a.offered[t]);
    });
    team.for_each(left, [&](i64 t) { a.offered[t] = a.entering[t]; });
    team.sync();
    return left;
}

// writes the costs of the neighbors that some moves lead to into a.offers
MH_FN void recall(const Arguments& a, Team team, const Control& c, const i64* moves, i64 count) {
    team.for_each(count, [&](i64 t) { a.offers[t] = c.current + a.out[moves[t]]; });
    team.sync();
}

// writes the offered neighbors that no other offered neighbor dominates (the first one of equals) into a.entering, and
// their costs into a.offers; returns how many
MH_FN i64 sift(const Arguments& a, Team team, const Control& c, i64 offered) {
    recall(a, team, c, a.offered, offered);
    const i64 left = thin_out(a, team, offered);
    if (left < offered) recall(a, team, c, a.offered, left);
    compare_all(a, team, a.offers, left);
    const i64 entering = gather(team, left, a.entering, [&](i64 t, auto put) {
        if (a.staying[t]) put(a.offered[t]);
    });
    recall(a, team, c, a.entering, entering);
    return entering;
}

// whether one of the first costs in a.offers covers another cost; several costs are fetched together
MH_FN bool covered_by_offers(const Arguments& a, i64 count, const Cost& cost) {
    constexpr int several = 4;
    MH_LOOP for (i64 begin = 0; begin < count; begin += several) {
        bool covered = false;
        for (i64 e = begin; e < begin + several; ++e)  // may read beyond the end, where TOGETHER entries follow
            covered |= e < count && covers(a.offers[e], cost);
        if (covered) return true;
    }
    return false;
}

// removes the members for which f holds; the others keep their order, and move up, a member a thread at a time
template <class F> MH_FN void remove(const Arguments& a, Team team, Control& c, F f) {
    i64 mine = c.count;
    MH_LOOP for (i64 i = team.rank; i < c.count; i += team.size) {
        a.leaving[i] = f(i);
        if (a.leaving[i] && i < mine) mine = i;
    }
    const i64 first = team.least(mine);
    if (first == c.count) return;
    team.sync();
    i64 to = first;
    MH_LOOP for (i64 begin = first; begin < c.count; begin += team.size) {
        const i64 i = begin + team.rank;
        const bool there = i < c.count, stays = there && !a.leaving[i];
        i64 slot = 0, born = 0, staying;
        u8 visited = 0;
        Cost cost = 0;
        if (there) {
            slot = a.slots[i];
            born = a.born[i];
            visited = a.visited[i];
            cost = a.costs[i];
        }
        const i64 before = team.preceding(stays, staying);
        team.sync();  // all threads have read the entries that are now overwritten
        if (stays) {
            a.slots[to + before] = slot;
            a.born[to + before] = born;
            a.visited[to + before] = visited;
            a.costs[to + before] = cost;
        } else if (there) {
            a.chosen[i - to - before] = slot;
        }
        to += staying;
    }
    team.sync();
    team.for_each(c.count - to, [&](i64 g) { a.slots[to + g] = a.chosen[g]; });
    team.sync();
    c.count = to;
}

// whether a cost belongs to a member that was explored before a restart
MH_FN bool known(const Arguments& a, const Orders& o, const Cost& cost) {
    for (i64 i = 0; i < o.known_count; ++i)
        if (a.known[i] == cost) return true;
    return false;
}

// makes members of the neighbors that the moves in a.entering lead to
MH_FN void append(const Arguments& a, Team team, const Orders& o, Control& c, i64 entering) {
    const i64 n = a.problem.n, count = c.count;
    team.by_warps(entering, [&](Team warp, i64 e) {
        const i64 k = a.entering[e], i = count + e;
        Item* row = a.solutions + a.slots[i] * n;
        copy(warp, n, row, a.x);
        warp.sync();
        resolve(a.neighborhood, a.neighborhood.unrank(k),
                [&](const auto& inner, auto leaf) { inner.apply(warp, row, leaf); });
        if (warp.rank == 0) {
            const Cost cost = a.offers[e];
            a.costs[i] = cost;
            a.visited[i] = known(a, o, cost);
            a.born[i] = c.iteration + 1;
        }
    });
    c.count += entering;
    team.sync();
}

// removes redundant members, or the worst ones until there are as few as the limit; the table of minima follows members
// only where none is removed that no other one dominates
template <class Kind>
MH_FN void bound(const Arguments& a, Team team, const Orders& o, Control& c, const Kind& kind, i64 entered) {
    const Costs costs{a.costs};
    if constexpr (HasRedundant<Kind, Costs>::value) {
        remove(a, team, c, [&, count = c.count](i64 i) { return kind.redundant(costs, count, i); });
    } else {
        if (PrefixMinima::fits && o.limit < 0 &&
            minima_of(a).follows(team, costs, c.count - entered, c.count, reinterpret_cast<Window*>(a.window)))
            c.latest = entered;
        while (o.limit >= 0 && c.count > o.limit) {
            const i64 worst = kind.worst(team, costs, c.count, a.work);
            team.sync();
            remove(a, team, c, [=](i64 i) { return i == worst; });
        }
    }
}

// only members that have just entered can be better than all members before: some of the last ones, and the first one
// where a restart begins
MH_FN void note_best(const Arguments& a, Team team, Control& c, i64 entered) {
    const i64 first = entered < c.count ? c.count - entered : 0;
    const auto better = [&](i64 i) { return a.born[i] == c.iteration + 1 && a.costs[i] < c.best; };
    bool found = team.rank == 0 && better(0);
    MH_LOOP for (i64 i = first + team.rank; i < c.count; i += team.size) found |= better(i);
    if (!team.any(found)) return;
    i64 best = 0;
    if (better(0)) c.best = a.costs[0];
    MH_LOOP for (i64 i = first; i < c.count; ++i) {
        if (!better(i)) continue;
        best = i;
        c.best = a.costs[i];
    }
    copy(team, a.problem.n, a.best, a.solutions + a.slots[best] * a.problem.n);
    team.sync();
}

// archives the neighbors that the filter has let through, and counts the iteration
MH_FN void archive(const Arguments& a, Team team, const Orders& o, Control& c) {
    const Exploring found = explore(a, team, c);
    const i64 entering = sift(a, team, c, found.offered);
    c.latest = 0;
    if (c.count + entering > o.room) {
        c.standing = Full;
        c.needed = c.count + entering;
        return;
    }
    if (entering > 0) {
        remove(a, team, c, [&](i64 i) { return covered_by_offers(a, entering, a.costs[i]); });
        append(a, team, o, c, entering);
        bound(a, team, o, c, a.archive, entering);
        c.improved_at = c.iteration + 1;
    }
    note_best(a, team, c, entering);
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

#ifdef __CUDACC__
MH_ENTRY_OF(MH_NARROW, evaluate) {
    in_wide_phase(arguments, [&](Team team, i64 thread, const Control& c) {
        const Arguments& a = *arguments;
        follow(a, team, c);
        evaluate_runs(a.problem, a.neighborhood, team, a.x, a.state, a.out, a.scratch + thread * a.problem.n);
    });
}

MH_ENTRY_OF(MH_NARROW, sieve) {
    in_wide_phase(arguments, [&](Team team, i64, const Control& c) {
        if (team.league_rank == 0 && team.rank == 0) *arguments->sieving = nanoseconds();
        filter(*arguments, team, c);
    });
}

// if `value` is not 0, archives the neighbors of the explored member; then chooses the next member
MH_ENTRY(turn) {
    in_narrow_phase(arguments, [&](Team team, const Until& until, const Orders& o, Control& c) {
        const Arguments a = *arguments;
        if (value) {
            archive(a, team, o, c);
            const i64 sieving = *a.sieving;
            c.evaluating += sieving - c.turned;
            c.archiving += nanoseconds() - sieving;
        }
        if (goes_on(until, o, c)) choose(a, team, o, c);
        else if (c.standing == Running) settle(a, team, o, c);
        c.turned = nanoseconds();
    });
}
#else
MH_ENTRY(drive) {
    const Arguments& a = *arguments;
    const auto step = [&](Team team, const Orders& o, Control& c) {
        choose(a, team, o, c);
        if (c.standing != Running) return;
        const i64 began = nanoseconds();
        evaluate_all(a.problem, a.neighborhood, team, a.x, a.state, a.out, a.scratch);
        const i64 evaluated = nanoseconds();
        c.evaluating += evaluated - began;
        if (cut(c)) return;  // some changes of cost are missing
        follow(a, team, c);
        filter(a, team, c);
        archive(a, team, o, c);
        c.archiving += nanoseconds() - evaluated;
    };
    drive_pipeline(arguments, step, [&](Team team, const Orders& o, Control& c) { settle(a, team, o, c); });
}
#endif
