// Two items are taken out from behind two places, and put behind two others.
struct PairsMove {
    int first_at, second_at, first_to, second_to;

    template <class T> MH_FN void apply(T team, Item* x) const {
        if (team.rank != 0) return;
        const int first = x[first_at], second = x[second_at];
        x[first_at] = x[first];
        x[second_at == first ? first_at : second_at] = x[second];
        put_behind(x, first, first_to);
        put_behind(x, second, second_to);
    }
    MH_FN static void put_behind(Item* x, int item, int place) {
        x[item] = x[place];
        x[place] = Item(item);
    }
    MH_FN PairsMove inverse() const { return {first_to, second_to, first_at, second_at}; }
};
