// Paths that grow together. `beside` has the two neighbors of each city,
// -1 for none; `above` is a forest whose roots are the paths.
MH_FN i64 root(i32* above, i64 city) {
    while (above[city] != city) {
        above[city] = above[above[city]];
        city = above[city];
    }
    return city;
}

// the first `value` edges, one after the other: each is taken if it joins the ends of two paths, which together have no
// more than the capacity, if there are loads
MH_ENTRY(join) {
    const Arguments& a = *arguments;
    for (i64 e = 0; e < value; ++e) {
        const i64 p = a.edges[2 * e], q = a.edges[2 * e + 1];
        if (a.beside[2 * p + 1] >= 0 || a.beside[2 * q + 1] >= 0) continue;
        const i64 from = root(a.above, p), to = root(a.above, q);
        if (from == to || (a.loads && a.loads[from] + a.loads[to] > a.capacity)) continue;
        if (a.loads) a.loads[to] += a.loads[from];
        a.beside[2 * p + (a.beside[2 * p] >= 0)] = i32(q);
        a.beside[2 * q + (a.beside[2 * q] >= 0)] = i32(p);
        a.above[from] = i32(to);
        --*a.count;
    }
}

// the path of each city
MH_ENTRY(roots) {
    const Arguments& a = *arguments;
    for (i64 city = 0; city < a.n; ++city) a.above[city] = i32(root(a.above, city));
}

// the cities along the one path, from its end `value` on
MH_ENTRY(follow) {
    const Arguments& a = *arguments;
    i32 here = i32(value), before = -1;
    for (i64 k = 0; k < a.n; ++k) {
        a.tour[k] = here;
        const i32 next = a.beside[2 * i64(here)] != before || a.beside[2 * i64(here) + 1] < 0
                             ? a.beside[2 * i64(here)]
                             : a.beside[2 * i64(here) + 1];
        before = here;
        here = next;
    }
}
