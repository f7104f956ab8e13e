// Each iteration makes a child of a population.
struct Evolution : EvolutionData {
    static constexpr bool tabulates = false;
    static constexpr bool leaves_state = true;

    MH_FN void prepare(Walk&) const {}

    MH_FN Outcome step(Walk& walk) {
        const i64 evaluated = breeding.perturb(walk, 0);
        walk.team.sync();
        walk.moved = true;
        return {false, evaluated};
    }
};
