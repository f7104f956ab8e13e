struct StepCounting : StepCountingData {
    MH_FN void init(Walk& walk) { bound = present = walk.cost; }

    MH_FN bool accepts(Total delta, Total current, Total, u32) const { return delta <= 0 || current + delta < bound; }

    MH_FN bool is_step(bool accepted, Total cost) const {
        if (counts == 0) return true;
        return accepted && (counts == 1 || (counts == 2 ? cost <= present : cost < present));
    }

    MH_FN void record(Team, bool accepted, Total cost, Total) {
        steps = steps + is_step(accepted, cost);
        present = cost;
        if (steps < limit) return;
        bound = cost;
        steps = 0;
    }
};
