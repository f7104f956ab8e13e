struct DiversifiedLateAcceptance : DiversifiedLateAcceptanceData {
    MH_FN void init(Walk& walk) {
        const Total cost = walk.cost;
        walk.team.for_each(length, [&](i64 k) { history(k) = cost; });
        highest = present = cost;
    }

    MH_FN bool accepts(Total delta, Total current, Total, u32) const { return delta == 0 || current + delta < highest; }

    MH_FN void record(Team team, bool, Total cost, Total) {
        const Total oldest = history(place);
        team.sync();  // all threads have read the cost that is replaced
        if (cost > oldest || (cost < oldest && cost < present)) {
            if (team.rank == 0) history(place) = cost;
            team.sync();
            if (cost >= highest) highest = cost;
            else if (oldest == highest) find_highest();
        }
        present = cost;
        place = place + 1 == length ? 0 : place + 1;
    }

    MH_FN void find_highest() {
        highest = history(0);
        for (i64 k = 1; k < length; ++k)
            if (history(k) > highest) highest = history(k);
    }
};
