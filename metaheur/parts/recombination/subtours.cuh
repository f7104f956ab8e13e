// Subtours, and `Room`, which hands out the memory of a thread.
struct Room {
    i32* next;
    MH_FN i32* take(i64 count) {
        i32* begin = next;
        next += count;
        return begin;
    }
};

// The tours that one tour becomes where edges are exchanged, and how they are joined.
// What belongs to which one is known by the pieces between the removed edges, so that only what changes is looked at.
struct Subtours {
    const Problem& problem;
    const i32* candidates;
    int n, width;

    i32 *tour, *positions, *written;  // the tour, where each item is, and room for the next tour
    i32* near;                        // the two neighbors of each item in what the tour becomes

    int pieces, cuts, found;
    i32 *begins, *owner;     // of each piece the first position, ascending, and its subtour; begins of joins follow
    i32 *lengths, *entries;  // of each subtour its items, 0 once it has joined another one; and one of them
    i32* touched;            // the items whose neighbors joins have changed
    int changed;

    MH_FN void place(Room& room) {
        i32** const arrays[] = {&tour, &positions, &written, &owner, &lengths, &entries};
        for (i32** each : arrays) *each = room.take(n);
        i32** const pairs[] = {&near, &begins, &touched};
        for (i32** each : pairs) *each = room.take(2 * n);
    }

    MH_FN Total edge(int a, int b) const { return Total(problem.edge(a, b)); }

    MH_FN int behind(int position) const { return position + 1 == n ? 0 : position + 1; }
    MH_FN int before(int position) const { return position ? position - 1 : n - 1; }

    // an item has the neighbors that it has in the tour
    MH_FN void forget(int item) {
        near[2 * item] = tour[before(positions[item])];
        near[2 * item + 1] = tour[behind(positions[item])];
    }

    MH_FN void begin(const Item* x) {
        for (int k = 0; k < n; ++k) tour[k] = x[k];
        for (int k = 0; k < n; ++k) positions[tour[k]] = k;
        for (int k = 0; k < n; ++k) forget(tour[k]);
    }

    MH_FN int other(int item, int neighbor) const { return near[2 * item + (near[2 * item] == neighbor)]; }

    MH_FN void replace(int item, int neighbor, int by) { near[2 * item + (near[2 * item] != neighbor)] = by; }

    // the place among some first positions of the piece with a position; the last piece may go on at the tour's begin
    MH_FN int piece_at(int position, int count) const {
        int low = 0, high = count;
        while (low < high) {
            const int middle = (low + high) / 2;
            if (begins[middle] <= position) low = middle + 1;
            else high = middle;
        }
        return low ? low - 1 : count - 1;
    }

    MH_FN int part_of(int item) const { return owner[piece_at(positions[item], pieces)]; }

    MH_FN int tail(int piece, int count) const { return before(begins[piece + 1 == count ? 0 : piece + 1]); }

    MH_FN void sort(int from, int to) {  // the ones before `from` are sorted, and the others are few
        for (int k = from; k < to; ++k) {
            const int position = begins[k];
            int at = k;
            for (; at && begins[at - 1] > position; --at) begins[at] = begins[at - 1];
            begins[at] = position;
        }
    }

    // Exchanges the edges of a cycle, every other one of which the tour has; false if the tour lacks one of these.
    MH_FN bool exchange(const i32* items, int edges) {
        changed = 0;
        cuts = pieces = edges / 2;
        for (int k = 0; k < edges; ++k) {
            const int from = positions[items[k]], to = positions[items[k + 1]];
            if ((to == behind(from) || to == before(from)) != (k % 2 == 0)) return false;
            if (k % 2 == 0) begins[k / 2] = to == behind(from) ? to : from;
        }
        for (int k = 0; k < edges; k += 2) {
            replace(items[k], items[k + 1], -1);
            replace(items[k + 1], items[k], -1);
        }
        for (int k = 1; k < edges; k += 2) {
            replace(items[k], -1, items[k + 1]);
            replace(items[k + 1], -1, items[k]);
        }
        sort(1, pieces);
        divide();
        return true;
    }

    // the subtours to which the pieces belong
    MH_FN void divide() {
        found = 0;
        for (int piece = 0; piece < pieces; ++piece) owner[piece] = -1;
        for (int first = 0; first < pieces; ++first) {
            if (owner[first] >= 0) continue;
            lengths[found] = 0;
            int here = entries[found] = tour[begins[first]], came = near[2 * here + 1];
            for (int piece = first; owner[piece] < 0; piece = piece_at(positions[here], pieces)) {
                owner[piece] = found;
                lengths[found] += pass(piece, here, came);
            }
            ++found;
        }
    }

    // Passes a piece from one of its ends to the item behind the other end; returns the items of the piece.
    MH_FN int pass(int piece, int& here, int& came) const {
        const int head = begins[piece], end = tail(piece, pieces), length = end < head ? end - head + n : end - head;
        if (length) {
            const bool forwards = positions[here] == head;
            came = tour[forwards ? before(end) : behind(head)];
            here = tour[forwards ? end : head];
        }
        step(here, came);
        return length + 1;
    }

    MH_FN void step(int& here, int& came) const {
        const int next = other(here, came);
        came = here;
        here = next;
    }

    // all items of a subtour
    template <class F> MH_FN void each(int part, F f) const {
        int here = entries[part], came = near[2 * here + 1];
        for (int k = 0; k < lengths[part]; ++k, step(here, came)) f(here);
    }

    struct Join {
        Total dearer;
        int a, b, c, d;
    };

    // the cheapest joins by an edge from a to c, for the smaller and the larger neighbor of each; a smaller a is better
    MH_FN void offer(int a, int c, Join (&best)[4]) const {
        const Total between = edge(a, c);
        for (int k = 0; k < 4; ++k) {
            const int b = neighbor(a, k / 2), d = neighbor(c, k % 2);
            const Total dearer = between - edge(a, b) - edge(c, d) + edge(b, d);
            if (best[k].a < 0 || dearer < best[k].dearer || (dearer == best[k].dearer && a < best[k].a))
                best[k] = {dearer, a, b, c, d};
        }
    }

    MH_FN int neighbor(int item, int larger) const {
        return near[2 * item + ((near[2 * item] < near[2 * item + 1]) == larger)];
    }

    // Joins the subtours one by one, the smallest first, each as cheaply as possible; returns the cost of all joins, or
    // of some, if these already cost the gain.
    MH_FN Total patch(Total gain) {
        Total dearer = 0;
        for (int left = found; left > 1 && dearer < gain; --left) {
            int small = -1;
            for (int part = 0; part < found; ++part)
                if (lengths[part] && (small < 0 || lengths[part] < lengths[small])) small = part;
            const Join join = cheapest(small);
            dearer += join.dearer;
            merge(small, join);
        }
        return dearer;
    }

    MH_FN Join cheapest(int small) const {
        Join best[4] = {{0, -1, 0, 0, 0}, {0, -1, 0, 0, 0}, {0, -1, 0, 0, 0}, {0, -1, 0, 0, 0}};
        int least = n;
        each(small, [&](int a) {
            least = a < least ? a : least;
            for (int r = 0; r < width; ++r) {
                const int c = candidates[i64(a) * width + r];
                if (part_of(c) != small) offer(a, c, best);
            }
        });
        const bool alone = best[0].a < 0;
        for (int c = 0; alone && c < n; ++c)
            if (part_of(c) != small) offer(least, c, best);
        Join join = best[0];
        for (int k = 1; k < 4; ++k)
            if (best[k].dearer < join.dearer) join = best[k];
        return join;
    }

    MH_FN void merge(int small, const Join& join) {
        const int large = part_of(join.c);
        cut(join.a, join.b);
        cut(join.c, join.d);
        replace(join.a, join.b, join.c);
        replace(join.b, join.a, join.d);
        replace(join.c, join.d, join.a);
        replace(join.d, join.c, join.b);
        const int items[] = {join.a, join.b, join.c, join.d};
        for (int item : items) touched[changed++] = item;
        for (int piece = 0; piece < pieces; ++piece)
            if (owner[piece] == small) owner[piece] = large;
        lengths[large] += lengths[small];
        lengths[small] = 0;
    }

    MH_FN void cut(int one, int two) {
        const int from = positions[one], to = positions[two];
        if (to == behind(from) || to == before(from)) begins[cuts++] = to == behind(from) ? to : from;
    }

    MH_FN void reject(const i32* items, int edges) {
        for (int k = 0; k < edges; ++k) forget(items[k]);
        for (int k = 0; k < changed; ++k) forget(touched[k]);
    }

    // The one subtour that is left becomes the tour: from its first item to the smaller neighbor of it.
    MH_FN void accept() {
        sort(pieces, cuts);
        int here = tour[0], came = neighbor(here, 1), filled = 0;
        while (filled < n) {
            written[filled++] = here;
            const int at = positions[here];
            step(here, came);
            int to = positions[here];
            const int piece = piece_at(to, cuts);
            if (to == behind(at))
                for (const int end = tail(piece, cuts); to != end && filled < n; to = behind(to))
                    written[filled++] = came = tour[to];
            else if (to == before(at))
                for (const int end = begins[piece]; to != end && filled < n; to = before(to))
                    written[filled++] = came = tour[to];
            here = tour[to];
        }
        i32* const kept = tour;
        tour = written;
        written = kept;
        for (int k = 0; k < n; ++k) positions[tour[k]] = k;
    }
};
