struct BackToFirst : BackToFirstData {
    MH_FN i64 next(Team, PhaseEnd end, Random) const {
        if (end.improved && (end.turn > 0 || !end.done)) return 0;
        return end.turn + 1 < end.count ? end.behind() : -1;
    }
};
