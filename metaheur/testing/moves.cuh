// A move as numbers, so that Python can compare it.
template <class M> MH_FN void write_numbers(const M& move, int* numbers) {
    static_assert(sizeof(M) % sizeof(int) == 0, "a move is made of ints");
    const int* words = reinterpret_cast<const int*>(&move);
    for (int f = 0; f < int(sizeof(M) / sizeof(int)); ++f) numbers[f] = words[f];
}

// the move that a move stands for, whether its neighborhood allows it in a solution or not
template <class N, class M> MH_FN void write_move(const N& neighborhood, M move, int* numbers) {
    resolve(neighborhood, move, [=](const auto&, auto leaf) { write_numbers(leaf, numbers); });
}

// the same in a solution; nothing is written if the move is infeasible
template <class N, class M> MH_FN void write_move_in(const Item* x, const N& neighborhood, M move, int* numbers) {
    resolve_in(x, neighborhood, move, [=](const auto&, auto leaf) { write_numbers(leaf, numbers); });
}

// one thread makes the move with an index in x
template <class N> MH_FN void make_move(const N& neighborhood, i64 index, Item* x) {
    resolve_in(x, neighborhood, neighborhood.unrank(index),
               [=](const auto& inner, auto leaf) { inner.apply(one_team().alone(), x, leaf); });
}
