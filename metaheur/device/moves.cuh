// The moves that every unit knows, so that a problem can say what each of them costs.

// Flips the bits at increasing positions.
template <int flips> struct FlipMove {
    int at[flips];

    static constexpr int placements = flips;  // positions that the move writes
    MH_FN int place(int c) const { return at[c]; }
    MH_FN Item value(const Item* x, int c) const { return Item(1 - x[at[c]]); }

    template <class T> MH_FN void apply(T team, Item* x) const {
        if (team.rank == 0)
            for (int c = 0; c < flips; ++c) x[at[c]] ^= 1;
    }
};

// Adds `shift` to the value at a position, modulo `values`.
struct SubstitutionMove {
    int at, shift, values;

    static constexpr int placements = 1;
    MH_FN int place(int) const { return at; }
    MH_FN Item value(const Item* x, int) const { return turned(x[at], shift); }
    // the value before the move, of a solution that the move was made in
    MH_FN Item before(const Item* x) const { return turned(x[at], values - shift); }

    // the sum modulo `values`; below 2**32, so that it needs no more bits
    MH_FN Item turned(Item item, int by) const {
        u32 sum = u32(item) + u32(by);
        return Item(sum >= u32(values) ? sum - u32(values) : sum);
    }

    template <class T> MH_FN void apply(T team, Item* x) const {
        if (team.rank == 0) x[at] = value(x, 0);
    }
};

// Exchanges the items at two positions, i < j.
struct SwapMove {
    int i, j;

    static constexpr int placements = 2;
    MH_FN int place(int c) const { return c ? j : i; }
    MH_FN Item value(const Item* x, int c) const { return x[c ? i : j]; }

    template <class T> MH_FN void apply(T team, Item* x) const {
        if (team.rank == 0) {
            Item item = x[i];
            x[i] = x[j];
            x[j] = item;
        }
    }
};

// Takes the item at position i to position j; those between shift by one.
struct InsertionMove {
    int i, j;

    // as many items at a time as there are threads, read before they are overwritten
    template <class T> MH_FN void apply(T team, Item* x) const {
        const int step = i < j ? 1 : -1, count = (j - i) * step;
        const Item item = x[i];
        team.sync();
        for (int begin = 0; begin < count; begin += team.size) {
            const int k = begin + team.rank;
            const Item next = k < count ? x[i + step * (k + 1)] : item;
            team.sync();
            if (k < count) x[i + step * k] = next;
            team.sync();
        }
        if (team.rank == 0) x[j] = item;
    }
};

// Reverses the segment at the positions i ... j.
struct TwoOptMove {
    int i, j;

    template <class T> MH_FN void apply(T team, Item* x) const {
        const int from = i, end = j;
        team.for_each((end - from + 1) / 2, [=](i64 k) {
            Item item = x[from + k];
            x[from + k] = x[end - k];
            x[end - k] = item;
        });
    }
};

// Takes the segment of `length` items at position i by `shift` positions, reversed or not.
struct OrOptMove { int i, length, shift, reverse; };

// One that goes to the right, which a compiler then knows: where only OrOptMove is known, it is one.
struct RightOrOptMove : OrOptMove {};

// Reverses the blocks i ... j-1 (bit 1 of the kind) and j ... k-1 (bit 2), and exchanges them (bit 4).
struct ThreeOptMove { int i, j, k, kind; };

// ---- which move is the best ----

MH_FN EvaluatedMove no_move() { return {Never<Cost>::value, Cost(0), -1}; }

// the lowest score stays, the lowest index among equals
MH_FN void offer(EvaluatedMove& best, Cost score, Cost delta, i64 index) {
    if (score == Never<Cost>::value) return;
    if (best.index < 0 || score < best.score || (score == best.score && index < best.index))
        best = EvaluatedMove{score, delta, index};
}

struct Insertion;  // the neighborhood, whose groups some problems evaluate whole
