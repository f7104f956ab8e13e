struct Uniform : UniformData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        Coins coins{random, n};
        for (i64 word = team.rank; 32 * word < n; word += team.size) {
            const u32 chosen = coins.word(word);
            const i64 first = 32 * word, left = n - first;
            team.alone().for_each(left < 32 ? left : 32,
                                  [=](i64 k) { x[first + k] = chosen >> k & 1 ? other[first + k] : x[first + k]; });
        }
    }
};
