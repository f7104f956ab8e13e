// exp, log, sin, cos, tanh and power, operation by operation those of elementary.py.
#ifndef MH_ELEMENTARY
#define MH_ELEMENTARY

union RealBits {
    double value;
    u64 bits;
};

MH_FN double real_infinity() {
    RealBits found;
    found.bits = 0x7FF0000000000000ull;
    return found.value;
}
MH_FN double real_nan() {
    RealBits found;
    found.bits = 0x7FF8000000000000ull;
    return found.value;
}

// 2**k for -1022 <= k <= 1023
MH_FN double power_of_two(i64 k) {
    RealBits found;
    found.bits = u64(k + 1023) << 52;
    return found.value;
}

// c0 + z (c1 + z (c2 + ...)), by Horner's rule
MH_FN double real_polynomial(double, double c) { return c; }
template <class... More> MH_FN double real_polynomial(double z, double c, More... more) {
    return c + z * real_polynomial(z, more...);
}

MH_FN double real_exp(double x) {
    if (!(x < 709.782712893384)) return x != x ? x : real_infinity();
    if (x < -745.2) return 0.0;
    const i64 k = i64(floor(x * 1.44269504088896338700e00 + 0.5));
    const double high = x - double(k) * 6.93147180369123816490e-01;
    const double low = double(k) * 1.90821492927058770002e-10;
    const double r = high - low;
    const double rest = (high - r) - low;
    const double tail =
        real_polynomial(r, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0, 1.0 / 40320.0, 1.0 / 362880.0,
                        1.0 / 3628800.0, 1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0, 1.0 / 87178291200.0);
    const double y = 1.0 + (r + (r * r * (0.5 + r * tail) + rest));
    const i64 half = k >> 1;
    return y * power_of_two(half) * power_of_two(k - half);
}

// m and k with x = m 2**k, and m between sqrt(1/2) and sqrt(2)
struct SplitLogarithm {
    double m;
    i64 k;

    MH_FN explicit SplitLogarithm(double x) {
        const bool small = x < 2.2250738585072014e-308;
        RealBits found;
        found.value = small ? x * 18014398509481984.0 : x;  // 2**54
        k = i64(found.bits >> 52) - 1022 - (small ? 54 : 0);
        found.bits = (found.bits & 0x000FFFFFFFFFFFFFull) | 0x3FE0000000000000ull;
        m = found.value;
        if (m < 0.70710678118654752440) {
            m = m + m;
            k = k - 1;
        }
    }
};

MH_FN double real_log(double x) {
    if (!(x > 0.0)) return x == 0.0 ? -real_infinity() : real_nan();
    if (x == real_infinity()) return x;
    const SplitLogarithm split(x);
    const double k = double(split.k);
    const double f = split.m - 1.0;
    const double s = f / (2.0 + f);
    const double z = s * s;
    const double r = z * real_polynomial(z, 2.0 / 3.0, 2.0 / 5.0, 2.0 / 7.0, 2.0 / 9.0, 2.0 / 11.0, 2.0 / 13.0,
                                         2.0 / 15.0, 2.0 / 17.0, 2.0 / 19.0, 2.0 / 21.0, 2.0 / 23.0);
    const double h = 0.5 * f * f;
    return k * 6.93147180369123816490e-01 - ((h - (s * (h + r) + k * 1.90821492927058770002e-10)) - f);
}

// The quadrant of an angle, and what remains of it, as a sum of two doubles.
struct ReducedAngle {
    int quadrant;
    double y, rest;

    MH_FN explicit ReducedAngle(double x) {
        const i64 whole = i64(floor(x * 6.36619772367581382433e-01 + 0.5));
        const double n = double(whole);
        const double first = x - n * 1.57079632673412561417e00;
        const double second = n * 6.07710050630396597660e-11;
        const double r = first - second;
        const double left = n * 2.02226624879595063154e-21 - ((first - r) - second);
        quadrant = int(whole & 3);
        y = r - left;
        rest = (r - y) - left;
    }

    MH_FN double sine() const {
        const double z = y * y;
        const double v = z * y;
        const double r = real_polynomial(z, 1.0 / 120.0, 1.0 / -5040.0, 1.0 / 362880.0, 1.0 / -39916800.0,
                                         1.0 / 6227020800.0, 1.0 / -1307674368000.0, 1.0 / 355687428096000.0);
        return y - ((z * (0.5 * rest - v * r) - rest) - v * (1.0 / -6.0));
    }

    MH_FN double cosine() const {
        const double z = y * y;
        const double h = 0.5 * z;
        const double w = 1.0 - h;
        const double r = real_polynomial(z, 1.0 / 24.0, 1.0 / -720.0, 1.0 / 40320.0, 1.0 / -3628800.0,
                                         1.0 / 479001600.0, 1.0 / -87178291200.0, 1.0 / 20922789888000.0);
        return w + (((1.0 - w) - h) + (z * z * r - y * rest));
    }
};

MH_FN double real_sin(double x) {
    if (!(-1073741824.0 <= x && x <= 1073741824.0)) return real_nan();
    const ReducedAngle angle(x);
    const double value = angle.quadrant & 1 ? angle.cosine() : angle.sine();
    return angle.quadrant & 2 ? -value : value;
}

MH_FN double real_cos(double x) {
    if (!(-1073741824.0 <= x && x <= 1073741824.0)) return real_nan();
    const ReducedAngle angle(x);
    const double value = angle.quadrant & 1 ? angle.sine() : angle.cosine();
    return (angle.quadrant + 1) & 2 ? -value : value;
}

MH_FN double real_tanh(double x) {
    if (x != x) return x;
    const double a = x < 0.0 ? -x : x;
    double value = 1.0;
    if (a < 0.5) {
        const double t = a + a;
        const double tail =
            real_polynomial(t, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0, 1.0 / 40320.0,
                            1.0 / 362880.0, 1.0 / 3628800.0, 1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0,
                            1.0 / 87178291200.0, 1.0 / 1307674368000.0, 1.0 / 20922789888000.0, 1.0 / 355687428096000.0,
                            1.0 / 6402373705728000.0, 1.0 / 121645100408832000.0);
        const double e = t + t * t * (0.5 + t * tail);
        value = e / (e + 2.0);
    } else if (a < 22.0) {
        value = 1.0 - 2.0 / (real_exp(a + a) + 1.0);
    }
    return x < 0.0 ? -value : value;
}

// A sum of two doubles.
struct LongReal { double high, rest; };

MH_FN LongReal long_product(double a, double b) {
    const double p = a * b;
    double t = 134217729.0 * a;
    const double a_high = t - (t - a);
    const double a_low = a - a_high;
    t = 134217729.0 * b;
    const double b_high = t - (t - b);
    const double b_low = b - b_high;
    return {p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

MH_FN LongReal long_sum(double a, double b) {
    const double s = a + b;
    const double v = s - a;
    return {s, (a - (s - v)) + (b - v)};
}

MH_FN LongReal long_log(double x) {
    const SplitLogarithm split(x);
    const double k = double(split.k);
    const double f = split.m - 1.0;
    const LongReal d = long_sum(2.0, f);
    const double s = f / d.high;
    const LongReal p = long_product(s, d.high);
    const double s_rest = (((f - p.high) - p.rest) - s * d.rest) / d.high;
    LongReal z = long_product(s, s);
    z.rest = z.rest + (s + s) * s_rest;
    LongReal c = long_product(z.high, s);
    c.rest = c.rest + (z.high * s_rest + z.rest * s);
    LongReal t = long_product(c.high, 6.66666666666666629659e-01);
    t.rest = t.rest + (c.high * 3.70074341541718826e-17 + c.rest * 6.66666666666666629659e-01);
    const double tail =
        c.high * (z.high * real_polynomial(z.high, 2.0 / 5.0, 2.0 / 7.0, 2.0 / 9.0, 2.0 / 11.0, 2.0 / 13.0, 2.0 / 15.0,
                                           2.0 / 17.0, 2.0 / 19.0, 2.0 / 21.0, 2.0 / 23.0));
    LongReal sum = long_sum(s + s, t.high);
    sum.rest = sum.rest + ((s_rest + s_rest) + t.rest + tail);
    const LongReal total = long_sum(k * 6.93147180369123816490e-01, sum.high);
    return long_sum(total.high, total.rest + (sum.rest + k * 1.90821492927058770002e-10));
}

MH_FN double real_power(double x, double y) {
    if (y == 0.0 || x == 1.0) return 1.0;
    if (x != x || !(-1e300 < y && y < 1e300)) return real_nan();
    const double a = x < 0.0 ? -x : x;
    double sign = 1.0;
    if (x < 0.0) {
        if (y != floor(y)) return real_nan();
        const double half = 0.5 * y;
        sign = half == floor(half) ? 1.0 : -1.0;
    }
    if (a == 0.0) return sign * (y > 0.0 ? 0.0 : real_infinity());
    if (a == real_infinity()) return sign * (y > 0.0 ? real_infinity() : 0.0);
    const LongReal logarithm = long_log(a);
    const double about = y * logarithm.high;
    if (!(-800.0 < about && about < 800.0)) return sign * (about > 0.0 ? real_infinity() : 0.0);
    const LongReal p = long_product(y, logarithm.high);
    const double rest = p.rest + y * logarithm.rest;
    const double value = real_exp(p.high);
    return sign * (value == 0.0 || value == real_infinity() ? value : value + value * rest);
}

#endif
