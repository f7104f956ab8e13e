struct BitFlips : BitFlipsData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) const {
        const Random random = walk.random(perturbation_stream);
        const Team team = walk.team;
        team.sync();
        team.for_each((n + 3) / 4, [=](i64 counter) {  // the words of a counter are those of four bits
            const Words drawn = random.words(u32(counter));
            for (int w = 0; w < 4 && 4 * counter + w < n; ++w) chosen(4 * counter + w) = i64(drawn.word[w]) < share;
        });
        prepare_neighborhood(neighborhood, team, walk.x);
        team.sync();
        i64 count = 0;
        for (i64 k = 0; k < n; ++k) {
            if (!chosen(k)) continue;
            const auto m = neighborhood.unrank(k);
            make(neighborhood, m, walk.delta(neighborhood, m));
            ++count;
        }
        return count;
    }
};
