struct Pipe : PipeData {
    MH_FN i64 next(Team, PhaseEnd end, Random) {
        failed = end.failed(failed);
        if (end.turn >= 0 && failed == 0) return end.turn;
        return failed < end.count ? end.behind() : -1;
    }
};
