// A move as numbers, so that Python can compare it.
template <class M> MH_FN void write_numbers(const M& move, int* numbers) {
    static_assert(sizeof(M) % sizeof(int) == 0, "a move is made of ints");
    const int* words = reinterpret_cast<const int*>(&move);
    for (int f = 0; f < int(sizeof(M) / sizeof(int)); ++f) numbers[f] = words[f];
}

// the move that a move stands for; nothing is written if it is infeasible
template <class N, class M> MH_FN void write_move(const N& neighborhood, M move, int* numbers) {
    resolve(neighborhood, move, [=](const auto&, auto leaf) { write_numbers(leaf, numbers); });
}

// one thread makes the move with an index in x
template <class N> MH_FN void make_move(const N& neighborhood, i64 index, Item* x) {
    resolve(neighborhood, neighborhood.unrank(index),
            [=](const auto& inner, auto leaf) { inner.apply(one_team().alone(), x, leaf); });
}
