// Children of tours by edge assembly, one per thread: decision by decision the same as `EdgeAssembly.child`.
// Hands out the memory of a thread.
struct Room {
    i32* next;
    MH_FN i32* take(i64 count) {
        i32* begin = next;
        next += count;
        return begin;
    }
};

struct EdgeAssembly {
    const Problem& problem;
    const i32* candidates;
    int n, width, most;

    i32 *tour, *positions;
    i32* beside[2];  // for each item the other ends of edges that only one tour has: the own tour, and the other
    i32* count[2];   // how many are left, 2 at most
    i32 *path, *met[2];
    i32 *cycles, *begins;  // the items of all cycles; the begin of each, and the end of the last
    Total* gains;
    int known;

    i32 *cuts, *first, *ends, *waiting, *joined, *passed;
    i32 *parts, *other_parts, *starts, *lengths, *owner, *around[2];

    MH_FN void place(Room room, Total* totals) {
        tour = room.take(n);
        positions = room.take(n);
        for (int side = 0; side < 2; ++side) {
            beside[side] = room.take(2 * n);
            count[side] = room.take(n);
            met[side] = room.take(n);
            around[side] = room.take(n);
        }
        path = room.take(2 * n + 2);
        cycles = room.take(3 * n);
        begins = room.take(n + 2);
        cuts = room.take(n);
        first = room.take(n + 1);
        ends = room.take(2 * n);
        waiting = room.take(n);
        joined = room.take(2 * n);
        passed = room.take(n);
        parts = room.take(n);
        other_parts = room.take(n);
        starts = room.take(n + 1);
        lengths = room.take(n + 1);
        owner = room.take(n);
        gains = totals;
    }

    MH_FN Total edge(int a, int b) const { return Total(problem.edge(a, b)); }

    MH_FN static void swap(i32*& one, i32*& two) {
        i32* kept = one;
        one = two;
        two = kept;
    }

    // the neighbors of each item in a tour; -1 if the other tour has that edge, too
    MH_FN void differ(const Item* own, const Item* other) {
        i32 *next[2] = {cuts, first}, *last[2] = {ends, waiting};
        for (int side = 0; side < 2; ++side) {
            const Item* x = side ? other : own;
            for (int k = 0; k < n; ++k) {
                next[side][x[k]] = x[k + 1 == n ? 0 : k + 1];
                last[side][x[k]] = x[k ? k - 1 : n - 1];
            }
            for (int k = 0; k < n; ++k) count[side][k] = 0;
        }
        for (int side = 0; side < 2; ++side)
            for (int a = 0; a < n; ++a) {
                const int b = next[side][a];
                if (b == next[1 - side][a] || b == last[1 - side][a]) continue;
                beside[side][2 * a + count[side][a]++] = b;
                beside[side][2 * b + count[side][b]++] = a;
            }
    }

    MH_FN void remove(int side, int item, int place) {
        i32* at = beside[side] + 2 * item;
        if (place == 0) at[0] = at[1];
        --count[side][item];
    }

    // the cycles in which own and other edges alternate, beginning with an own edge
    MH_FN void alternate(Random random) {
        int draws = 0;
        u32 bits = 0;
        known = begins[0] = 0;
        for (int k = 0; k < n; ++k) met[0][k] = met[1][k] = -1;
        for (int begin = 0; begin < n; ++begin)
            while (count[0][begin]) {
                int length = 1, side = 0;
                path[0] = begin;
                met[0][begin] = 0;
                while (length > 1 || count[0][begin]) {
                    const int here = path[length - 1];
                    int way = 0;
                    if (count[side][here] > 1) {
                        bits = draws % 32 ? bits >> 1 : random.bits(u32(draws / 32));
                        ++draws;
                        way = int(bits & 1);
                    }
                    const int item = beside[side][2 * here + way];
                    remove(side, here, way);
                    remove(side, item, beside[side][2 * item] == here ? 0 : 1);
                    path[length++] = item;
                    side = 1 - side;
                    if (met[side][item] < 0) {
                        met[side][item] = length - 1;
                        continue;
                    }
                    const int at = met[side][item];
                    note(at, length, side);
                    for (int k = at + 1; k < length; ++k) met[(side + k - at) % 2][path[k]] = -1;
                    met[side][item] = at;
                    length = at + 1;
                }
                met[0][begin] = -1;
            }
    }

    // the cycle at the end of the path; if it begins with an edge of the other tour, it is rotated by one item
    MH_FN void note(int at, int length, int side) {
        i32* items = cycles + begins[known];
        const int edges = length - 1 - at;
        for (int k = 0; k <= edges; ++k) items[k] = path[at + (side ? (k == edges ? 1 : k + 1) : k)];
        Total gain = 0;
        for (int k = 0; k < edges; ++k) {
            const Total cost = edge(items[k], items[k + 1]);
            gain += k % 2 ? -cost : cost;
        }
        gains[known++] = gain;
        begins[known] = begins[known - 1] + edges + 1;
    }

    // the subtours after an exchange of a cycle's edges, in `parts`; 0 if an edge to be removed is not there any more
    MH_FN int exchange(int cycle) {
        const i32* items = cycles + begins[cycle];
        const int edges = begins[cycle + 1] - begins[cycle] - 1, pieces = edges / 2;
        for (int k = 0; k < n; ++k) positions[tour[k]] = k;
        for (int k = 0; k < edges; ++k) {
            const int from = positions[items[k]], to = positions[items[k + 1]];
            const int step = to < from ? to - from + n : to - from;
            if ((step == 1 || step == n - 1) != (k % 2 == 0)) return 0;
            if (k % 2 == 0) cuts[k / 2] = step == 1 ? to : from;
        }
        for (int k = 1; k < pieces; ++k) {  // sorted; they are few
            const int cut = cuts[k];
            int to = k;
            for (; to && cuts[to - 1] > cut; --to) cuts[to] = cuts[to - 1];
            cuts[to] = cut;
        }
        for (int k = 0; k < pieces; ++k) waiting[tour[cuts[k]]] = waiting[tour[stop(k, pieces)]] = 0;
        for (int k = 0; k < pieces; ++k) {
            const int head = tour[cuts[k]], tail = tour[stop(k, pieces)];
            ends[2 * head + waiting[head]++] = 2 * k;
            ends[2 * tail + waiting[tail]++] = 2 * k + 1;
            passed[k] = 0;
        }
        for (int k = 1; k < edges; k += 2) {
            const int a = items[k], b = items[k + 1];
            const int from = ends[2 * a + --waiting[a]], to = ends[2 * b + --waiting[b]];
            joined[from] = to;
            joined[to] = from;
        }
        return walked(pieces);
    }

    // the end of a piece
    MH_FN int stop(int piece, int pieces) const {
        const int next = cuts[piece + 1 == pieces ? 0 : piece + 1];
        return next ? next - 1 : n - 1;
    }

    MH_FN int walked(int pieces) {
        int found = 0, filled = 0;
        for (int begin = 0; begin < pieces; ++begin) {
            if (passed[begin]) continue;
            starts[found] = filled;
            for (int entered = 2 * begin; !passed[entered / 2]; entered = joined[entered ^ 1]) {
                const int piece = entered / 2, head = cuts[piece], tail = stop(piece, pieces);
                const int length = tail < head ? tail - head + 1 + n : tail - head + 1;
                passed[piece] = 1;
                for (int k = 0; k < length; ++k) {
                    int p = entered % 2 ? tail - k : head + k;
                    p += p < 0 ? n : p >= n ? -n : 0;
                    parts[filled++] = tour[p];
                }
            }
            lengths[found] = filled - starts[found];
            ++found;
        }
        return found;
    }

    MH_FN void enter(int part) {
        const i32* items = parts + starts[part];
        const int length = lengths[part];
        for (int k = 0; k < length; ++k) {
            owner[items[k]] = part;
            around[0][items[k]] = items[k + 1 == length ? 0 : k + 1];
            around[1][items[k]] = items[k ? k - 1 : length - 1];
        }
    }

    struct Join {
        Total dearer;
        int p, q, a, c;
    };

    MH_FN void offer(int a, int c, Join (&best)[4]) const {
        const Total between = edge(a, c);
        for (int p = 0; p < 2; ++p)
            for (int q = 0; q < 2; ++q) {
                const int b = around[p][a], d = around[q][c];
                const Total dearer = between - edge(a, b) - edge(c, d) + edge(b, d);
                Join& before = best[2 * p + q];
                if (before.a < 0 || dearer < before.dearer) before = {dearer, p, q, a, c};
            }
    }

    // Joins the subtours of `parts` as cheaply as possible, one by one, the smallest first; returns the cost.
    MH_FN Total patch(int found) {
        Total dearer = 0;
        for (int part = 0; part < found; ++part) enter(part);
        for (int left = found; left > 1; --left) {
            int small = -1;
            for (int part = 0; part < found; ++part)
                if (lengths[part] && (small < 0 || lengths[part] < lengths[small])) small = part;
            const Join join = cheapest(small, found);
            dearer += join.dearer;
            merge(small, join, found);
        }
        return dearer;
    }

    MH_FN Join cheapest(int small, int found) const {
        Join best[4] = {{0, 0, 0, -1, 0}, {0, 0, 0, -1, 0}, {0, 0, 0, -1, 0}, {0, 0, 0, -1, 0}};
        const i32* items = parts + starts[small];
        for (int k = 0; k < lengths[small]; ++k)
            for (int r = 0; r < width; ++r) {
                const int c = candidates[i64(items[k]) * width + r];
                if (owner[c] != small) offer(items[k], c, best);
            }
        if (best[0].a < 0)
            for (int part = 0; part < found; ++part)
                for (int k = 0; part != small && k < lengths[part]; ++k) offer(items[0], parts[starts[part] + k], best);
        Join join = best[0];
        for (int k = 1; k < 4; ++k)
            if (best[k].dearer < join.dearer) join = best[k];
        return join;
    }

    // all items of a part, from an item to the item behind it (side 0), or before it (side 1)
    template <class F> MH_FN void follow(int part, int item, int side, F f) const {
        for (int k = 0, here = item; k < lengths[part]; ++k, here = around[1 - side][here]) f(k, here);
    }

    MH_FN void merge(int small, const Join& join, int found) {
        const int other = owner[join.c], before = lengths[other];
        int filled = 0;
        for (int part = 0; part < found; ++part) {
            if (part == small || !lengths[part]) continue;
            i32* to = other_parts + filled;
            if (part == other) {
                follow(other, join.c, join.q, [&](int k, int item) { to[before - 1 - k] = item; });
                follow(small, join.a, join.p, [&](int k, int item) { to[before + k] = item; });
                lengths[other] += lengths[small];
            } else
                for (int k = 0; k < lengths[part]; ++k) to[k] = parts[starts[part] + k];
            starts[part] = filled;
            filled += lengths[part];
        }
        lengths[small] = 0;
        swap(parts, other_parts);
        enter(other);
    }

    // the cycles with the largest gains first, the first among equals
    MH_FN int next_cycle() const {
        int best = -1;
        for (int k = 0; k < known; ++k)
            if (gains[k] > 0 && (best < 0 || gains[k] > gains[best])) best = k;
        return best;
    }

    MH_FN Total child(Item* own, const Item* other, Random random, Total cost) {
        differ(own, other);
        alternate(random);
        for (int k = 0; k < n; ++k) tour[k] = own[k];
        for (int tried = 0, cycle; tried < most && (cycle = next_cycle()) >= 0; ++tried) {
            const Total gain = gains[cycle];
            gains[cycle] = 0;
            const int found = exchange(cycle);
            if (!found) continue;
            const Total dearer = patch(found);
            if (!(dearer < gain)) continue;
            swap(tour, parts);
            cost = cost + dearer - gain;
        }
        for (int k = 0; k < n; ++k) own[k] = Item(tour[k]);
        return cost;
    }
};

MH_ENTRY(children) {
    const Arguments& a = *arguments;
    const int n = a.problem.n;
    in_parallel(int(a.teams), [&](Team team, i64) {
        for (i64 row = team.league_rank; row < value; row += team.league_size) {
            EdgeAssembly assembly{a.problem, a.candidates, n, int(a.width), int(a.most)};
            assembly.place(Room{a.work + team.league_rank * i64(MH_ROOM) * (n + 2)}, a.gains + team.league_rank * n);
            const Random random{a.keys[2 * row], a.keys[2 * row + 1], recombination_stream, i64(a.iteration)};
            a.costs[row] = assembly.child(a.own + row * n, a.others + row * n, random, a.costs[row]);
        }
    });
}
