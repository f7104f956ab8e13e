struct ProbabilityMatching : ProbabilityMatchingData {
    MH_FN i64 choose(i64 count, Words words) const {
        i64 total = 0;
        for (i64 k = 0; k < count; ++k) total += quality(k);
        if (double(words.word[0]) < explores * 0x1p32 || total == 0) return i64(u64(words.word[1]) * u64(count) >> 32);
        i64 left = scaled(words.word[2], words.word[3], total), chosen = 0;
        while (left >= quality(chosen)) left -= quality(chosen++);
        return chosen;
    }

    MH_FN void record(Team team, i64 chosen, i64, int result) {
        const i64 reward = result == 3 ? best : result == 2 ? better : result == 1 ? accepted : 0;
        team.sync();  // all threads have read the value that is written next
        if (team.rank == 0) quality(chosen) += (reward * 65536 >> recency) - (quality(chosen) >> recency);
        team.sync();
    }
};
