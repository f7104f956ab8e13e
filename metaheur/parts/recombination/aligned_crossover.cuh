struct AlignedCrossover : AlignedCrossoverData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        team.for_each(n, [=](i64 k) { places(x[k]) = i32(k); });
        team.sync();
        if (team.rank == 0) align(x, other);
        team.sync();
        crossover.cross(team, x, other, random);
    }

    // an item comes to the position that it has in the other parent, if that is of the same kind
    MH_FN void align(Item* x, const Item* other) const {
        for (i64 k = 0; k < n; ++k) {
            const Item item = other[k];
            const i32 place = places(item);
            if (place == k || kinds(place) != kinds(k)) continue;
            places(x[k]) = place;
            x[place] = x[k];
            x[k] = item;
        }
    }
};
