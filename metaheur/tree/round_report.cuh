// The report of one explorer, of some, or of all together on a round.

// the report before anything was done; a better solution costs less than `cost`
MH_FN RoundReport empty_report(i64 cost, i64 winner) {
    RoundReport report = {};
    report.lowest = report.faulty = no_cost;
    report.cost = cost;
    report.winner = winner;
    return report;
}

// adds the nodes that another report counts
MH_FN void count(RoundReport& sum, const RoundReport& other) {
    sum.branched += other.branched;
    sum.bounded += other.bounded;
    sum.complete += other.complete;
    sum.kept += other.kept;
    sum.by_bound += other.by_bound;
    sum.deepest = other.deepest > sum.deepest ? other.deepest : sum.deepest;
}

// adds another report; among equal solutions the first explorer's is the best
MH_FN void join(RoundReport& sum, const RoundReport& other) {
    count(sum, other);
    sum.waiting += other.waiting;
    sum.idle += other.idle;
    sum.donors += other.donors;
    sum.lowest = other.lowest < sum.lowest ? other.lowest : sum.lowest;
    sum.faulty = other.faulty < sum.faulty ? other.faulty : sum.faulty;
    if (other.cost < sum.cost || (other.cost == sum.cost && other.winner < sum.winner)) {
        sum.cost = other.cost;
        sum.winner = other.winner;
        sum.depth = other.depth;
    }
}

// adds a round, in which an explorer tried so many children, to the rounds of a call
MH_FN void add(Progress& progress, RoundReport round, i64 steps) {
    if (progress.rounds) count(round, progress.report);
    progress.report = round;
    ++progress.rounds;
    progress.steps += steps;
}
