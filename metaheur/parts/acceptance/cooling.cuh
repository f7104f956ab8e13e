struct Cooling : CoolingData {
    MH_FN void init(Walk&) {
        level = top = first;
        pace = 1;
    }

    MH_FN void record(bool yes) {
        accepted = accepted + yes;
        waited = waited + 1;
        if (waited < pace) return;
        waited = 0;
        sampled = sampled + 1;
        const double next = schedule.next(level, sampled, pace > 1 ? accepted / pace : accepted);
        if (next == level) return;
        level = next;
        sampled = 0;
        idle = accepted ? 0 : idle + 1;
        accepted = 0;
        if (rises < reheats && schedule.over(level, idle)) rise();
    }

    MH_FN void rise() {
        top = top * share;
        level = top;
        idle = 0;
        rises = rises + 1;
        pace = pace * stretch;
    }

    MH_FN bool over() const { return schedule.over(level, idle); }
};
