struct Shaking : ShakingData {
    static constexpr u32 choice = 0xFFFFFFFFu;

    MH_FN void record(Team, Total delta, bool, bool) { failed = delta < 0 ? 0 : (failed + 1) % highest; }

    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) const {
        const Random random = walk.random(perturbation_stream);
        const i64 level = draws ? random.integer(choice, 1, highest) : backward ? highest - failed : 1 + failed;
        i64 made = 0;
        neighborhoods((level < Neighborhoods::count ? level : Neighborhoods::count) - 1,
                      [&](const auto& moves) { made = random_moves(walk, moves, level, random, make); });
        return made;
    }
};
