// The entries of explorers: the same code on every device, except for explorers_host.cuh and explorers_cuda.cuh.

// a round: `value` threads of a CPU share the explorers; they report one by one, or by blocks of a GPU
MH_ENTRY(explore_all) {
    if (arguments->batch->plans && arguments->batch->progress->ended) return;
    explore_each(arguments, value, [](const Arguments& a, i64 e, Lanes lanes) {
        CurrentNode::Places places;
        Explorer explorer(a, e, &places);
        explorer.run(lanes);
        return explorer.report(lanes);
    });
}

// The report of a round, from the reports in `value` rows; and, if all groups are on this device, how many explorers
// exchange before the next round: explorers of the lowest ranks donate.
MH_ENTRY_OF(planners, report_all) {
    const Batch& b = *arguments->batch;
    Progress& progress = *b.progress;
    if (b.plans && progress.ended) return;
    Planners team;
    if constexpr (!counts_at_once) {
        for (i64 i = 0; i < b.groups * ranks_of(b); ++i) b.bins[i] = 0;
        for (i64 e = 0; e < b.count; ++e) count_rank(b, e, b.ranks[e], Lanes{});
    }
    RoundReport report = empty_report(b.threshold, b.count);
    for (i64 i = team.thread; i < value; i += team.threads) join(report, b.reports[i]);
    team.join_reports(report);
    if (team.thread == 0) {
        if (!b.plans) progress.rounds = 0;
        add(progress, report, steps_of(b));
        const i64 fewer = report.idle < report.donors ? report.idle : report.donors;
        progress.pairs = few * report.idle < b.count ? 0 : fewer;
        progress.shorter = 4 * (report.idle - progress.pairs) > b.count;
        progress.ended = report.idle == b.count || report.cost < b.threshold || report.faulty < b.count;
        progress.rank = 0;
    }
    team.meet();
    const i64 pairs = progress.pairs;
    find_rank(b, team, pairs);
    team.meet();
    allot_all(b, team, pairs);
}

// lists donors and receivers
MH_ENTRY_OF(planners, plan_all) {
    const Batch& b = *arguments->batch;
    each_group(b, [&](i64 g) { plan_group(b, g); });
}

// lets the pairs of a plan exchange, or `value` of the pairs
MH_ENTRY(exchange_all) {
    const Batch& b = *arguments->batch;
    if (b.plans && b.progress->ended) return;
    if (b.plans) Everywhere().each(b.groups * ranks_of(b), [&](i64 i) { b.bins[i] = 0; });  // for the round to come
    const i64 donor = b.plans ? 0 : b.donor, receiver = b.plans ? 0 : b.receiver;
    each_donor(b.plans ? b.progress->pairs : value, [&](i64 pair, bool first) {
        const i64 to = b.receivers[receiver + pair];
        const i32 count = steal(b, b.donors[donor + pair], b.stack + to * b.levels);
        if (first) b.height[to] = count;
    });
}

// writes the nodes that `value` donors send to explorers of another device, in any order, and the places of the nodes
MH_ENTRY(send_all) {
    const Batch& b = *arguments->batch;
    each_donor(value, [&](i64 i, bool first) {
        OpenNode* const stolen = b.scratch + i * most_stolen;
        const i32 count = steal(b, b.donors[b.donor + i], stolen);
        const i64 at = claim(b.sent, count, first);
        each_stolen(count, [&](i32 k) {
            move(b.transfer[at + k], stolen[k]);
            b.places[at + k] = i * most_stolen + k;
        });
    });
}

// idle explorers receive `value` nodes that were sent
MH_ENTRY(receive_all) {
    const Batch& b = *arguments->batch;
    Everywhere().each(value, [&](i64 i) {
        const i64 to = b.receivers[b.receiver + b.places[i] / most_stolen];
        b.stack[to * b.levels + b.places[i] % most_stolen] = b.transfer[i];
        increment(b.height + to);
    });
}

// adds the intervals left to the reports of the last round
MH_ENTRY(weigh_all) {
    const Batch& b = *arguments->batch;
    weigh_each(b, [&](i64 e, RoundReport& report) { weigh(b, e, report); });
}
