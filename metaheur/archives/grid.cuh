// Removes the youngest member of the fullest cell, but never one with the smallest value of an objective.
struct Grid : GridData {
    // the cell of a value in an objective with a known smallest and largest value
    MH_FN i64 cell(double value, double low, double high) const {
        const double spread = high > low ? high - low : 1.0;
        const i64 cell = i64((value - low) / spread * double(divisions));
        return cell < divisions ? cell : divisions - 1;
    }

    template <class Costs> MH_FN i64 worst(Team team, Costs costs, i64 count, double* work) const {
        constexpr int K = sizeof(Cost) / sizeof(Number);
        double low[K], high[K];
        i64 first[K];
        for (int k = 0; k < K; ++k) {
            Number least = costs(0)[k], most = least;
            first[k] = 0;
            for (i64 i = 1; i < count; ++i) {
                const Number value = costs(i)[k];
                if (value < least) first[k] = i;
                least = value < least ? value : least;
                most = value > most ? value : most;
            }
            low[k] = double(least);
            high[k] = double(most);
        }
        team.for_each(count, [&](i64 i) {
            i64 crowd = 0;
            for (i64 j = 0; j < count; ++j) {
                bool same = true;
                for (int k = 0; k < K && same; ++k)
                    same = cell(double(costs(i)[k]), low[k], high[k]) == cell(double(costs(j)[k]), low[k], high[k]);
                crowd += same;
            }
            for (int k = 0; k < K; ++k)
                if (first[k] == i) crowd = 0;
            work[i] = -double(crowd);
        });
        team.sync();
        return youngest_lowest(team, work, count);
    }
};
