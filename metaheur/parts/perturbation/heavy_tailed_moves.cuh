struct HeavyTailedMoves : HeavyTailedMovesData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) const {
        const Random random = walk.random(perturbation_stream);
        const i64 last = ends.size - 1, at = random.index(u32(most), ends(last));
        i64 low = 0, high = last;  // the first number of moves whose end is above
        while (low < high) {
            const i64 middle = (low + high) / 2;
            if (ends(middle) > at) high = middle;
            else low = middle + 1;
        }
        return random_moves(walk, neighborhood, low + 1, random, make);
    }
};
