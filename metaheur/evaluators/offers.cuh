// The ways in which the problem evaluates the moves of the neighborhood.
typedef Does<Problem, Neighborhood> Offers;

MH_ENTRY(capabilities) {
    arguments->answer[0] = HasCost<Problem, int>::value * offers_cost + Offers::delta * offers_delta +
                           Offers::update * offers_update + Offers::groups * offers_groups +
                           Offers::around * offers_around + Offers::runs * offers_runs;
}
