struct MixedPerturbation : MixedPerturbationData {
    static constexpr u32 choosing = 0xFFFFFFFEu;
    static constexpr i64 count = Perturbations::count;

    MH_FN void record(Team team, Total delta, bool accepted, bool returned) {
        learn(team, delta < 0 ? 2 : accepted && !returned ? 1 : 0);
        perturbations(chosen, [&](auto& each) { record_phase(each, team, delta, accepted, returned); });
    }

    MH_FN void learn(Team team, int result) { choice.record(team, chosen, count, result); }

    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) {
        chosen = choice.choose(count, walk.random(perturbation_stream).words(choosing));
        i64 evaluated = 0;
        perturbations(chosen, [&](auto& each) { evaluated = each.perturb(walk, make); });
        return evaluated;
    }
};
