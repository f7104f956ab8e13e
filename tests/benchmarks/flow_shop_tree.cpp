// Depth-first branch and bound of the permutation flow shop, forward, LB1 of all children at once: what the framework
// is compared with. Children whose bound is not below `best` are pruned; those that are kept are counted.
#include <vector>

typedef long long i64;

struct Job {
    i64 n, m;
    const i64* times;
    i64 best, kept;
};

namespace {

constexpr int most = 32;

struct Search {
    int n, m, best;
    std::vector<int> by_machine, tails;  // machine after machine
    i64 kept = 0;

    void go(int depth, int* order, const int* front, const int* remain) {
        int ready[most] = {}, done[most] = {}, lower[most] = {};
        const int count = n - depth;
        for (int i = 0; i < m; ++i) {
            const int free = depth ? front[i] : 0, busy = remain[i], tail = tails[i];
            const int* time = &by_machine[i * n];
            for (int k = 0; k < count; ++k) {
                const int start = ready[k] > free ? ready[k] : free;
                ready[k] = start + time[order[depth + k]];
                done[k] = start + busy > done[k] ? start + busy : done[k];
                lower[k] = done[k] + tail > lower[k] ? done[k] + tail : lower[k];
            }
        }
        for (int k = 0; k < count; ++k) {
            if (lower[k] >= best) continue;
            if (count == 1) {
                best = lower[k];
                continue;
            }
            ++kept;
            const int job = order[depth + k];
            int next[64], rest[64];
            for (int i = 0, at = 0; i < m; ++i) {
                const int free = depth ? front[i] : 0, took = by_machine[i * n + job];
                at = next[i] = (at > free ? at : free) + took;
                rest[i] = remain[i] - took;
            }
            order[depth + k] = order[depth];
            order[depth] = job;
            go(depth + 1, order, next, rest);
            order[depth] = order[depth + k];
            order[depth + k] = job;
        }
    }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) void flow_shop(Job* job, i64) {
    Search search{int(job->n), int(job->m), int(job->best), {}, {}};
    int order[most], front[64] = {}, remain[64] = {};
    search.by_machine.resize(job->n * job->m);
    search.tails.assign(job->m, 1 << 30);
    for (int j = 0; j < job->n; ++j) {
        order[j] = j;
        int tail = 0;
        for (int i = int(job->m) - 1; i >= 0; --i) {
            const int time = int(job->times[j * job->m + i]);
            search.by_machine[i * job->n + j] = time;
            remain[i] += time;
            if (tail < search.tails[i]) search.tails[i] = tail;
            tail += time;
        }
    }
    search.go(0, order, front, remain);
    job->kept = search.kept;
}
