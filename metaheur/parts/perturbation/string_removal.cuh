// The items that are taken out are stored behind the partial permutation, in the same array.
struct StringRemoval : StringRemovalData {
    enum : unsigned char { whole, touched, out };  // of an item: is its part whole, was a string taken next to it

    template <class Make> MH_FN i64 perturb(Walk& walk, Make) const {
        const Team team = walk.team;
        const Random random = walk.random(perturbation_stream);
        auto positions = places;
        auto marked = marks;
        const Item* x = walk.x;
        team.for_each(n, [=](i64 k) {
            positions(x[k]) = int(k);
            marked(k) = whole;
        });
        team.sync();
        if (team.rank == 0) take(walk.x, random);
        team.sync();
        const int left = taken(0);
        u32 draw = u32(taken(1));
        i64 evaluated = 0;
        for (int length = left; length < n; ++length) {
            insertions_of(walk.problem, team, walk.x, length, walk.state, costs.data);
            team.sync();
            overlook(team, length, random.bits(draw++));
            const Cost* all = costs.data;
            const EvaluatedMove best = lowest(team, length + 1, [=](i64 k) { return all[k]; });
            walk.cost = best.delta;
            rotate(team, walk.x, length, int(best.index));
            team.sync();
            evaluated += length + 1;
        }
        return evaluated;
    }

    // some places, not the last one, have no cost
    MH_FN void overlook(Team team, int length, u32 bits) const {
        const u64 seen = u64(blinks * 4294967296.0);
        auto all = costs;
        team.for_each(length, [=](i64 k) {
            if (u32(2 * k + 1) * bits < seen) all(k) = Never<Cost>::value;
        });
        team.sync();
    }

    // Takes strings out, by one thread: writes to `taken` how many items stay, and the next draw.
    MH_FN void take(Item* x, Random random) const {
        auto marked = marks;
        u32 draw = 0;
        const int items = candidates.rows, first = int(random.integer(draw++, 0, items - 1));
        i64 wanted = random.integer(draw++, 1, 2 * average - 1);
        int more = int(wanted < items - 1 ? wanted : items - 1);
        for (int k = -1; k < candidates.columns && more; ++k) {
            const int at = places(k < 0 ? first : candidates(first, k));
            if (marked(at) != whole) continue;
            int low = at, high = at + 1;
            while (low > 0 && x[low - 1] < items) --low;
            while (high < n && x[high] < items) ++high;
            i64 most = longest < more ? longest : more;
            if (most > high - low) most = high - low;
            const int length = int(random.integer(draw++, 1, most));
            const bool stays = random.integer(draw++, 0, 1) == 1 && 1 < length && length < high - low;
            const int width = length + stays;
            const int begin = int(random.integer(draw++, at - width + 1 > low ? at - width + 1 : low,
                                                 at < high - width ? at : high - width));
            const int inner = int(random.integer(draw++, begin + 1, begin + (width > 3 ? width - 2 : 1)));
            for (int p = low; p < high; ++p)
                marked(p) = p < begin || p >= begin + width || (stays && p == inner) ? touched : out;
            more -= length;
        }
        draw = order(x, split(x), random, draw);
        auto told = taken;
        told(1) = int(draw);
    }

    // the items that stay, then those that are out; returns how many stay
    MH_FN int split(Item* x) const {
        auto behind = places;
        int stay = 0, gone = 0;
        for (int p = 0; p < n; ++p) {
            const Item item = x[p];
            if (marks(p) == out) behind(gone++) = int(item);
            else x[stay++] = item;
        }
        for (int k = 0; k < gone; ++k) x[stay + k] = Item(behind(k));
        auto told = taken;
        told(0) = stay;
        return stay;
    }

    // shuffles the items that are out, and sorts them by an order; returns the next draw
    MH_FN u32 order(Item* x, int stay, Random random, u32 draw) const {
        Item* back = x + stay;
        const int gone = n - stay;
        for (int last = gone - 1; last > 0; --last) {
            const int other = int(random.integer(draw++, 0, last));
            const Item item = back[last];
            back[last] = back[other];
            back[other] = item;
        }
        const int row = int(random.integer(draw++, 0, orders.rows - 1));
        for (int k = 1; k < gone; ++k) {
            const Item item = back[k];
            const int key = int(orders(row, item));
            int at = k;
            for (; at > 0 && int(orders(row, back[at - 1])) > key; --at) back[at] = back[at - 1];
            back[at] = item;
        }
        return draw;
    }
};
