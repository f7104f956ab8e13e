struct Shuffled : ShuffledData {
    MH_FN void init(Walk& walk) {
        walk.team.for_each(count, [&](i64 k) { listed(k) = i32(k); });
        failed = 0;
    }

    MH_FN i64 next(Team team, PhaseEnd end, Random random) {
        if (end.improved) failed = 0;
        if (end.turn >= 0 && (end.done || !end.improved)) {  // the search failed, or has nothing left to improve
            i64 place = failed;
            while (listed(place) != end.turn) ++place;
            team.sync();
            if (team.rank == 0) {
                listed(place) = listed(failed);
                listed(failed) = i32(end.turn);
            }
            team.sync();
            failed = failed + 1 == count ? i64(0) : failed + 1;
            if (failed == 0) return -1;
        }
        return listed(random.integer(0, failed, count - 1));
    }
};
