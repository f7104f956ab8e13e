// Alpha-nearness over a sparse graph, on a CPU: the edges of each city to `k` others, in `near`. An edge is known by
// its number there; of an edge in two rows, only that in the row of the lower city counts.
constexpr int DIGIT = 2048;

struct Forest {
    const Arguments& a;
    i64 count;  // of edges

    MH_FN i64 from(i64 edge) const { return edge / a.k; }
    MH_FN float cost(i64 edge) const { return float(a.lengths[edge] + a.price[from(edge)] + a.price[a.near[edge]]); }

    MH_FN bool listed(i64 city, i64 other) const {
        for (i64 r = 0; r < a.k; ++r)
            if (a.near[city * a.k + r] == other) return true;
        return false;
    }

    // in the order of floats
    MH_FN static u32 key(float value) {
        u32 bits;
        __builtin_memcpy(&bits, &value, 4);
        return bits >> 31 ? ~bits : bits | 0x80000000u;
    }

    // all edges by their costs, equal ones by their numbers: three passes, by eleven bits each
    void sort() {
        i64 begins[3][DIGIT] = {};
        i32 *keys = a.keys, *order = a.order, *other_keys = a.keys + count, *other_order = a.order + count;
        for (i64 e = 0; e < count; ++e) {
            const u32 value = key(cost(a.edges[e]));
            keys[e] = i32(value);
            order[e] = a.edges[e];
            for (int pass = 0; pass < 3; ++pass) ++begins[pass][value >> 11 * pass & (DIGIT - 1)];
        }
        for (int pass = 0; pass < 3; ++pass) {
            i64 begin = 0;
            for (i64& each : begins[pass]) {
                const i64 size = each;
                each = begin;
                begin += size;
            }
            for (i64 e = 0; e < count; ++e) {
                const i64 to = begins[pass][u32(keys[e]) >> 11 * pass & (DIGIT - 1)]++;
                other_keys[to] = keys[e];
                other_order[to] = order[e];
            }
            swap(keys, other_keys);
            swap(order, other_order);
        }
        sorted = order;
    }
    const i32* sorted;

    template <class T> MH_FN static void swap(T& one, T& other) {
        const T kept = one;
        one = other;
        other = kept;
    }

    MH_FN i64 root(i64 city, bool shortens) const {
        for (; a.above[city] != city; city = a.above[city])
            if (shortens) a.above[city] = a.above[a.above[city]];
        return city;
    }

    // A cheapest spanning tree, or a forest; returns its cost. The smaller of two parts goes below the larger one, so
    // that the way up is short; its edge costs `joined`.
    double grow(bool shortens) {
        sort();
        for (i64 city = 0; city < a.n; ++city) {
            a.above[city] = i32(city);
            a.sizes[city] = 1;
            a.degrees[city] = 0;
        }
        double total = 0;
        i64 left = a.n - 1;
        for (i64 e = 0; e < count && left; ++e) {
            const i64 edge = sorted[e], p = from(edge), q = a.near[edge];
            i64 up = root(p, shortens), down = root(q, shortens);
            if (up == down) continue;
            if (a.sizes[up] < a.sizes[down]) swap(up, down);
            a.above[down] = i32(up);
            a.sizes[up] += a.sizes[down];
            a.joined[down] = cost(edge);
            total += double(a.joined[down]);
            ++a.degrees[p];
            ++a.degrees[q];
            --left;
        }
        return total;
    }

    MH_FN bool below(i64 city) const { return a.above[city] != city; }

    // the dearest edge between two cities in the tree; infinite in different trees
    float dearest(i64 p, i64 q) const {
        float most = -INFINITY;
        while (p != q) {
            if (!below(p) && !below(q)) return INFINITY;
            i64& lower = !below(q) || (below(p) && key(a.joined[p]) <= key(a.joined[q])) ? p : q;
            if (a.joined[lower] > most) most = a.joined[lower];
            lower = a.above[lower];
        }
        return most;
    }
};

// `value` steps of an ascent to prices, and the alpha of each edge under the best ones
MH_ENTRY(ascend) {
    const Arguments& a = *arguments;
    Forest forest{a, 0, nullptr};
    for (i64 edge = 0; edge < a.n * a.k; ++edge) {
        const i64 city = forest.from(edge), other = a.near[edge];
        if (city < other || !forest.listed(other, city)) a.edges[forest.count++] = i32(edge);
    }
    double bound = -INFINITY, step = 0;
    for (i64 ascent = 0; ascent < value; ++ascent) {
        double total = forest.grow(true), paid = 0;
        if (ascent == 0) step = a.first * total / double(a.n);
        for (i64 city = 0; city < a.n; ++city) paid += a.price[city];
        if (total - 2 * paid > bound) {
            bound = total - 2 * paid;
            for (i64 city = 0; city < a.n; ++city) a.best[city] = a.price[city];
        }
        const double here = step * (1 - double(ascent) / double(value));
        for (i64 city = 0; city < a.n; ++city) {
            const double surplus = double(a.degrees[city] - 2), before = ascent ? a.before[city] : surplus;
            a.before[city] = 0.7 * surplus + 0.3 * before;
            a.price[city] += here * a.before[city];
        }
    }
    for (i64 city = 0; value && city < a.n; ++city) a.price[city] = a.best[city];
    forest.grow(false);
    for (i64 edge = 0; edge < a.n * a.k; ++edge)
        a.alphas[edge] = forest.cost(edge) - forest.dearest(forest.from(edge), a.near[edge]);
}
