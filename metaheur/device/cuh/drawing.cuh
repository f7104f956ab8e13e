MH_DETECT(Draws, declval<const P&>().draw(MH_TEAM, static_cast<M*>(nullptr), declval<Random>()))

// What representations and parts draw, by all threads of a team; the twins of functions in Python.

// a value of 0 ... values - 1 an entry: entry k by draw k
template <class T> MH_FN void draw_values(Team team, T* x, i64 n, i64 values, Random random) {
    team.for_each(n, [=](i64 k) { x[k] = T(random.integer(u32(k), 0, values - 1)); });
    team.sync();
}

// shuffles n entries by Fisher and Yates: `Random.permutation` of their places
template <class T> MH_FN void shuffle(Team team, T* x, i64 n, Random random) {
    team.sync();
    if (team.rank == 0) {
        for (i64 i = n - 1; i > 0; --i) {
            const i64 j = random.integer(u32(i), 0, i);
            const T item = x[i];
            x[i] = x[j];
            x[j] = item;
        }
    }
    team.sync();
}

// a permutation of 0 ... n - 1 by Fisher and Yates' shuffle: `Random.permutation`
template <class T> MH_FN void draw_permutation(Team team, T* x, i64 n, Random random) {
    team.for_each(n, [=](i64 k) { x[k] = T(k); });
    shuffle(team, x, n, random);
}
