// Children of tours by edge assembly, one per thread: decision by decision the same as `EdgeAssembly.child`.
struct EdgeAssembly {
    Subtours subtours;
    int most, n = subtours.n;

    i32* beside[2];  // for each item the other ends of edges that only one tour has: the own tour, and the other
    i32* count[2];   // how many are left, 2 at most
    i32 *path, *met[2];
    i32 *cycles, *begins;  // the items of all cycles; the begin of each, and the end of the last
    Total* gains;
    int known;

    MH_FN void place(Room room, Total* totals) {
        subtours.place(room);
        for (int side = 0; side < 2; ++side) {
            beside[side] = room.take(2 * n);
            count[side] = room.take(n);
            met[side] = room.take(n);
        }
        path = room.take(2 * n + 2);
        cycles = room.take(3 * n);
        begins = room.take(n + 2);
        gains = totals;
    }

    // the neighbors of each item in a tour; -1 if the other tour has that edge, too
    MH_FN void differ(const Item* own, const Item* other) {
        // the subtours do not need this memory yet
        i32 *next[2] = {subtours.written, subtours.owner}, *last[2] = {subtours.lengths, subtours.entries};
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
            const Total cost = subtours.edge(items[k], items[k + 1]);
            gain += k % 2 ? -cost : cost;
        }
        gains[known++] = gain;
        begins[known] = begins[known - 1] + edges + 1;
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
        subtours.begin(own);
        for (int tried = 0, cycle; tried < most && (cycle = next_cycle()) >= 0; ++tried) {
            const Total gain = gains[cycle];
            gains[cycle] = 0;
            const i32* items = cycles + begins[cycle];
            const int edges = begins[cycle + 1] - begins[cycle] - 1;
            if (!subtours.exchange(items, edges)) continue;
            const Total dearer = subtours.patch(gain);
            if (!(dearer < gain)) {
                subtours.reject(items, edges);
                continue;
            }
            subtours.accept();
            cost = cost + dearer - gain;
        }
        for (int k = 0; k < n; ++k) own[k] = Item(subtours.tour[k]);
        return cost;
    }
};

MH_ENTRY(children) {
    const Arguments& a = *arguments;
    const int n = a.problem.n;
    in_parallel(int(a.teams), [&](Team team, i64) {
        for (i64 row = team.league_rank; row < value; row += team.league_size) {
            EdgeAssembly assembly{{a.problem, a.candidates, n, int(a.width)}, int(a.most)};
            assembly.place(Room{a.work + team.league_rank * i64(MH_ROOM) * (n + 2)}, a.gains + team.league_rank * n);
            const Random random{a.keys[2 * row], a.keys[2 * row + 1], recombination_stream, i64(a.iteration)};
            a.costs[row] = assembly.child(a.own + row * n, a.others + row * n, random, a.costs[row]);
        }
    });
}
