// Removes the member whose distances to the others, in ascending order, come first, the youngest among equals.
struct DistanceTruncation : DistanceTruncationData {
    template <class Costs> MH_FN i64 worst(Team team, Costs costs, i64 count, double* work) const {
        const ObjectiveRanges ranges = ranges_of(costs, count);
        const auto square = [&](i64 i, i64 j) { return ranges.square(costs(i), costs(j)); };
        const auto any = [](i64) { return true; };
        team.for_each(count, [&](i64 i) { work[i] = next_distance(square, any, count, i, -1.0).square; });
        team.sync();
        i64 worst = 0;
        for (i64 i = 1; i < count; ++i)
            if (work[i] < work[worst] || (work[i] == work[worst] && !nearer(square, any, count, worst, i))) worst = i;
        return worst;
    }
};
