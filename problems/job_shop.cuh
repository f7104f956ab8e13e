// Entry k of x is a job: its next operation is put at the end of its job and of its machine.
struct JobShop : JobShopData {
    MH_FN Total makespan(const Item* x) const {
        Total job[jobs], machine[machines];
        int done[jobs];
        for (int j = 0; j < jobs; ++j) {
            job[j] = 0;
            done[j] = 0;
        }
        for (int m = 0; m < machines; ++m) machine[m] = 0;
        Total last = 0;
        for (int k = 0; k < n; ++k) {
            const int j = x[k], step = done[j]++, m = int(order(j, step));
            const Total begin = job[j] > machine[m] ? job[j] : machine[m];
            const Total end = begin + Total(times(j, step));
            job[j] = machine[m] = end;
            last = end > last ? end : last;
        }
        return last;
    }

    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(1, [&](int) { return makespan(x); });
    }
};
