struct AdaptiveMoves : AdaptiveMovesData {
    MH_FN void init(Walk&) { count = least; }

    MH_FN void record(Team, Total delta, bool, bool returned) {
        if (returned) count = count < most ? count + 1 : most;
        else if (delta < 0) count = least;
    }

    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) const {
        return random_moves(walk, neighborhood, count, walk.random(perturbation_stream), make);
    }
};
