// What a neighborhood's C++ half says, written down for comparison with the Python half.
struct Arguments {
    Problem problem;
    Neighborhood neighborhood;
    Problem::State state;
    const i64* indices;
    i64 count;
    int* fields;   // of each move
    i64* ranks;    // the index of each unranked move
    Item* x;       // a solution, then one for each index
    int* touched;  // for each of the neighborhood's moves, how often around() names it
};
static_assert(sizeof(Arguments) == MH_ARGUMENTS, "Python and C++ disagree about the arguments");
static_assert(sizeof(Move) % sizeof(int) == 0, "a move is made of ints");

static constexpr int move_fields = sizeof(Move) / sizeof(int);

MH_FN void write_move(const Move& move, int* fields) {
    const int* words = reinterpret_cast<const int*>(&move);
    for (int f = 0; f < move_fields; ++f) fields[f] = words[f];
}

MH_ENTRY(unrank) {
    const Arguments& a = *arguments;
    one_team().for_each(a.count, [&](i64 k) {
        Move move = a.neighborhood.unrank(a.indices[k]);
        write_move(move, a.fields + k * move_fields);
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
        write_move(move, a.fields + k * move_fields);
        a.ranks[k] = a.neighborhood.first(a.neighborhood.group(move)) <= k ? a.neighborhood.size() : -1;
    });
}

template <class N> MH_FN void count_around(const N& neighborhood, i64 k, int* touched) {
    if constexpr (has_around)
        one_team().around(neighborhood, neighborhood.unrank(k), [&](Team tile, i64 other, Move) {
            if (tile.rank == 0) touched[other] += 1;
        });
}

// the moves around the move with index `value`
MH_ENTRY(around) { count_around(arguments->neighborhood, value, arguments->touched); }
