struct UniformCopies : UniformCopiesData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        Coins coins{random, rows};
        const i64 width = n / rows;
        for (i64 row = 0; row < rows; ++row) {
            if (!coins.at(row)) continue;
            const i64 first = row * width;
            team.for_each(width, [=](i64 k) { x[first + k] = other[first + k]; });
        }
    }
};
