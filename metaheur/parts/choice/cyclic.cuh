struct Cyclic : CyclicData {
    MH_FN i64 next(Team, PhaseEnd end, Random) {
        failed = end.failed(failed);
        return failed < end.count ? end.behind() : -1;
    }
};
