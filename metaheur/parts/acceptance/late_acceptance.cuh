struct LateAcceptance : LateAcceptanceData {
    MH_FN void init(Walk& walk) {
        const Total cost = walk.cost;
        walk.team.for_each(length, [&](i64 k) { history(k) = cost; });
    }

    MH_FN bool accepts(Total delta, Total current, Total, u32) const {
        return current + delta <= history(place) || (greedy && delta <= 0);
    }

    MH_FN void record(Team team, bool, Total cost, Total) {
        team.sync();  // other threads may still read the cost that is replaced
        if (team.rank == 0 && (!better_history || cost < history(place))) history(place) = cost;
        place = place + 1 == length ? 0 : place + 1;
    }
};
