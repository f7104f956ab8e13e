// Nearest-neighbour tours from many cities, on a CPU; a thread makes a tour. `near` has the nearest cities of each
// city. Where all of them are visited, square rings of cells around the city are searched; when few cities are left,
// all.
constexpr i64 FEW = 512;
constexpr double SCALE = METRIC == 4 ? 0.3162 : 1;  // cities are no nearer than this times their difference in x or y

struct NearestNeighbour {
    const Arguments& a;
    i32 *left, *at;  // the cities that are left, cell by cell, and their places there; -1 for a visited one
    i32* counts;     // of the cities that are left in each cell
    i64 count;
    i32 found;
    double least;

    void begin() {
        for (i64 k = 0; k < a.n; ++k) at[left[k] = a.order[k]] = i32(k);
        for (i64 c = 0; c < a.columns * a.rows; ++c) counts[c] = i32(a.starts[c + 1] - a.starts[c]);
        count = a.n;
    }

    void visit(i32 city) {
        const i64 cell = a.cells[city], end = count > FEW ? a.starts[cell] + --counts[cell] : count - 1;
        const i32 last = left[end];
        left[at[city]] = last;
        at[last] = at[city];
        at[city] = -1;
        if (--count == FEW) gather();
    }

    // from now on the cities that are left come first, in any order
    void gather() {
        i64 to = 0;
        for (i64 c = 0; c < a.columns * a.rows; ++c)
            for (i64 k = 0; k < counts[c]; ++k) at[left[to] = left[a.starts[c] + k]] = i32(to), ++to;
    }

    // the nearest city that is left, of equal ones the one of the lowest number
    i32 next(i32 here) {
        const i32* row = a.near + i64(here) * a.k;
        for (i64 k = 0; k < a.k; ++k)
            if (at[row[k]] >= 0) return row[k];
        found = -1;
        least = Never<double>::value;
        if (count <= FEW) look(here, 0, count);
        else search(here);
        return found;
    }

    void look(i32 here, i64 from, i64 to) {
        for (i64 k = from; k < to; ++k) {
            const double length = apart(here, left[k]);
            if (length > least || (length == least && left[k] > found)) continue;
            least = length;
            found = left[k];
        }
    }

    void look_in(i32 here, i64 column, i64 row) {
        const i64 cell = row * a.columns + column;
        look(here, a.starts[cell], a.starts[cell] + counts[cell]);
    }

    void search(i32 here) {
        const i64 column = a.cells[here] % a.columns, row = a.cells[here] / a.columns;
        for (i64 ring = 0; !(found >= 0 && least < gap(here, column, row, ring) * SCALE - 1); ++ring) {
            const i64 first = column - ring, last = column + ring;
            for (i64 r = row - ring < 0 ? 0 : row - ring; r <= row + ring && r < a.rows; ++r) {
                const bool whole = r == row - ring || r == row + ring;
                if (!whole && first >= 0) look_in(here, first, r);
                if (!whole && last < a.columns && ring) look_in(here, last, r);
                for (i64 c = first < 0 ? 0 : first; whole && c <= last && c < a.columns; ++c) look_in(here, c, r);
            }
        }
    }

    // how far away at least, in x or y, the cities are that are in no ring before this one
    double gap(i32 here, i64 column, i64 row, i64 ring) const {
        const double x = a.places[2 * i64(here)] - a.low[0], y = a.places[2 * i64(here) + 1] - a.low[1];
        const double right = column + ring >= a.columns ? FAR : double(column + ring) * a.side - x;
        const double before = column - ring < 0 ? FAR : x - double(column - ring + 1) * a.side;
        const double up = row + ring >= a.rows ? FAR : double(row + ring) * a.side - y;
        const double down = row - ring < 0 ? FAR : y - double(row - ring + 1) * a.side;
        const double across = right < before ? right : before, along = up < down ? up : down;
        return across < along ? across : along;
    }

    double apart(i32 p, i32 q) const {
        return distance<METRIC>(a.places[2 * i64(p)] - a.places[2 * i64(q)],
                                a.places[2 * i64(p) + 1] - a.places[2 * i64(q) + 1]);
    }

    static constexpr double FAR = Never<double>::value;
};

// `value` tours; each begins at the city that its row begins with
MH_ENTRY(nearest_neighbours) {
    const Arguments& a = *arguments;
    auto one = [&](i64 number, i64 thread) {
        i32* tour = a.tours + number * a.n;
        NearestNeighbour walk{
            a, a.left + thread * a.n, a.at + thread * a.n, a.counts + thread * a.columns * a.rows, 0, -1, 0};
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
