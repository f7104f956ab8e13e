// Random numbers of continuous distributions, as in deviates.py.
#ifndef MH_DEVIATES
#define MH_DEVIATES

constexpr double pi = 3.141592653589793;

MH_FN double fraction(u32 word) { return (double(word) + 0.5) * 0x1p-32; }

MH_FN double normal(const Random& random, u32 draw) {
    const Words words = random.words(draw);
    return sqrt(-2.0 * real_log(fraction(words.word[0]))) * real_cos(2.0 * pi * fraction(words.word[1]));
}

MH_FN double cauchy(const Random& random, u32 draw) {
    const double angle = pi * (fraction(random.bits(draw)) - 0.5);
    return real_sin(angle) / real_cos(angle);
}

// the k-th number that is none of some excluded ones, which become sorted
template <int count> MH_FN i64 besides(i64 k, i64 (&excluded)[count]) {
    for (int a = 1; a < count; ++a)
        for (int b = a; b > 0 && excluded[b - 1] > excluded[b]; --b) {
            const i64 other = excluded[b];
            excluded[b] = excluded[b - 1];
            excluded[b - 1] = other;
        }
    for (int a = 0; a < count; ++a) k += k >= excluded[a];
    return k;
}

// an entry that is brought back between its bounds: half the way from where it was to the bound that it passed
MH_FN Item rebounded(double value, i64 from, i64 most) {
    const double nearest = floor(value + 0.5);
    if (!(nearest >= 0.0)) return Item(from / 2);
    if (nearest > double(most)) return Item((from + most) / 2);
    return Item(i64(nearest));
}

#endif
