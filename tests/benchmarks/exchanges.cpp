// Annealing of subsets of one size, as a textbook has it: one walk, gains kept beside it, the same arithmetic as
// MaximumDiversity with Interchange. Reads n, p, the temperature, seconds, and the distances; prints trials for each
// second of the processor, and the share of them that was accepted.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

int main() {
    int n, p;
    double temperature, seconds;
    if (std::scanf("%d %d %lf %lf", &n, &p, &temperature, &seconds) != 4) return 1;
    std::vector<int> distances(std::size_t(n) * n), x(n), gains(n, 0);
    for (int& each : distances)
        if (std::scanf("%d", &each) != 1) return 1;
    const auto row = [&](int v) { return &distances[std::size_t(v) * n]; };
    for (int k = 0; k < n; ++k) x[k] = k;  // the first p are the subset
    for (int v = 0; v < n; ++v)
        for (int k = 0; k < p; ++k) gains[v] += row(v)[x[k]];

    std::uint64_t bits = 88172645463325252ull;
    const std::uint32_t outside = std::uint32_t(n - p);
    const std::uint64_t moves = std::uint64_t(p) * outside;
    std::int64_t trials = 0, accepted = 0;
    const std::clock_t begin = std::clock();
    double spent = 0;
    for (; spent < seconds; spent = double(std::clock() - begin) / CLOCKS_PER_SEC) {
        for (int trial = 0; trial < 100'000; ++trial) {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            const std::uint32_t k = std::uint32_t((bits >> 32) * moves >> 32);
            const int i = int(k / outside), j = p + int(k % outside), leaves = x[i], enters = x[j];
            const int loss = gains[leaves] - gains[enters] + row(leaves)[enters];
            if (loss > 0 && (loss > 25 * temperature || std::uint32_t(bits) >= 0x1p32 * std::exp(-loss / temperature)))
                continue;
            ++accepted;
            x[i] = enters;
            x[j] = leaves;
            const int *less = row(leaves), *more = row(enters);
            for (int v = 0; v < n; ++v) gains[v] += more[v] - less[v];
        }
        trials += 100'000;
    }
    std::printf("%.0f %.5f\n", double(trials) / spent, double(accepted) / double(trials));
}
