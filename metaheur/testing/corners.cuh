// Calls a neighborhood's C++ half for some indices; the neighborhood may have any size.

MH_ENTRY(measure) {
    if (one_team().rank) return;
    arguments->sizes[0] = arguments->neighborhood.size();
    arguments->sizes[1] = arguments->neighborhood.groups();
}

MH_ENTRY(corners) {
    const Arguments& a = *arguments;
    const auto& n = a.neighborhood;
    one_team().for_each(a.count, [&](i64 k) {
        const i64 index = a.indices[k];
        const auto move = n.unrank(index);
        const i64 group = n.group(move), first = n.first(group);
        write_move(n, move, a.fields + k * a.width);
        write_move(n, n.move(group, int(index - first)), a.grouped + k * a.width);
        a.ranks[k] = n.index(move);
        a.groups[k] = group;
        a.firsts[k] = first;
        a.ends[k] = first + n.length(group);
    });
}

// makes some of the moves, each in a copy of a solution
MH_ENTRY(make) {
    const Arguments& a = *arguments;
    one_team().for_each(a.made, [&](i64 k) { make_move(a.neighborhood, a.few[k], a.x + k * a.problem.n); });
}
