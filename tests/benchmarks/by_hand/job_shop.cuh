struct JobShop : JobShopData {
    MH_FN Total cost(Team, const Item* x) const {
        int done[32], ready[32], free[32], last = 0;  // of at most 32 jobs and machines
        for (int job = 0; job < times.rows; ++job) done[job] = ready[job] = 0;
        for (int machine = 0; machine < times.columns; ++machine) free[machine] = 0;
        for (int p = 0; p < n; ++p) {
            const int job = x[p] / times.columns, machine = machines(job, done[job]);
            const int begin = ready[job] > free[machine] ? ready[job] : free[machine];
            ready[job] = free[machine] = begin + int(times(job, done[job]));
            if (ready[job] > last) last = ready[job];
            ++done[job];
        }
        return last;
    }
};
