// A probe: compiles only if the problem's half has the formulas for a neighborhood's moves that a define asks for.
#ifdef MH_NEEDS_DELTA
static_assert(Does<Problem, Neighborhood>::delta || Does<Problem, Neighborhood>::groups, "no delta");
#endif
#ifdef MH_NEEDS_COST
static_assert(HasCost<Problem, int>::value, "no cost");
#endif

MH_ENTRY(nothing) {}
