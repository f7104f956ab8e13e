// Two searches as textbooks have them, in plain C++: rivals for `choice.py`. Time is the processor time of the process.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <numeric>
#include <random>
#include <vector>

namespace {

using std::vector;

double used() { return double(std::clock()) / CLOCKS_PER_SEC; }

// A flow shop: makespans of a sequence with one job more, at each of its places (Taillard 1990).
struct Shop {
    int n, m;
    const int* times;
    vector<int> heads, tails;

    Shop(int n, int m, const int* times) : n(n), m(m), times(times), heads((n + 2) * m), tails((n + 2) * m) {}

    // the first among the best places; its makespan in `least`
    int place(const vector<int>& sequence, int job, int& least) {
        const int length = int(sequence.size());
        std::fill_n(heads.begin(), m, 0);
        std::fill_n(tails.begin() + length * m, m, 0);
        for (int p = 0; p < length; ++p)
            for (int k = 0, done = 0; k < m; ++k)
                heads[(p + 1) * m + k] = done = std::max(done, heads[p * m + k]) + times[sequence[p] * m + k];
        for (int p = length - 1; p >= 0; --p)
            for (int k = m - 1, left = 0; k >= 0; --k)
                tails[p * m + k] = left = std::max(left, tails[(p + 1) * m + k]) + times[sequence[p] * m + k];
        int best = 0;
        least = INT32_MAX;
        for (int p = 0; p <= length; ++p) {
            int makespan = 0;
            for (int k = 0, done = 0; k < m; ++k) {
                done = std::max(done, heads[p * m + k]) + times[job * m + k];
                makespan = std::max(makespan, done + tails[p * m + k]);
            }
            if (makespan < least) {
                least = makespan;
                best = p;
            }
        }
        return best;
    }
};

}  // namespace

extern "C" {

// Iterated greedy of Ruiz and Stützle 2007: four jobs, temperature 0.4. Returns the best makespan.
int64_t iterated_greedy(int n, int m, const int* times, double seconds, uint64_t seed) {
    const double end = used() + seconds;
    std::mt19937_64 random(seed);
    Shop shop(n, m, times);
    const auto total = [&](int job) { return std::accumulate(times + job * m, times + job * m + m, 0); };
    vector<int> order(n), x;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return total(a) > total(b); });
    int cost = 0;
    for (int job : order) x.insert(x.begin() + shop.place(x, job, cost), job);
    const auto descend = [&](vector<int>& y, int& makespan) {
        for (bool better = true; better && used() < end;) {
            better = false;
            std::shuffle(order.begin(), order.end(), random);
            for (int job : order) {
                const auto at = std::find(y.begin(), y.end(), job);
                const int from = int(at - y.begin());
                y.erase(at);
                int least;
                const int to = shop.place(y, job, least);
                const bool improves = least < makespan;
                y.insert(y.begin() + (improves ? to : from), job);
                if (improves) makespan = least;
                better |= improves;
            }
        }
    };
    descend(x, cost);
    int best = cost;
    const double temperature = 0.4 * std::accumulate(times, times + n * m, 0.0) / (10.0 * n * m);
    std::uniform_real_distribution<double> uniform;
    for (vector<int> y; used() < end;) {
        y = x;
        vector<int> out;
        for (int k = 0; k < std::min(4, n - 1); ++k) {
            const int at = int(random() % y.size());
            out.push_back(y[at]);
            y.erase(y.begin() + at);
        }
        int made = 0;
        for (int job : out) y.insert(y.begin() + shop.place(y, job, made), job);
        descend(y, made);
        if (made < cost || uniform(random) <= std::exp(-(made - cost) / temperature)) {
            x = y;
            cost = made;
        }
        best = std::min(best, cost);
    }
    return best;
}

// TabuCol of Hertz and de Werra 1987, with the tenures of Galinier and Hao 1999. Returns the least conflicts; `took` is
// the time at which they were found, `steps` how many iterations were made.
int64_t tabu_coloring(int n, int k, int64_t edges, const int* ends, double seconds, uint64_t seed, double* took,
                      int64_t* steps) {
    const double begin = used();
    std::mt19937_64 random(seed);
    vector<vector<int>> near(n);
    for (int64_t e = 0; e < edges; ++e) {
        near[ends[2 * e]].push_back(ends[2 * e + 1]);
        near[ends[2 * e + 1]].push_back(ends[2 * e]);
    }
    vector<int> x(n), gamma(size_t(n) * k);
    vector<int64_t> until(size_t(n) * k);
    for (int& color : x) color = int(random() % k);
    for (int v = 0; v < n; ++v)
        for (int w : near[v]) ++gamma[size_t(v) * k + x[w]];
    int64_t cost = 0;
    for (int v = 0; v < n; ++v) cost += gamma[size_t(v) * k + x[v]];
    cost /= 2;
    int64_t best = cost, step = 0;
    *took = used() - begin;
    for (; best > 0 && (step % 64 || used() - begin < seconds); ++step) {
        int64_t least = INT64_MAX;
        int vertex = -1, color = 0, equal = 0;
        for (int v = 0; v < n; ++v) {
            const int* row = &gamma[size_t(v) * k];
            if (!row[x[v]]) continue;
            for (int c = 0; c < k; ++c) {
                const int64_t change = row[c] - row[x[v]];
                if (c == x[v] || change > least) continue;
                if (until[size_t(v) * k + c] > step && cost + change >= best) continue;
                equal = change < least ? 1 : equal + 1;
                if (random() % equal) continue;
                least = change, vertex = v, color = c;
            }
        }
        if (vertex < 0) continue;
        const int old = x[vertex];
        for (int w : near[vertex]) {
            --gamma[size_t(w) * k + old];
            ++gamma[size_t(w) * k + color];
        }
        x[vertex] = color;
        cost += least;
        until[size_t(vertex) * k + old] = step + 6 * cost / 10 + int64_t(random() % 10);
        if (cost < best) {
            best = cost;
            *took = used() - begin;
        }
    }
    *steps = step;
    return best;
}
}
