// The baseline: robust tabu search on symmetric QAP as one writes it by hand for one CPU core. The permuted matrix is
// kept, so that rows are contiguous; untouched changes of cost are refreshed in O(1) by a vector loop; touched ones are
// summed four at a time over 16-bit rows; expiry is kept for each move; a minimum is sought before its place.
#include <cstdint>
#include <cstdlib>
#include <vector>

typedef std::int16_t i16;
typedef std::int32_t i32;
typedef std::int64_t i64;

struct Job {
    i64 n;
    const i64 *a, *b;
    i32* x;
    i64 cost, best;
};

static std::uint64_t noise = 88172645463325252ull;
static std::uint64_t draw() {
    noise ^= noise << 13;
    noise ^= noise >> 7;
    return noise ^= noise << 17;
}

namespace {
struct Tabu {
    int n, stride;
    std::vector<i16> a, p;  // flows; distances as the solution permutes them
    std::vector<i32> x, delta, until, left, u, w, row;
    i64 cost, best;

    int first(int i) const { return i * (2 * n - 1 - i) / 2; }

    Tabu(const Job& job)
        : n(int(job.n)), stride((n + 31) / 32 * 32), a(std::size_t(n + 4) * stride), p(a.size()), x(job.x, job.x + n),
          delta(std::size_t(n) * n), until(delta.size()), left(delta.size()), u(stride), w(stride), row(stride + 4) {
        cost = 0;
        for (int i = 0; i < n; ++i)
            for (int k = 0; k < n; ++k) {
                a[std::size_t(i) * stride + k] = i16(job.a[std::size_t(i) * n + k]);
                p[std::size_t(i) * stride + k] = i16(job.b[std::size_t(x[i]) * n + x[k]]);
                cost += job.a[std::size_t(i) * n + k] * job.b[std::size_t(x[i]) * n + x[k]];
            }
        best = cost;
        for (int i = 0; i < n - 1; ++i) {
            sums(i);
            for (int k = i + 1; k < n; ++k) delta[first(i) + k - i - 1] = row[k];
        }
    }

    // row[k] = the change of cost of the swap (i, k), for every k, four at a time
    void sums(int i) {
        const i16 *ai = &a[std::size_t(i) * stride], *pi = &p[std::size_t(i) * stride];
        int whole = stride & ~31;
        for (int k = 0; k < n; k += 4) {
            const i16 *ak = &a[std::size_t(k) * stride], *pk = &p[std::size_t(k) * stride];
            i32 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
            for (int l = 0; l < whole; ++l) {
                const i16 c = ai[l], q = pi[l];
                s0 += i32(i16(c - ak[l])) * i16(pk[l] - q);
                s1 += i32(i16(c - ak[l + stride])) * i16(pk[l + stride] - q);
                s2 += i32(i16(c - ak[l + 2 * stride])) * i16(pk[l + 2 * stride] - q);
                s3 += i32(i16(c - ak[l + 3 * stride])) * i16(pk[l + 3 * stride] - q);
            }
            const i32 s[4] = {s0, s1, s2, s3};
            for (int c = 0; c < 4; ++c) {
                const i16 *aj = ak + c * stride, *pj = pk + c * stride;
                int j = k + c < n ? k + c : i;
                row[k + c] = 2 * (s[c] - (ai[i] - aj[i]) * (pj[i] - pi[i]) - (ai[j] - aj[j]) * (pj[j] - pi[j]));
            }
        }
    }

    void step(int it) {
        const i64 room = best - cost;
        const i32 gap = room < INT32_MIN ? INT32_MIN : i32(room);
        i32 low = INT32_MAX;
        int r = -1, s = -1;
        for (int i = 0; i < n - 1; ++i) {
            const i32 *d = &delta[first(i)], *t = &until[first(i)];
            const int length = n - 1 - i;
            i32 m = INT32_MAX;
            for (int k = 0; k < length; ++k) {
                const i32 tabu = -i32(t[k] >= it) & ~-i32(d[k] < gap);
                const i32 score = (d[k] & ~tabu) | (INT32_MAX & tabu);
                m = score < m ? score : m;
            }
            if (m < low) {
                int k = 0;
                while (d[k] != m || (t[k] >= it && d[k] >= gap)) ++k;
                low = m, r = i, s = i + 1 + k;
            }
        }
        if (r < 0) return;
        left[std::size_t(r) * n + x[r]] = it + 9 * n / 10 + int(draw() % (n / 5 + 1));
        left[std::size_t(s) * n + x[s]] = it + 9 * n / 10 + int(draw() % (n / 5 + 1));
        const i32 item = x[r];
        x[r] = x[s], x[s] = item;
        i16 *pr = &p[std::size_t(r) * stride], *ps = &p[std::size_t(s) * stride];
        const i16 *ar = &a[std::size_t(r) * stride], *as = &a[std::size_t(s) * stride];
        for (int k = 0; k < n; ++k) {
            const i16 held = pr[k];
            pr[k] = ps[k], ps[k] = held;
        }
        for (int k = 0; k < n; ++k) {
            i16* q = &p[std::size_t(k) * stride];
            const i16 held = q[r];
            q[r] = q[s], q[s] = held;
        }
        for (int k = 0; k < n; ++k) u[k] = ar[k] - as[k], w[k] = ps[k] - pr[k];
        cost += low;
        if (cost < best) best = cost;
        for (int i = 0; i < n - 1; ++i) {
            i32* d = &delta[first(i)];
            const i32 ui = u[i], wi = w[i], *uk = &u[i + 1], *wk = &w[i + 1];
#pragma GCC ivdep
            for (int k = 0; k < n - 1 - i; ++k) d[k] += 2 * (ui - uk[k]) * (wi - wk[k]);
        }
        for (int i : {r, s}) {
            sums(i);
            for (int k = 0; k < n; ++k) {
                if (k == i) continue;
                const int lo = i < k ? i : k, hi = i < k ? k : i, id = first(lo) + hi - lo - 1;
                const i32 one = left[std::size_t(lo) * n + x[hi]], two = left[std::size_t(hi) * n + x[lo]];
                delta[id] = row[k];
                until[id] = one < two ? one : two;
            }
        }
    }
};
}  // namespace

extern "C" __attribute__((visibility("default"))) void tabu(Job* job, long long iterations) {
    Tabu search(*job);
    for (int it = 1; it <= iterations; ++it) search.step(it);
    for (int k = 0; k < search.n; ++k) job->x[k] = search.x[k];
    job->cost = search.cost;
    job->best = search.best;
}
