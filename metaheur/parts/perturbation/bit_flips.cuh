struct BitFlips : BitFlipsData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) const {
        const Random random = walk.random(perturbation_stream);
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
        i64 count = 0;
        for (i64 k = gap(random, 0); k < n; k += 1 + gap(random, count)) {
            const auto m = neighborhood.unrank(k);
            make(neighborhood, m, walk.delta(neighborhood, m));
            ++count;
        }
        return count;
    }

    // how many bits do not flip before the next one that does
    MH_FN i64 gap(Random random, i64 draw) const {
        const i64 at = random.index(u32(draw), i64(1) << 62);
        i64 low = 0, high = n;  // the first number of bits whose tail is not above
        while (low < high) {
            const i64 middle = (low + high) / 2;
            if (tails(middle) > at) low = middle + 1;
            else high = middle;
        }
        return low;
    }
};
