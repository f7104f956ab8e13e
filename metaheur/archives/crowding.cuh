// Removes the member with the smallest crowding distance, the youngest among equals.
struct Crowding : CrowdingData {
    template <class Costs> MH_FN i64 worst(Team team, Costs costs, i64 count, double* work) const {
        team.for_each(count, [=](i64 i) { work[i] = crowding_distance(costs, count, i); });
        team.sync();
        return youngest_lowest(team, work, count);
    }
};
