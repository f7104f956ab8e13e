struct Turn {
    int i;

    template <class T> MH_FN void apply(T team, Item* x) const {
        if (team.rank) return;
        const Item item = x[i];
        x[i] = x[i + 1];
        x[i + 1] = x[i + 2];
        x[i + 2] = item;
    }
};
