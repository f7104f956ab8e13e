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

// A string of items in a list: the place where it begins, its width, and the place in it of an item that stays; -1 for
// none.
struct ItemString { int begin, width, stays; };

// a string of at most `most` items that leave, around the place `rank` of a list of `size` items
MH_FN ItemString draw_string(Random random, u32& draw, int rank, int size, i64 most) {
    const int length = int(random.integer(draw++, 1, most < size ? most : size));
    const bool stays = random.integer(draw++, 0, 1) == 1 && 1 < length && length < size;
    const int width = length + stays, low = rank - width + 1, high = size - width;
    const int begin = int(random.integer(draw++, low > 0 ? low : 0, rank < high ? rank : high));
    const int inner = int(random.integer(draw++, 1, width > 3 ? width - 2 : 1));
    return {begin, width, stays ? inner : -1};
}

// shuffles items, and sorts them by the numbers in a row of `orders`, which is drawn; returns the next draw
template <class T, class Orders>
MH_FN u32 draw_order(T* items, int count, const Orders& orders, Random random, u32 draw) {
    for (int last = count - 1; last > 0; --last) {
        const int other = int(random.integer(draw++, 0, last));
        const T item = items[last];
        items[last] = items[other];
        items[other] = item;
    }
    const int row = int(random.integer(draw++, 0, orders.rows - 1));
    for (int k = 1; k < count; ++k) {
        const T item = items[k];
        const int key = int(orders(row, item));
        int at = k;
        for (; at > 0 && int(orders(row, items[at - 1])) > key; --at) items[at] = items[at - 1];
        items[at] = item;
    }
    return draw;
}
