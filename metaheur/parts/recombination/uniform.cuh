struct Uniform : UniformData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        Coins coins{random};
        for (i64 word = team.rank; 32 * word < n; word += team.size) {
            const u32 chosen = coins.word(word);
            const i64 first = 32 * word, count = n - first < 32 ? n - first : 32;
            for (i64 k = 0; k < count; ++k) x[first + k] = chosen >> k & 1 ? other[first + k] : x[first + k];
        }
    }
};
