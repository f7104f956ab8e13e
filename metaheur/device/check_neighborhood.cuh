// What a neighborhood's C++ half says, written down for comparison with the Python half.
struct Arguments {
    Problem problem;
    Neighborhood neighborhood;
    Problem::State state;
    const i64* indices;
    i64 count;
    i64 width;     // of a row of `fields`
    i64* sizes;    // the number of moves: of the neighborhood, and of all its groups
    int* fields;   // of each move
    i64* ranks;    // the index of each unranked move; of each visited one, if its group says so
    Item* x;       // a solution, then one for each index
    int* touched;  // for each of the neighborhood's moves, how often around() names it; -1 if there is no around()
};
static_assert(sizeof(Arguments) == MH_ARGUMENTS, "Python and C++ disagree about the arguments");

template <class M> MH_FN void write_move(const M& move, int* fields) {
    static_assert(sizeof(M) % sizeof(int) == 0, "a move is made of ints");
    const int* words = reinterpret_cast<const int*>(&move);
    for (int f = 0; f < int(sizeof(M) / sizeof(int)); ++f) fields[f] = words[f];
}

// which, and the move that is meant
template <class A, class B> MH_FN void write_move(const UnionMove<A, B>& move, int* fields) {
    fields[0] = move.which;
    if (move.which) write_move(move.second, fields + 1);
    else write_move(move.first, fields + 1);
}

// -1 for all groups where one does not begin behind the one before
MH_ENTRY(measure) {
    const auto& neighborhood = arguments->neighborhood;
    if (one_team().rank) return;
    i64 total = 0;
    for (i64 g = 0, groups = neighborhood.groups(); g < groups && total >= 0; ++g)
        total = neighborhood.first(g) == total ? total + neighborhood.length(g) : -1;
    arguments->sizes[0] = neighborhood.size();
    arguments->sizes[1] = total;
}

MH_ENTRY(unrank) {
    const Arguments& a = *arguments;
    prepare_neighborhood(a.neighborhood, one_team(), a.x);
    one_team().sync();
    one_team().for_each(a.count, [&](i64 k) {
        Move move = a.neighborhood.unrank(a.indices[k]);
        write_move(move, a.fields + k * a.width);
        a.ranks[k] = a.neighborhood.index(move);
        Item* moved = a.x + (k + 1) * a.problem.n;
        for (int p = 0; p < a.problem.n; ++p) moved[p] = a.x[p];
        a.neighborhood.apply(one_team().alone(), moved, move);
    });
}

// every move by its group, as a team visits them; `indices` is not read
MH_ENTRY(visit) {
    const Arguments& a = *arguments;
    one_team().visit(a.neighborhood, [&](i64 k, Move move) {
        write_move(move, a.fields + k * a.width);
        const i64 group = a.neighborhood.group(move), first = a.neighborhood.first(group);
        a.ranks[k] = first <= k && k < first + a.neighborhood.length(group) ? k : -1;
    });
}

template <class N> MH_FN void count_around(const N& neighborhood, i64 k, int* touched) {
    if constexpr (has_around)
        one_team().around(neighborhood, neighborhood.unrank(k), [&](Team tile, i64 other, Move) {
            if (tile.rank == 0) touched[other] += 1;
        });
    else touched[0] = -1;
}

// the moves around the move with index `value`
MH_ENTRY(around) { count_around(arguments->neighborhood, value, arguments->touched); }
