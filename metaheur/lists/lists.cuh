// x[k] is what follows item k, or the head k of a list; the last item of a list is followed by the head.
struct Lists : ListsData {
    MH_FN void draw(Team team, Item* x, Random random) const {
        team.for_each(n, [=](i64 k) { x[k] = Item(k); });
        team.sync();
        if (team.rank == 0) {
            for (i64 i = 0; i < items; ++i) {
                const i64 place = random.integer(u32(i), 0, i + lists - 1);
                put_behind(x, i, place < i ? place : place - i + items);
            }
            if (optional) take_out(x, random);
        }
        team.sync();
    }

    MH_FN static void put_behind(Item* x, i64 item, i64 place) {
        x[item] = x[place];
        x[place] = Item(item);
    }

    // leaves out some items, so that all arrangements stay as likely
    MH_FN void take_out(Item* x, Random random) const {
        const i64 bits = random.bits(u32(2 * items));
        i64 left = 0, met = 0;
        while (chances(left) <= bits) ++left;
        for (i64 head = items; head < n; ++head) {
            for (i64 at = head; x[at] != head; ++met) {
                const Item item = x[at];
                if (random.integer(u32(items + met), 0, items - met - 1) < left) {
                    x[at] = x[item];
                    x[item] = item;
                    --left;
                } else {
                    at = item;
                }
            }
        }
    }
};
