// Whole neighborhoods and a tabu search written by hand for one core: the baselines of test_neighborhoods.py.
#include <math.h>

#include <algorithm>
#include <vector>

typedef long long i64;
#define ENTRY(name) extern "C" __attribute__((visibility("default"))) void name(const void* job, i64 rounds)

struct Tour {
    i64 n;
    const float *x, *y;  // in the order of the tour, the first city again behind the last
    float* rough;        // changes of length, not rounded
    int* exact;          // changes of length, each edge rounded
};

static inline float distance(float x, float y) { return sqrtf(x * x + y * y); }

// TSPLIB's EUC_2D of whole coordinates below 2^14: the rounded float root is corrected by whole numbers
static inline int rounded(float x, float y) {
    int dx = int(x), dy = int(y), square = dx * dx + dy * dy;
    int root = int(sqrtf(float(square)) + 0.49f);
    return root + (square > root * root + root);
}

template <class Length, class Measure> static void two_opt(const Tour& t, Length* out, Measure measure) {
    const float *x = t.x, *y = t.y;
    std::vector<Length> edges(t.n);
    for (i64 k = 0; k < t.n; ++k) edges[k] = measure(x[k] - x[k + 1], y[k] - y[k + 1]);
    const Length* edge = edges.data();
    for (int i = 1; i < t.n - 1; ++i) {
        const float ax = x[i - 1], ay = y[i - 1], bx = x[i], by = y[i];
        const Length own = edge[i - 1];
        const int end = int(t.n) - (i == 1);
#pragma GCC ivdep
        for (int j = i + 1; j < end; ++j)
            out[j - i - 1] = measure(ax - x[j], ay - y[j]) + measure(bx - x[j + 1], by - y[j + 1]) - own - edge[j];
        out += end - i - 1;
    }
}

ENTRY(two_opt_rough) {
    const Tour& t = *static_cast<const Tour*>(job);
    for (i64 r = 0; r < rounds; ++r) two_opt(t, t.rough, distance);
}

ENTRY(two_opt_exact) {
    const Tour& t = *static_cast<const Tour*>(job);
    for (i64 r = 0; r < rounds; ++r) two_opt(t, t.exact, rounded);
}

struct Shop {
    i64 n, m;
    const int *times, *x;  // times by job and machine
    int* out;              // the makespan with the job at each position of x at each other place
};

// Taillard 1990: heads, tails, and a pass over all places, for every job taken out
ENTRY(insertion) {
    const Shop& s = *static_cast<const Shop*>(job);
    const int n = int(s.n), m = int(s.m);
    std::vector<int> heads((n + 1) * m), tails((n + 1) * m), others(n - 1);
    for (i64 r = 0; r < rounds; ++r) {
        for (int i = 0; i < n; ++i) {
            for (int p = 0; p < n - 1; ++p) others[p] = s.x[p < i ? p : p + 1];
            std::fill(heads.begin(), heads.begin() + m, 0);
            std::fill(tails.begin() + (n - 1) * m, tails.begin() + n * m, 0);
            for (int p = 0; p < n - 1; ++p) {
                const int* time = s.times + others[p] * m;
                int done = 0;
                for (int k = 0; k < m; ++k) heads[(p + 1) * m + k] = done = std::max(done, heads[p * m + k]) + time[k];
            }
            for (int p = n - 2; p >= 0; --p) {
                const int* time = s.times + others[p] * m;
                int done = 0;
                for (int k = m - 1; k >= 0; --k)
                    tails[p * m + k] = done = std::max(done, tails[(p + 1) * m + k]) + time[k];
            }
            const int* own = s.times + s.x[i] * m;
            for (int p = 0; p < n; ++p) {
                int done = 0, makespan = 0;
                for (int k = 0; k < m; ++k) {
                    done = std::max(done, heads[p * m + k]) + own[k];
                    makespan = std::max(makespan, done + tails[p * m + k]);
                }
                s.out[i * n + p] = makespan;
            }
        }
    }
}

struct Binary {
    i64 n, low, high;     // tenures are low ... high
    const int* coupling;  // Q + Q' off the diagonal, Q on it
    unsigned char* x;
    i64 cost, best;
};

// one-flip tabu search with all changes of cost kept; the best that is free or better than ever
ENTRY(one_flip) {
    Binary& b = *static_cast<Binary*>(const_cast<void*>(job));
    const int n = int(b.n);
    std::vector<int> flip(n), until(n, 0);
    for (int i = 0; i < n; ++i) {
        int sum = b.coupling[i64(i) * n + i];
        for (int k = 0; k < n; ++k)
            if (k != i && b.x[k]) sum += b.coupling[i64(i) * n + k];
        flip[i] = b.x[i] ? -sum : sum;
    }
    unsigned state = 1;
    for (int r = 1; r <= rounds; ++r) {
        const int reach = int(b.best - b.cost);
        int low = 2147483647;
        for (int k = 0; k < n; ++k) {
            const int score = until[k] < r || flip[k] < reach ? flip[k] : 2147483647;
            low = score < low ? score : low;
        }
        if (low == 2147483647) continue;
        int i = 0;
        while (!((until[i] < r || flip[i] < reach) && flip[i] == low)) ++i;
        const int* row = b.coupling + i64(i) * n;
        const int sign = b.x[i] ? -1 : 1;
        const int own = flip[i];
        b.cost += own;
        for (int k = 0; k < n; ++k) flip[k] += row[k] * (sign * (1 - 2 * int(b.x[k])));
        flip[i] = -own;
        b.x[i] ^= 1;
        b.best = std::min(b.best, b.cost);
        state = state * 1664525u + 1013904223u;
        until[i] = r + int(b.low + (state >> 8) % unsigned(b.high - b.low + 1));
    }
}
