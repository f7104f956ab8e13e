struct Annealed : AnnealedData {
    MH_FN void init(Walk& walk) {
        scale = 0.0;
        trials = 0;
        items = n;
        rung = walk.number % rungs;
    }

    MH_FN bool accepts(Total delta, Total, Total, u32 draw) const {
        if (delta <= 0) return true;
        const i64 left = trials < kicks ? kicks - trials : 0;
        const double level = scale * (double(left) / double(kicks));
        return double(delta) <= level * exponential(draw, logarithms, ln2);
    }

    MH_FN void record(Team, bool, Total cost, Total) {
        if (scale == 0.0) {
            const double first = start * (1.0 - double(rung) / double(rungs));
            scale = first * ((cost < 0 ? -double(cost) : double(cost)) / double(items));
        } else {
            trials = trials + 1;
        }
    }
};
