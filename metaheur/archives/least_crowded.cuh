// Chooses the members with the largest crowding distances, the oldest among equals.
struct LeastCrowded : LeastCrowdedData {
    template <class Front>
    MH_FN i64 choose(Team team, const Front& front, i64 free, i64* out, double* work, Random) const {
        team.for_each(front.count, [=](i64 i) { work[i] = -crowding_distance(front.costs, front.count, i); });
        team.sync();
        return take_lowest(team, work, free, count, out);
    }
};
