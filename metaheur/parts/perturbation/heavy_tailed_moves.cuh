struct HeavyTailedMoves : HeavyTailedMovesData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) const {
        const Random random = walk.random(perturbation_stream);
        const i64 last = ends.size - 1, at = random.index(u32(most), ends(last));
        const i64 moves = 1 + first_of(last, [&](i64 k) { return ends(k) > at; });
        return random_moves(walk, neighborhood, moves, random, make);
    }
};
