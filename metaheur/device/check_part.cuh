// out[k] = part.MH_FUNCTION(first[k], ...), for comparison with the Python half.
struct Arguments {
    Problem problem;
    Neighborhood neighborhood;
    Part part;
    Problem::State state;
    const MH_ARGUMENT_0* first;
    const MH_ARGUMENT_1* second;
    MH_RESULT* out;
    i64 count;
};
static_assert(sizeof(Arguments) == MH_ARGUMENTS, "Python and C++ disagree about the arguments");

MH_ENTRY(check) {
    const Arguments& a = *arguments;
    one_team().for_each(a.count, [&](i64 k) {
#if MH_ARITY == 1
        a.out[k] = MH_RESULT(a.part.MH_FUNCTION(a.first[k]));
#else
        a.out[k] = MH_RESULT(a.part.MH_FUNCTION(a.first[k], a.second[k]));
#endif
    });
}
