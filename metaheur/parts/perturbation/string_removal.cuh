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
            const ItemString it = draw_string(random, draw, at - low, high - low, longest < more ? longest : more);
            for (int p = low; p < high; ++p) {
                const int k = p - low - it.begin;
                marked(p) = k < 0 || k >= it.width || k == it.stays ? touched : out;
            }
            more -= it.width - (it.stays >= 0);
        }
        const int stay = split(x);
        draw = draw_order(x + stay, n - stay, orders, random, draw);
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
};
