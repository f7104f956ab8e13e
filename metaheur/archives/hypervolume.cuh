// Removes the member that dominates least alone, the youngest among equals, but never one with the smallest value of an
// objective.
struct HypervolumeContribution : HypervolumeContributionData {
    static constexpr int K = sizeof(Cost) / sizeof(Number);

    template <class Costs> MH_FN i64 worst(Team team, Costs costs, i64 count, double* work) const {
        const auto orders = [=](i64 r) -> double& { return work[count + r]; };
        Alone<K, Costs, decltype(orders)> front{costs, count, orders, {}};
        i64 first[K];
        front.measure(first);
        front.sort(team);
        team.for_each(count, [&](i64 i) { work[i] = front.alone_or_end(i, first); });
        team.sync();
        return youngest_lowest(team, work, count);
    }
};
