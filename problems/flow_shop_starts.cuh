// Sequences of Nawaz, Enscore and Ham's heuristic, on a CPU; a thread makes a sequence. heads(p, k) is when machine k
// has done the first p jobs, tails(p, k) the time from when machine k begins the job at position p to the end of all,
// waits[p] the longest release time and tail of the jobs from position p on (Taillard 1990).
struct Insertions {
    const Arguments& a;
    i64 *heads, *tails, *waits;

    const i64* times(i32 job) const { return a.times + i64(job) * a.machines; }

    void prepare(const i32* x, i64 length) {
        const i64 m = a.machines;
        for (i64 k = 0; k < m; ++k) heads[k] = tails[length * m + k] = 0;
        waits[length] = 0;
        for (i64 p = 0; p < length; ++p) {
            i64 done = a.releases[x[p]];
            for (i64 k = 0; k < m; ++k) {
                done = larger(done, heads[p * m + k]) + times(x[p])[k];
                heads[(p + 1) * m + k] = done;
            }
        }
        for (i64 p = length - 1; p >= 0; --p) {
            i64 left = 0;
            for (i64 k = m - 1; k >= 0; --k) {
                left = larger(left, tails[(p + 1) * m + k]) + times(x[p])[k];
                tails[p * m + k] = left;
            }
            waits[p] = larger(waits[p + 1], a.releases[x[p]] + left);
        }
    }

    i64 makespan(i32 job, i64 p) const {
        i64 done = a.releases[job], most = waits[p];
        for (i64 k = 0; k < a.machines; ++k) {
            done = larger(done, heads[p * a.machines + k]) + times(job)[k];
            most = larger(most, done + tails[p * a.machines + k]);
        }
        return most;
    }

    // the best of length + 1 places, the first among equals from place `first` on, round the end
    i64 place(i32 job, i64 length, i64 first) const {
        i64 best = first, least = makespan(job, first);
        for (i64 step = 1; step <= length; ++step) {
            const i64 p = first + step <= length ? first + step : first + step - length - 1, found = makespan(job, p);
            if (found < least) least = found, best = p;
        }
        return best;
    }

    static i64 larger(i64 p, i64 q) { return p > q ? p : q; }
};

// `value` sequences
MH_ENTRY(sequences) {
    const Arguments& a = *arguments;
    const i64 each = (a.n + 1) * (2 * a.machines + 1);
    auto one = [&](i64 number, i64 thread) {
        i32* x = a.sequences + number * a.n;
        i64* scratch = a.scratch + thread * each;
        Insertions insertions{a, scratch, scratch + (a.n + 1) * a.machines, scratch + 2 * (a.n + 1) * a.machines};
        for (i64 length = 0; length < a.n; ++length) {
            const i32 job = a.order[length];
            insertions.prepare(x, length);
            const i64 place = insertions.place(job, length, a.firsts[number * a.n + length]);
            for (i64 p = length; p > place; --p) x[p] = x[p - 1];
            x[place] = job;
        }
    };
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(int(a.threads))
    for (i64 number = 0; number < value; ++number) one(number, omp_get_thread_num());
#else
    for (i64 number = 0; number < value; ++number) one(number, 0);
#endif
}
