struct MovingAverage : MovingAverageData {
    MH_FN void init(Walk& walk) {
        const Total cost = walk.cost;
        walk.team.for_each(length, [&](i64 k) { history(k) = cost; });
        mean = double(cost);
    }

    MH_FN bool accepts(Total delta, Total current, Total, u32) const { return double(current + delta) <= mean; }

    MH_FN void record(Team team, bool, Total cost, Total) {
        mean = mean + double(cost - history(place)) / double(length);
        team.sync();  // all threads have read the cost that is replaced
        if (team.rank == 0) history(place) = cost;
        place = place + 1 == length ? 0 : place + 1;
    }
};
