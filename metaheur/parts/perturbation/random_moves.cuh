struct RandomMoves : RandomMovesData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) const {
        return random_moves(walk, neighborhood, count, walk.random(perturbation_stream), make, tries);
    }
};
