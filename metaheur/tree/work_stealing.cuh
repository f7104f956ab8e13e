// Work stealing: idle explorers receive half of other intervals before a round. work_stealing.py has the rule.

// how many children an explorer tries in the round
MH_FN i64 steps_of(const Batch& b) {
    if (!b.plans || !b.progress->shorter) return b.steps;
    return b.steps < shorter_by ? 1 : b.steps / shorter_by;
}

// the groups of explorers, which first exchange among themselves; in memory they follow the progress
MH_FN Group* groups_of(const Batch& b) { return reinterpret_cast<Group*>(b.progress + 1); }

// the number of ranks: the last two are for idle explorers, and for explorers with one child
MH_FN i32 ranks_of(const Batch& b) { return i32(b.levels) * widest + 2; }

// counts an explorer in its group by its rank
MH_FN void count_rank(const Batch& b, i64 e, i32 rank, Lanes lanes) {
    i64 g = 0;
    while (e >= groups_of(b)[g].end) ++g;
    lanes.increment(b.bins + g * ranks_of(b) + rank);
}

// Whether an explorer is idle, or can donate; its interval ranks by the depth of its first node with children that
// wait, and by their number.
MH_FN void rank(const Batch& b, i64 e, Lanes lanes, RoundReport& report) {
    const OpenNode& bottom = b.stack[e * b.levels];
    const i32 height = b.height[e];
    const i64 first = height ? bottom.limit - bottom.cursor : 0, less = first < widest ? widest - first : 0;
    report.idle = height == 0;
    report.donors = height > 1 || first > 1;
    const i32 rank = i32(report.donors ? bottom.depth * widest + less : b.levels * widest + !report.idle);
    b.ranks[e] = rank;
    if constexpr (counts_at_once) count_rank(b, e, rank, lanes);
}

// adds how much of an explorer's interval is left to a report
MH_FN void weigh(const Batch& b, i64 e, RoundReport& report) {
    const OpenNode* const stack = b.stack + e * b.levels;
    const i32 height = b.height[e];
    double share = 0;
    for (i32 i = 0; i < height; ++i) {
        const i64 waiting = stack[i].limit - stack[i].cursor;
        report.waiting += waiting;
        share += double(waiting) * b.shares[stack[i].depth + 1];
        report.lowest = stack[i].lower < report.lowest ? stack[i].lower : report.lowest;
    }
    b.shares_left[e] = share;
}

// How many explorers of a group donate and receive. `donors` of the last rank that donates, and `receivers` of the idle
// explorers, are allotted to the groups, in proportion to the number that each group has.
MH_FN void allot(const Batch& b, i64 g, i64 donors, i64 receivers, Group& group) {
    const i64 columns = ranks_of(b), rank = b.progress->rank;
    const auto allotted = [&](i64 number, i64 column) {
        i64 before = 0, all = 0;
        for (i64 h = 0; h < b.groups; ++h) {
            const i64 most = b.bins[h * columns + column];
            all += most;
            before += h < g ? most : 0;
        }
        const i64 mine = b.bins[g * columns + column];
        return mine ? number * (before + mine) / all - number * before / all : 0;
    };
    const i64 donate = group.below + allotted(donors, rank), receive = allotted(receivers, columns - 2);
    group.own = donate < receive ? donate : receive;
    group.donated = donate - group.own;
    group.received = receive - group.own;
}

// finds the last rank that donates: fewer explorers have lower ranks than there are pairs
MH_FN void find_rank(const Batch& b, const Planners& team, i64 pairs) {
    const i64 columns = ranks_of(b), ranks = columns - 2, share = (ranks + team.threads - 1) / team.threads,
              first = team.thread * share < ranks ? team.thread * share : ranks,
              last = first + share < ranks ? first + share : ranks;
    const auto with_rank = [&](i64 r) {
        i64 count = 0;
        for (i64 g = 0; g < b.groups; ++g) count += b.bins[g * columns + r];
        return count;
    };
    i64 mine = 0;
    for (i64 r = first; r < last; ++r) mine += with_rank(r);
    i64 before = team.sum_before(i32(mine));
    if (before < pairs && before + mine >= pairs)
        for (i64 r = first; r < last && before < pairs; ++r) {
            before += with_rank(r);
            b.progress->rank = r;
        }
}

// computes how many explorers of each group exchange in `pairs` pairs
MH_FN void allot_all(const Batch& b, Planners& team, i64 pairs) {
    const i64 columns = ranks_of(b), rank = b.progress->rank;
    i64* const below = team.sums();
    for (i64 g = team.warp; g < b.groups; g += team.warps) {
        i64 sum = 0;
        for (i64 r = team.lane; r < rank; r += team.threads / team.warps) sum += b.bins[g * columns + r];
        sum = team.sum_of_warp(sum);
        if (team.lane == 0) below[g] = sum;
    }
    team.meet();
    i64 all_below = 0;
    for (i64 g = 0; g < b.groups; ++g) all_below += below[g];
    for (i64 g = team.thread; g < b.groups; g += team.threads) {
        Group group = groups_of(b)[g];
        group.own = group.donated = group.received = 0;
        group.below = below[g];
        if (pairs) allot(b, g, pairs - all_below, pairs, group);
        groups_of(b)[g] = group;
    }
}

// Lists the donors and the receivers of a group. In both lists the pairs within groups come first, group by group, then
// the pairs of different groups.
MH_FN void plan_group(const Batch& b, i64 g) {
    const Group* const groups = groups_of(b);
    const Group group = groups[g];
    const i32 idle = ranks_of(b) - 2, own = i32(group.own), donors = own + i32(group.donated),
              receivers = own + i32(group.received);
    if (donors == 0 && receivers == 0) return;
    i64 near = 0, donated = 0, received = 0;
    for (i64 h = 0; h < b.groups; ++h) {
        donated += groups[h].own;
        received += groups[h].own;
        if (h >= g) continue;
        near += groups[h].own;
        donated += groups[h].donated;
        received += groups[h].received;
    }
    const auto put = [&](i32* list, i32 i, i64 far, i64 e) { list[i < own ? near + i : far + i - own] = i32(e); };
    list_exchanges(b, group, i32(b.progress->rank), donors - i32(group.below), idle, receivers, [&](i32 i, i64 e) {
        put(b.donors, i, donated, e);
    }, [&](i32 i, i64 e) { put(b.receivers, i, received, e); });
}
