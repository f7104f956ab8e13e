struct InOrder : InOrderData {
    MH_FN i64 next(Team, PhaseEnd end, Random) const { return cycles || end.turn + 1 < end.count ? end.behind() : -1; }
};
