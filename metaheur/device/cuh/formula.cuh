// A probe: compiles where the problem's half says what the moves of a neighborhood cost, as far as a define asks.
#ifdef MH_NEEDS_DELTA
static_assert(Does<Problem, Neighborhood>::delta || Does<Problem, Neighborhood>::groups, "no delta");
#endif
#ifdef MH_NEEDS_COST
static_assert(HasCost<Problem, int>::value, "no cost");
#endif

MH_ENTRY(nothing) {}
