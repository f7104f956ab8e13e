// Nearest-neighbour tours from many cities, on a CPU; a thread makes a tour. `near` has the nearest cities of each
// city, `left` the cities that a tour has not visited, in any order, and `at` their places there.
struct NearestNeighbour {
    const Arguments& a;
    i32 *left, *at;
    i64 count;

    void begin() {
        for (i64 k = 0; k < a.n; ++k) left[k] = at[k] = i32(k);
        count = a.n;
    }

    void visit(i32 city) {
        const i32 last = left[--count];
        left[at[city]] = last;
        at[last] = at[city];
        at[city] = -1;
    }

    // the nearest city that is left, of equal ones the one of the lowest number
    i32 next(i32 here) const {
        const i32* row = a.near + i64(here) * a.k;
        for (i64 k = 0; k < a.k; ++k)
            if (at[row[k]] >= 0) return row[k];
        i32 found = left[0];
        double least = apart(here, found);
        for (i64 k = 1; k < count; ++k) {
            const double length = apart(here, left[k]);
            if (length > least || (length == least && left[k] > found)) continue;
            least = length;
            found = left[k];
        }
        return found;
    }

    double apart(i32 p, i32 q) const {
        return distance(a.places[2 * i64(p)] - a.places[2 * i64(q)],
                        a.places[2 * i64(p) + 1] - a.places[2 * i64(q) + 1]);
    }
};

// `value` tours; each begins at the city that its row begins with
MH_ENTRY(nearest_neighbours) {
    const Arguments& a = *arguments;
    auto one = [&](i64 number, i64 thread) {
        i32* tour = a.tours + number * a.n;
        NearestNeighbour walk{a, a.left + thread * a.n, a.at + thread * a.n, 0};
        walk.begin();
        walk.visit(tour[0]);
        for (i64 k = 1; k < a.n; ++k) walk.visit(tour[k] = walk.next(tour[k - 1]));
    };
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(int(a.threads))
    for (i64 number = 0; number < value; ++number) one(number, omp_get_thread_num());
#else
    for (i64 number = 0; number < value; ++number) one(number, 0);
#endif
}
