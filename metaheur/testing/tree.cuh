// Calls the C++ halves of a tree for nodes of one depth, for comparison with the Python halves.
// the k-th children of `count` nodes; value: k
MH_ENTRY(branch) {
    const Arguments& a = *arguments;
    Everywhere().each(
        a.sizes[0], [&](i64 i) { a.exist[i] = a.tree.child(a.nodes[i], int(a.sizes[1]), int(value), a.children[i]); });
}

// the bounds of `count` nodes; value: whether their completions are computed, too
MH_ENTRY(bound) {
    const Arguments& a = *arguments;
    Everywhere().each(a.sizes[0], [&](i64 i) {
        a.lowers[i] = a.bound.lower(a.tree, a.nodes[i], int(a.sizes[1]));
#if MH_COMPLETES
        if (value) a.uppers[i] = a.bound.upper(a.tree, a.nodes[i], int(a.sizes[1]));
#endif
    });
}

// the bounds of the k-th children, computed from their fathers, if the bound looks ahead; value: k
MH_ENTRY(foresee) {
    const Arguments& a = *arguments;
    const int depth = int(a.sizes[1]), k = int(value);
    Everywhere().each(a.sizes[0], [&](i64 i) {
        i64 seen[ahead_at_once];
        for (i64& each : seen) each = a.bound.lower(a.tree, a.nodes[i], depth);
        a.exist[i] = look_ahead(a.bound, a.tree, a.nodes[i], depth, k, k + 1, no_cost, seen);
        if (a.exist[i]) a.lowers[i] = seen[0];
    });
}

// whether, according to the bound, the k-th children have the bounds of their fathers; value: k
MH_ENTRY(inherit) {
    const Arguments& a = *arguments;
    Everywhere().each(a.sizes[0],
                      [&](i64 i) { a.exist[i] = inherits(a.bound, a.tree, a.nodes[i], int(a.sizes[1]), int(value)); });
}

// the keys of `count` nodes, and whether each beats the next one
MH_ENTRY(compare) {
#if MH_DOMINANCE
    const Arguments& a = *arguments;
    const i64 count = a.sizes[0];
    Everywhere().each(count, [&](i64 i) {
        i64 key[2];
        a.dominance.key(a.tree, a.nodes[i], int(a.sizes[1]), key);
        a.keys[2 * i] = key[0];
        a.keys[2 * i + 1] = key[1];
        if (i + 1 < count) a.beats[i] = a.dominance.beats(a.tree, a.nodes[i], a.nodes[i + 1], int(a.sizes[1]));
    });
#endif
}
