// Writes the results of a neighborhood's C++ half, for comparison with the Python half.

MH_DETECT(HasPlacements, declval<const M&>().place(0) + declval<const M&>().value(MH_X, 0) + M::placements)

template <class M> MH_FN int placements_of() {
    if constexpr (HasPlacements<int, M>::value) return M::placements;
    else return -1;
}

// the positions that a move writes, each with its value
template <class M> MH_FN void write_placements(const M& move, const Item* x, int* written) {
    if constexpr (HasPlacements<int, M>::value) {
        for (int c = 0; c < M::placements; ++c) {
            written[2 * c] = move.place(c);
            written[2 * c + 1] = int(move.value(x, c));
        }
    }
}

// `sizes`: the number of moves; the sum of the lengths of all groups, -1 if a group does not follow the group before;
// and the number of placements of a move, -1 for none
MH_ENTRY(measure) {
    const auto& neighborhood = arguments->neighborhood;
    if (one_team().rank) return;
    i64 total = 0;
    for (i64 g = 0, groups = neighborhood.groups(); g < groups && total >= 0; ++g)
        total = neighborhood.first(g) == total ? total + neighborhood.length(g) : -1;
    arguments->sizes[0] = neighborhood.size();
    arguments->sizes[1] = total;
    arguments->sizes[2] = placements_of<Neighborhood::Move>();
}

// x holds a solution, then a copy of it for each index, in which the move with this index is made
MH_ENTRY(unrank) {
    const Arguments& a = *arguments;
    prepare_neighborhood(a.neighborhood, one_team(), a.x);
    one_team().sync();
    one_team().for_each(a.count, [&](i64 k) {
        const auto move = a.neighborhood.unrank(a.indices[k]);
        write_move_in(a.x, a.neighborhood, move, a.fields + k * a.width);
        a.ranks[k] = a.neighborhood.index(move);
        make_move(a.neighborhood, a.indices[k], a.x + (k + 1) * a.problem.n);
    });
}

MH_ENTRY(place) {
    const Arguments& a = *arguments;
    one_team().for_each(a.count, [&](i64 k) {
        write_placements(a.neighborhood.unrank(a.indices[k]), a.x, a.written + k * a.writes * 2);
    });
}

// all moves group by group, as a team visits them; `ranks` tells whether the group of a move holds its index
MH_ENTRY(visit) {
    const Arguments& a = *arguments;
    one_team().visit(a.neighborhood, [&](i64 k, auto move) {
        write_move_in(a.x, a.neighborhood, move, a.fields + k * a.width);
        const i64 group = a.neighborhood.group(move), first = a.neighborhood.first(group);
        a.ranks[k] = first <= k && k < first + a.neighborhood.length(group) ? k : -1;
    });
}

MH_FN void count_up(int* count) {
#ifdef __CUDACC__
    atomicAdd(count, 1);  // two tiles may count the same move at once, if it is named twice
#else
    ++*count;
#endif
}

// counts a move that a member has named with its index
template <class N, class M> MH_FN void count_named(const N& neighborhood, M move, i64 index, int* touched) {
    if (0 <= index && index < neighborhood.size() && neighborhood.index(move) == index) count_up(touched + index);
}

template <class N> MH_FN void count_around(const N& neighborhood, i64 k, int* touched) {
    typedef typename N::Move Move;
    if constexpr (HasAround<N, Move>::value) {
        const Move move = neighborhood.unrank(k);
#ifdef __CUDACC__
        one_team().around(neighborhood, move, [&](Team tile, i64 index, Move other) {
            if (tile.rank == 0) count_named(neighborhood, other, index, touched);
        });
#else
        for (i64 t = 0; t < neighborhood.touched(); ++t) {
            Move other;
            if (neighborhood.around(move, t, other))
                count_named(neighborhood, other, neighborhood.index(other), touched);
        }
#endif
    } else touched[0] = -1;
}

template <class N> MH_FN void count_touch(const N& neighborhood, i64 k, int* touched) {
    typedef typename N::Move Move;
    if constexpr (HasTouch<N, Move>::value) {
        if (one_team().rank == 0)
            neighborhood.touch(neighborhood.unrank(k),
                               [&](i64 index, Move other) { count_named(neighborhood, other, index, touched); });
    } else touched[0] = -1;
}

// how often `around`, or `touch`, names each move for the move with index `value`; -1 if there is no such member
MH_ENTRY(around) { count_around(arguments->neighborhood, value, arguments->touched); }
MH_ENTRY(touch) { count_touch(arguments->neighborhood, value, arguments->touched); }
