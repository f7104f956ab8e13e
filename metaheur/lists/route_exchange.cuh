// mine and theirs are the lists of items in both parents, -1 for none; given(k) is the own list that gives way to list
// k of the second parent, or -1, gone(k) whether the own list k gives way.
struct RouteExchange : RouteExchangeData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        if (team.rank) return;
        auto own_lists = mine, other_lists = theirs, for_lists = given, away = gone;
        note_lists(x, own_lists);
        note_lists(other, other_lists);
        int full = 0;
        for (int k = 0; k < lists(); ++k) {
            for_lists(k) = -1;
            away(k) = 0;
            full += !empty(other, k);
        }
        if (!full) return;
        i64 skipped = random.index(0, full);
        int taken = 0;
        while (empty(other, taken) || skipped-- > 0) ++taken;
        const i64 count = 1 + random.index(1, most);
        int found = 0;
        auto in_turn = turns;
        for (;;) {
            const int place = most_alike(other, taken);
            for_lists(taken) = place;
            away(place) = 1;
            in_turn(found++) = taken;
            note_lost();
            if (found == count || found == lists()) break;
            taken = with_most_lost(other);
            if (taken < 0) break;
        }
        take_out(x);
        for (int turn = 0; turn < found; ++turn) {
            const int k = int(in_turn(turn));
            int at = head(int(given(k)));
            for (int item = other[head(k)]; item < int(items); item = other[item]) at = put_behind(x, item, at);
        }
        for (int k = 0; k < lists(); ++k)
            if (given(k) < 0) put_back(x, other, k);
    }

    MH_FN int lists() const { return n - int(items); }
    MH_FN int head(int k) const { return int(items) + k; }
    MH_FN bool empty(const Item* x, int k) const { return x[head(k)] == Item(head(k)); }

    template <class V> MH_FN void note_lists(const Item* x, V where) const {
        for (i64 item = 0; item < items; ++item) where(item) = -1;
        for (int k = 0; k < lists(); ++k)
            for (int item = x[head(k)]; item < int(items); item = x[item]) where(item) = k;
    }
    MH_FN int most_alike(const Item* other, int taken) const {
        auto counts = common;
        for (int k = 0; k < lists(); ++k) counts(k) = gone(k) ? -1 : 0;
        for (int item = other[head(taken)]; item < int(items); item = other[item])
            if (mine(item) >= 0 && counts(mine(item)) >= 0) ++counts(mine(item));
        return largest();
    }
    MH_FN int largest() const {
        int best = 0;
        for (int k = 1; k < lists(); ++k)
            if (common(k) > common(best)) best = k;
        return best;
    }
    MH_FN void note_lost() const {
        auto out = lost;
        for (i64 item = 0; item < items; ++item)
            out(item) = mine(item) >= 0 && gone(mine(item)) && !(theirs(item) >= 0 && given(theirs(item)) >= 0);
    }
    MH_FN int with_most_lost(const Item* other) const {
        auto counts = common;
        for (int k = 0; k < lists(); ++k) counts(k) = 0;
        for (i64 item = 0; item < items; ++item)
            if (lost(item) && theirs(item) >= 0) ++counts(theirs(item));
        const int best = largest();
        return common(best) ? best : -1;
    }

    // the items of lists that give way, and those that come with another list, follow themselves
    MH_FN void take_out(Item* x) const {
        for (int k = 0; k < lists(); ++k) {
            for (int at = head(k);;) {
                const int item = x[at];
                if (item >= int(items)) break;
                if (gone(k) || (theirs(item) >= 0 && given(theirs(item)) >= 0)) {
                    x[at] = x[item];
                    x[item] = Item(item);
                } else {
                    at = item;
                }
            }
        }
    }
    MH_FN static int put_behind(Item* x, int item, int place) {
        x[item] = x[place];
        x[place] = Item(item);
        return item;
    }

    MH_FN void put_back(Item* x, const Item* other, int k) const {
        int before = -1;
        for (int item = other[head(k)]; item < int(items); item = other[item]) {
            if (lost(item)) put_behind(x, item, before >= 0 ? before : place_before(x, other, int(other[item])));
            if (x[item] != Item(item)) before = item;
        }
    }
    // the place before the first item from here on that is in a list; else the head of an empty list, or of the last
    MH_FN int place_before(const Item* x, const Item* other, int behind) const {
        while (behind < int(items) && x[behind] == Item(behind)) behind = other[behind];
        if (behind < int(items)) {
            int at = behind;
            while (x[at] != Item(behind)) at = x[at];
            return at;
        }
        for (int k = 0; k < lists(); ++k)
            if (empty(x, k)) return head(k);
        return n - 1;
    }
};
