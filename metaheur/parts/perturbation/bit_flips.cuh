struct BitFlips : BitFlipsData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) const {
        const Random random = walk.random(perturbation_stream);
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
        i64 count = 0;
        for (i64 k = gap(random, 0); k < n; k += 1 + gap(random, count)) {
            try_move(walk, neighborhood, neighborhood.unrank(k), make);
            ++count;
        }
        return count;
    }

    // how many bits do not flip before the next one that does
    MH_FN i64 gap(Random random, i64 draw) const {
        const i64 at = random.index(u32(draw), i64(1) << 62);
        return first_of(n, [&](i64 bits) { return tails(bits) <= at; });
    }
};
