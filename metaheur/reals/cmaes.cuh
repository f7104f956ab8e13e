// A normal distribution that adapts its mean, its width and its shape to the best of what it draws.
struct CMAES : CMAESData {
    static constexpr bool tabulates = false;
    static constexpr bool leaves_state = true;

    // The learning rates for so many effective parents.
    struct Rates {
        double wide, damping, path, one, many, expected;

        MH_FN Rates(double n, double parents) {
            wide = (parents + 2.0) / (n + parents + 5.0);
            const double ratio = (parents - 1.0) / (n + 1.0), root = sqrt(ratio > 0.0 ? ratio : 0.0) - 1.0;
            damping = 1.0 + 2.0 * (root > 0.0 ? root : 0.0) + wide;
            path = (4.0 + parents / n) / (n + 4.0 + 2.0 * parents / n);
            one = 2.0 / ((n + 1.3) * (n + 1.3) + parents);
            const double all = 2.0 * (parents - 1.75 + 1.0 / parents) / ((n + 2.0) * (n + 2.0) + parents);
            many = all < 1.0 - one ? all : 1.0 - one;
            expected = sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        }

        // the sum of the weights of the worse half, so small that the matrix stays positive definite
        MH_FN double negative(double n, double parents, double worse) const {
            const double first = 1.0 + one / many, second = 1.0 + 2.0 * worse / (parents + 2.0);
            const double third = (1.0 - one - many) / (n * many), least = second < first ? second : first;
            return third < least ? third : least;
        }
    };

    MH_FN void prepare(Walk&) const {}

    MH_FN void init(Walk& walk) {
        const auto ranges = most;
        const auto center = mean;
        const Item* x = walk.x;
        walk.team.for_each(n, [=](i64 k) { center(k) = double(x[k]) / ranges(k); });
        large = first_size;
        restart(walk.team, first_size, deviation);
    }

    // a round distribution around the mean
    MH_FN void restart(Team team, i64 size, double begins) {
        team.sync();
        const auto one = covariance;  // each in a memory of its own
        const auto other = basis;
        const auto lengths = axes;
        const auto a = path;
        const auto b = wide_path;
        const i64 length = n;
        team.for_each(length * length, [=](i64 k) {
            const double entry = k / length == k % length ? 1.0 : 0.0;
            one(int(k / length), int(k % length)) = entry;
            other(int(k / length), int(k % length)) = entry;
        });
        team.for_each(length, [=](i64 k) {
            lengths(k) = 1.0;
            a(k) = 0.0;
            b(k) = 0.0;
        });
        width = begins;
        decay = 1.0;
        born = 0;
        generation = 0;
        unfactored = 0;
        flat = 0;
        now = size;
        team.sync();
    }

    MH_FN Outcome step(Walk& walk) {
        walk.team.sync();
        if (drawn == 1) take_in(walk);
        drawn = 1;
        sample(walk);
        return with_cost(walk);
    }

    // the solution joins the generation, at its place unless another walk sent it; a whole one changes the distribution
    MH_FN void take_in(Walk& walk) {
        keep_at(walk, offspring, costs, born, n);
        const int row = int(i64(born));
        walk.team.for_each(n, [&](i64 i) {
            if (entry_at(places(row, int(i)), most(i)) != walk.x[i]) places(row, int(i)) = double(walk.x[i]) / most(i);
        });
        walk.team.sync();
        born = born + 1;
        if (born < now) return;
        put_in_order(walk.team, costs, order, now);
        choose(walk.team);
        adapt(walk.team);
        if (ends(walk.team)) begin_again(walk);
        born = 0;
    }

    // the children from the best one to the worst: by the share of better ones, and by how far they are beyond bounds
    MH_FN void choose(Team team) {
        const i64 size = now, length = n;
        const double wide = width;
        team.for_each(length, [&](i64 i) {
            double sum = 0.0;
            for (i64 j = 0; j < length; ++j) {
                const double part = basis(int(j), int(i)) * axes(j);
                sum = sum + part * part;
            }
            turned(i) = sum;
        });
        team.sync();
        team.for_each(size, [&](i64 s) {
            i64 better = 0;
            for (i64 t = 0; t < size; ++t) better += costs(t) < costs(s);
            double sum = 0.0;
            for (i64 i = 0; i < length; ++i) {
                const double place = places(int(s), int(i));
                const double far = place < 0.0 ? place : place > 1.0 ? place - 1.0 : 0.0;
                const double share = far / wide;
                sum = sum + share * share / turned(i);
            }
            scores(s) = double(better) / double(size) + 0.5 * sum / double(length);
        });
        team.sync();
        put_in_order(team, scores, chosen, size);
    }

    // moves, widens and turns the distribution
    MH_FN void adapt(Team team) {
        const i64 size = now, half = size / 2, length = n;
        const double begins = width;
        double total = 0.0, squares = 0.0;
        const double top = real_log(0.5 * double(size + 1));
        team.for_each(size, [&](i64 k) { weights(k) = top - real_log(double(k + 1)); });
        team.sync();
        for (i64 k = 0; k < half; ++k) {
            const double each = weights(k);
            total = total + each;
            squares = squares + each * each;
        }
        const double parents = total * total / squares;
        const Rates rates(double(length), parents);
        double lost = 0.0, apart = 0.0;
        for (i64 k = half; k < size; ++k) {
            const double each = weights(k);
            lost = lost - each;
            apart = apart + each * each;
        }
        const double all_worse = rates.negative(double(length), parents, lost * lost / apart);
        team.sync();
        team.for_each(size, [&](i64 k) { weights(k) = k < half ? weights(k) / total : all_worse * weights(k) / lost; });
        team.for_each(size * length, [&](i64 k) {
            const i64 s = k / length, i = k % length;
            steps(int(s), int(i)) = (places(int(chosen(s)), int(i)) - mean(i)) / begins;
        });
        team.sync();
        team.for_each(length, [&](i64 i) {
            double sum = 0.0;
            for (i64 s = 0; s < half; ++s) sum = sum + weights(s) * steps(int(s), int(i));
            step_of_mean(i) = sum;
        });
        team.sync();
        team.for_each(size * length, [&](i64 k) {
            const int s = int(k / length), j = int(k % length);
            double sum = 0.0;
            for (i64 i = 0; i < length; ++i) sum = sum + steps(s, int(i)) * basis(j, int(i));
            along(s, j) = sum;
        });
        team.sync();
        team.for_each(length, [&](i64 j) {
            double sum = 0.0;
            for (i64 s = 0; s < half; ++s) sum = sum + weights(s) * along(int(s), int(j));
            turned(j) = sum / axes(j);
        });
        team.sync();
        const double wider = sqrt(rates.wide * (2.0 - rates.wide) * parents);
        team.for_each(length, [&](i64 i) {
            double sum = 0.0;
            for (i64 j = 0; j < length; ++j) sum = sum + basis(int(j), int(i)) * turned(j);
            wide_path(i) = (1.0 - rates.wide) * wide_path(i) + wider * sum;
        });
        team.sync();
        double norm = 0.0;
        for (i64 i = 0; i < length; ++i) norm = norm + wide_path(i) * wide_path(i);
        norm = sqrt(norm);
        decay = double(decay) * ((1.0 - rates.wide) * (1.0 - rates.wide));
        const bool steady = norm / sqrt(1.0 - double(decay)) / rates.expected < 1.4 + 2.0 / (double(length) + 1.0);
        const double longer = sqrt(rates.path * (2.0 - rates.path) * parents);
        team.for_each(length, [&](i64 i) {
            path(i) = (1.0 - rates.path) * path(i);
            if (steady) path(i) = path(i) + longer * step_of_mean(i);
        });
        double whole = 0.0;
        for (i64 s = 0; s < size; ++s) whole = whole + weights(s);
        team.sync();
        team.for_each(length, [&](i64 j) {
            double sum = 0.0;
            for (i64 i = 0; i < length; ++i) sum = sum + basis(int(j), int(i)) * path(i);
            turned(j) = sum;
        });
        shorten(team, half, size);
        double left = 1.0 - rates.one - rates.many * whole;
        if (!steady) left = left + rates.one * rates.path * (2.0 - rates.path);
        team.for_each(length * length, [&](i64 k) {
            const int i = int(k / length), j = int(k % length);
            double sum = 0.0;
            for (i64 s = 0; s < size; ++s) sum = sum + weights(s) * (along(int(s), i) * along(int(s), j));
            covariance(i, j) = (left * covariance(i, j) + rates.one * (turned(i) * turned(j))) + rates.many * sum;
        });
        team.for_each(length, [&](i64 i) { mean(i) = mean(i) + begins * step_of_mean(i); });
        const double change = rates.wide / rates.damping * (norm / rates.expected - 1.0);
        width = begins * real_exp(change < 1.0 ? change : 1.0);
        generation = generation + 1;
        unfactored = unfactored + 1;
        const double pause = 1.0 / ((rates.one + rates.many) * double(length) * 10.0);
        team.sync();
        if (unfactored >= i64(floor(pause > 1.0 ? pause : 1.0))) {
            unfactored = 0;
            factorise(team);
        }
    }

    // the weights of the worse steps become as if each had the expected length along the axes
    MH_FN void shorten(Team team, i64 half, i64 size) {
        const i64 length = n;
        team.for_each(size - half, [&](i64 k) {
            const i64 s = half + k;
            double square = 0.0;
            for (i64 j = 0; j < length; ++j) {
                const double part = along(int(s), int(j)) / axes(j);
                square = square + part * part;
            }
            weights(s) = square > 0.0 ? weights(s) * double(length) / square : 0.0;
        });
        team.sync();
    }

    // turns the axes until the matrix of covariances along them is nearly diagonal, by Jacobi's method
    MH_FN void factorise(Team team) {
        for (int sweep = 0; sweep < 30; ++sweep) {
            bool turns = false;
            for (int round = 0; round < covariance.rows - 1; ++round) turns = turn(team, round) || turns;
            if (!turns) break;
        }
        team.for_each(n, [&](i64 i) {
            const double square = covariance(int(i), int(i));
            axes(i) = sqrt(square > 1e-300 ? square : 1e-300);
        });
        team.sync();
    }

    // the axes of a pair in a round: each meets each other one once, as teams of a tournament do
    MH_FN void pair_of(int round, int pair, int& p, int& q) const {
        const int last = covariance.rows - 1;
        p = round + pair < last ? round + pair : round + pair - last;
        q = pair == 0 ? last : round < pair ? round - pair + last : round - pair;
    }

    // turns the pairs of axes of a round whose covariance is not negligible; whether there were any
    MH_FN bool turn(Team team, int round) {
        const int half = covariance.rows / 2, length = int(n);
        team.for_each(half, [&](i64 pair) { set_angle(round, int(pair)); });
        team.sync();
        bool any = false;
        for (int pair = 0; pair < half; ++pair) {
            const double sine = sines(pair), cosine = cosines(pair);
            if (sine == 0.0) continue;
            any = true;
            int p, q;
            pair_of(round, pair, p, q);
            team.for_each(length, [&](i64 k) {
                const double a = basis(p, int(k)), b = basis(q, int(k));
                basis(p, int(k)) = cosine * a - sine * b;
                basis(q, int(k)) = sine * a + cosine * b;
            });
        }
        for (int one = 0; any && one < half; ++one)
            team.for_each(half - 1 - one, [&](i64 k) { turn_both(round, one, one + 1 + int(k)); });
        team.sync();
        return any;
    }

    // the angle that makes the covariance of a pair 0
    MH_FN void set_angle(int round, int pair) {
        int p, q;
        pair_of(round, pair, p, q);
        const double own = covariance(p, p), other = covariance(q, q), between = covariance(p, q);
        sines(pair) = 0.0;
        cosines(pair) = 1.0;
        if (!(between * between > 1e-6 * (own * other))) return;
        const double gap = other - own, both = 2.0 * between, root = sqrt(gap * gap + both * both);
        const double tangent = gap < 0.0 ? both / (gap - root) : both / (gap + root);
        const double cosine = 1.0 / sqrt(tangent * tangent + 1.0);
        sines(pair) = tangent * cosine;
        cosines(pair) = cosine;
        covariance(p, p) = own - tangent * between;
        covariance(q, q) = other + tangent * between;
        covariance(p, q) = 0.0;
        covariance(q, p) = 0.0;
    }

    // the covariances of two pairs, when both turn
    MH_FN void turn_both(int round, int one, int other) {
        const double sine = sines(one), cosine = cosines(one), s = sines(other), c = cosines(other);
        if (sine == 0.0 && s == 0.0) return;
        int p, q, u, v;
        pair_of(round, one, p, q);
        pair_of(round, other, u, v);
        const double a = covariance(p, u), b = covariance(p, v), d = covariance(q, u), e = covariance(q, v);
        const double pu = cosine * a - sine * d, pv = cosine * b - sine * e;
        const double qu = sine * a + cosine * d, qv = sine * b + cosine * e;
        covariance(u, p) = covariance(p, u) = c * pu - s * pv;
        covariance(v, p) = covariance(p, v) = s * pu + c * pv;
        covariance(u, q) = covariance(q, u) = c * qu - s * qv;
        covariance(v, q) = covariance(q, v) = s * qu + c * qv;
    }

    // whether a run can gain no more
    MH_FN bool ends(Team team) {
        const i64 size = now, length = n, rows = history.size, at = generation;
        const double best = double(costs(order(0)));
        const bool level = costs(order(size / 4)) == costs(order(0));
        if (team.rank == 0) history((at - 1) % rows) = best;
        team.sync();
        flat = level ? flat + 1 : 0;
        const i64 window = 10 + (30 * length + size - 1) / size;
        double low = best, high = best;
        for (i64 back = 0; back < (window < at ? window : at); ++back) {
            const double each = history((at - 1 - back) % rows);
            low = each < low ? each : low;
            high = each > high ? each : high;
        }
        double longest = axes(0), shortest = axes(0);
        for (i64 k = 0; k < length; ++k) {
            const double axis = axes(k);
            longest = axis > longest ? axis : longest;
            shortest = axis < shortest ? axis : shortest;
        }
        bool fine = true;
        for (i64 k = 0; k < length; ++k) fine = fine && double(width) * longest * most(k) < 0.1;
        const double last = 100.0 + 50.0 * (double(length) + 3.0) * (double(length) + 3.0) / sqrt(double(size));
        team.sync();
        return fine || flat >= 10 || (at >= window && high - low <= 1e-12) || longest > 1e7 * shortest ||
               double(at) >= last || (narrow == 1 && 2 * at * size >= spent_large);
    }

    // the next run: with a larger generation, or a small one and a narrow distribution
    MH_FN void begin_again(Walk& walk) {
        const Random random = walk.random(restart_stream);
        const i64 spent = generation * now;
        if (runs > 0) {
            if (narrow == 1) spent_small = spent_small + spent;
            else spent_large = spent_large + spent;
        }
        runs = runs + 1;
        i64 size = first_size;
        double begins = deviation;
        narrow = spent_small < spent_large ? 1 : 0;
        if (narrow == 1) {
            const double chance = fraction(random.bits(u32(n)));
            const double share = 0.5 * double(i64(large)) / double(first_size);
            const i64 some = i64(floor(double(first_size) * real_power(share, chance * chance)));
            size = some > first_size ? some : first_size;
            begins = deviation * real_power(10.0, -2.0 * fraction(random.bits(u32(n + 1))));
        } else {
            size = 2 * large < largest ? 2 * large : i64(largest);
            large = size;
        }
        walk.team.for_each(n, [&](i64 k) { mean(k) = fraction(random.bits(u32(k))); });
        restart(walk.team, size, begins);
    }

    // a solution of the distribution, in whole numbers within bounds; its place, which may be beyond them, is kept
    MH_FN void sample(Walk& walk) {
        const Random random = walk.random(perturbation_stream);
        const i64 length = n;
        const double wide = width;
        const int row = int(i64(born));
        Item* x = walk.x;
        walk.team.for_each(length, [&](i64 j) { turned(j) = axes(j) * normal(random, u32(j)); });
        walk.team.sync();
        walk.team.for_each(length, [&](i64 i) {
            double sum = 0.0;
            for (i64 j = 0; j < length; ++j) sum = sum + basis(int(j), int(i)) * turned(j);
            const double place = mean(i) + wide * sum;
            places(row, int(i)) = place;
            x[i] = entry_at(place, most(i));
        });
    }
};
