struct SimulatedBinary : SimulatedBinaryData {
    MH_FN void cross(Team team, Item* x, const Item* other, Random random) const {
        const double share = probability * 2147483648.0, exponent = 1.0 / (spread + 1.0);
        const auto values = domains;
        team.for_each(n, [=](i64 k) {
            const Words words = random.words(u32(k));
            const u32 choice = words.word[0];
            if (!(double(choice & 0x7FFFFFFFu) < share)) return;
            const double u = fraction(words.word[1]);
            const double beta = u <= 0.5 ? real_power(2.0 * u, exponent) : real_power(1.0 / (2.0 - 2.0 * u), exponent);
            const double own = double(x[k]), guest = double(other[k]);
            const double middle = 0.5 * (own + guest), half = 0.5 * (guest - own);
            const double value = choice >> 31 ? middle + beta * half : middle - beta * half;
            x[k] = rebounded(value, i64(x[k]), i64(values(k)) - 1);
        });
    }
};
