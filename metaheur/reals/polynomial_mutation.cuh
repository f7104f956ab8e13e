struct PolynomialMutation : PolynomialMutationData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) const {
        const Random random = walk.random(perturbation_stream);
        const double share = rate < 0 ? 1.0 / double(n) : double(rate);
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
        i64 count = 0;
        for (int k = 0; k < n; ++k) {
            const int values = int(domains(k));
            const int shift = shift_of(random, k, i64(walk.x[k]), values, share);
            walk.team.sync();
            if (shift == 0) continue;
            try_move(walk, neighborhood, SubstitutionMove{k, shift, values}, make);
            ++count;
        }
        return count;
    }

    // by how much entry k changes, modulo the number of its values
    MH_FN int shift_of(const Random& random, int k, i64 entry, i64 values, double share) const {
        const Words words = random.words(u32(k));
        if (values < 2 || !(fraction(words.word[0]) < share)) return 0;
        const double u = fraction(words.word[1]), most = double(values - 1), one = spread + 1.0;
        double change;
        if (u < 0.5) {
            const double near = real_power(1.0 - double(entry) / most, one);
            change = real_power(2.0 * u + (1.0 - 2.0 * u) * near, 1.0 / one) - 1.0;
        } else {
            const double near = real_power(1.0 - (most - double(entry)) / most, one);
            change = 1.0 - real_power(2.0 * (1.0 - u) + 2.0 * (u - 0.5) * near, 1.0 / one);
        }
        const i64 moved = entry + i64(floor(change * most + 0.5));
        const i64 shift = (moved < 0 ? 0 : moved > values - 1 ? values - 1 : moved) - entry;
        return int(shift < 0 ? shift + values : shift);
    }
};
