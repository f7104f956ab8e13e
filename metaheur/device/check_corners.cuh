// What a neighborhood's C++ half says of some indices, however large it is.
struct Arguments {
    Problem problem;
    Neighborhood neighborhood;
    Problem::State state;
    const i64* indices;
    i64 count;
    i64 width;     // of a row of `fields` and `grouped`
    int* fields;   // of the move with each index
    int* grouped;  // of the same move, as its group numbers it
    i64* ranks;    // the index of each move
    i64* firsts;   // of the move's group the first index
    i64* ends;     // and the one behind the last
    i64* sizes;    // the number of moves
};
static_assert(sizeof(Arguments) == MH_ARGUMENTS, "Python and C++ disagree about the arguments");

template <class M> MH_FN void write_move(const M& move, int* fields) {
    static_assert(sizeof(M) % sizeof(int) == 0, "a move is made of ints");
    const int* words = reinterpret_cast<const int*>(&move);
    for (int f = 0; f < int(sizeof(M) / sizeof(int)); ++f) fields[f] = words[f];
}

MH_ENTRY(corners) {
    const Arguments& a = *arguments;
    const auto& n = a.neighborhood;
    if (one_team().rank == 0) a.sizes[0] = n.size();
    one_team().for_each(a.count, [&](i64 k) {
        const i64 index = a.indices[k];
        const Move move = n.unrank(index);
        const i64 group = n.group(move), first = n.first(group);
        write_move(move, a.fields + k * a.width);
        write_move(n.move(group, int(index - first)), a.grouped + k * a.width);
        a.ranks[k] = n.index(move);
        a.firsts[k] = first;
        a.ends[k] = first + n.length(group);
    });
}
