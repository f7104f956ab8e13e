// The moves that every unit knows, so that a problem can have a formula for each.

// Flips the bits at increasing positions.
template <int flips> struct FlipMove {
    int at[flips];

    static constexpr int placements = flips;  // positions that the move writes
    MH_FN int place(int c) const { return at[c]; }
    MH_FN Item value(const Item* x, int c) const { return Item(1 - x[at[c]]); }
    MH_FN FlipMove inverse() const { return *this; }

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
    MH_FN SubstitutionMove inverse() const { return {at, values - shift, values}; }
    // the value before the move, where x is the solution after it
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

// The positions of a permutation as places in a ring; or, if it is not cyclic, as places between two borders, the place
// n.
struct WholeRing {
    int n;
    bool cyclic;

    // the place of a position in -1 ... 2 n - 1
    MH_FN int place(int p) const {
        if (p >= 0 && p < n) return p;
        return cyclic ? p < 0 ? p + n : p - n : n;
    }
};

// Two places that are neighbors, or become neighbors: of the solution before a move.
struct Edge {
    int p, q;

    MH_FN bool operator==(Edge other) const { return (p == other.p && q == other.q) || (p == other.q && q == other.p); }
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
    MH_FN SwapMove inverse() const { return *this; }

    static constexpr int edges = 4;  // pairs of neighbors that the move joins; it parts as many
    MH_FN Edge parted(WholeRing ring, int c) const {
        const int here = c < 2 ? i : j;
        return {here, ring.place(c % 2 ? here + 1 : here - 1)};
    }
    MH_FN Edge joined(WholeRing ring, int c) const {
        const Edge left = parted(ring, c);
        const Edge made{i + j - left.p, left.q};
        return made.p == made.q ? Edge{i, j} : made;
    }
};

// The edges of a move that changes the blocks begin ... middle - 1 and middle ... end - 1: it reverses the first one (1
// in the sum `kind`), reverses the second one (2), exchanges both (4).
struct Blocks {
    int begin, middle, end, kind;

    // the first (0) and the last (1) position of a block after the move, and of the other block after it
    MH_FN int tip(int which, int side) const {
        const int block = which ^ (kind >> 2 & 1), turned = side ^ (kind >> block & 1);
        if (block) return turned ? end - 1 : middle;
        return turned ? middle - 1 : begin;
    }
    MH_FN Edge parted(WholeRing ring, int c) const {
        const int behind = c == 0 ? begin : c == 1 ? middle : end;
        return {ring.place(behind - 1), ring.place(behind)};
    }
    MH_FN Edge joined(WholeRing ring, int c) const {
        const bool whole = ring.cyclic && end - begin == ring.n;  // the blocks are each other's neighbors
        const int left = c > 0 ? tip(c - 1, 1) : whole ? tip(1, 1) : begin - 1;
        const int right = c < 2 ? tip(c, 0) : whole ? tip(0, 0) : end;
        return {ring.place(left), ring.place(right)};
    }
};

// the item at position i goes to j; the items between shift by one, as many at a time as there are threads, read before
// they are overwritten
template <class Team> MH_FN void rotate(Team team, Item* x, int i, int j) {
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

// Takes the item at position i to position j; the items between shift by one.
struct InsertionMove {
    int i, j;

    static constexpr int placements = 1;
    MH_FN int place(int) const { return j; }
    MH_FN Item value(const Item* x, int) const { return x[i]; }
    MH_FN int left(int) const { return i; }  // the position that the item leaves, which is not the one it goes to

    static constexpr int edges = 3;
    MH_FN Blocks blocks() const { return i < j ? Blocks{i, i + 1, j + 1, 4} : Blocks{j, i, i + 1, 4}; }
    MH_FN Edge parted(WholeRing ring, int c) const { return blocks().parted(ring, c); }
    MH_FN Edge joined(WholeRing ring, int c) const { return blocks().joined(ring, c); }

    template <class T> MH_FN void apply(T team, Item* x) const { rotate(team, x, i, j); }
};

// Reverses the segment at the positions i ... j.
struct TwoOptMove {
    int i, j;

    MH_FN TwoOptMove inverse() const { return *this; }

    static constexpr int edges = 2;
    MH_FN Edge parted(WholeRing ring, int c) const {
        return c ? Edge{j, ring.place(j + 1)} : Edge{ring.place(i - 1), i};
    }
    MH_FN Edge joined(WholeRing ring, int c) const {
        return c ? Edge{i, ring.place(j + 1)} : Edge{ring.place(i - 1), j};
    }

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
struct OrOptMove {
    int i, length, shift, reverse;

    static constexpr int edges = 3;
    MH_FN Blocks blocks() const {
        if (shift > 0) return {i, i + length, i + length + shift, reverse ? 5 : 4};
        return {i + shift, i, i + length, reverse ? 6 : 4};
    }
    MH_FN Edge parted(WholeRing ring, int c) const { return blocks().parted(ring, c); }
    MH_FN Edge joined(WholeRing ring, int c) const { return blocks().joined(ring, c); }
};

// An OrOptMove to the right, so that a compiler knows the direction; formulas for OrOptMove accept it, too.
struct RightOrOptMove : OrOptMove {};

// Reverses the blocks i ... j-1 (bit 1 of the kind) and j ... k-1 (bit 2), and exchanges them (bit 4).
struct ThreeOptMove {
    int i, j, k, kind;

    // exchanged blocks exchange their reversals, too
    MH_FN ThreeOptMove inverse() const {
        if (kind < 4) return *this;
        return {i, i + k - j, k, 4 + (kind & 1) * 2 + (kind >> 1 & 1)};
    }

    static constexpr int edges = 3;
    MH_FN Edge parted(WholeRing ring, int c) const { return Blocks{i, j, k, kind}.parted(ring, c); }
    MH_FN Edge joined(WholeRing ring, int c) const { return Blocks{i, j, k, kind}.joined(ring, c); }
};

// calls f(c, edge) for each pair of neighbors that a move joins, or parts, except for pairs that remain neighbors
template <class M, class F> MH_FN void for_joined(WholeRing ring, M m, F f) {
    for (int c = 0; c < M::edges; ++c) {
        const Edge made = m.joined(ring, c);
        bool there = made.p == made.q;
        for (int d = 0; d < M::edges; ++d) there |= made == m.parted(ring, d);
        if (!there) f(c, made);
    }
}
template <class M, class F> MH_FN void for_parted(WholeRing ring, M m, F f) {
    for (int c = 0; c < M::edges; ++c) {
        const Edge cut = m.parted(ring, c);
        bool stays = false;
        for (int d = 0; d < M::edges; ++d) stays |= cut == m.joined(ring, d);
        if (!stays) f(c, cut);
    }
}

// the same move at positions that are `by` higher
template <int flips> MH_FN FlipMove<flips> shifted(FlipMove<flips> m, int by) {
    for (int c = 0; c < flips; ++c) m.at[c] += by;
    return m;
}
MH_FN SubstitutionMove shifted(SubstitutionMove m, int by) { return {m.at + by, m.shift, m.values}; }
MH_FN SwapMove shifted(SwapMove m, int by) { return {m.i + by, m.j + by}; }
MH_FN InsertionMove shifted(InsertionMove m, int by) { return {m.i + by, m.j + by}; }

// what only some moves tell of the positions that they write
template <class M, class = void> struct PartPlacements {
    int first;
    M move;
};
template <class M> struct PartPlacements<M, typename Voided<decltype(M::placements)>::type> {
    int first;
    M move;
    static constexpr int placements = M::placements;
    MH_FN int place(int c) const { return first + move.place(c); }
    MH_FN Item value(const Item* x, int c) const { return move.value(x + first, c); }
    template <class N = M> MH_FN auto left(int c) const -> decltype(declval<const N&>().left(c)) {
        return first + static_cast<const N&>(move).left(c);
    }
};

// A move of one part of a solution, whose entries begin at `first`; `move` has positions in the part.
template <int part, class M> struct PartMove : PartPlacements<M> {
    MH_FN PartMove() = default;
    MH_FN PartMove(int first, M move) : PartPlacements<M>{first, move} {}
    MH_FN PartMove inverse() const { return {this->first, this->move.inverse()}; }
};

// what only some pairs of moves tell of the positions that they write
template <class A, class B, class = void> struct PairPlacements {
    A left;
    B right;
};
template <class A, class B>
struct PairPlacements<A, B, typename Voided<decltype(A::placements + B::placements)>::type> {
    A left;
    B right;
    static constexpr int placements = A::placements + B::placements;
    MH_FN int place(int c) const { return c < A::placements ? left.place(c) : right.place(c - A::placements); }
    MH_FN Item value(const Item* x, int c) const {
        return c < A::placements ? left.value(x, c) : right.value(x, c - A::placements);
    }
};

// Two moves at once, in different parts of a solution.
template <class A, class B> struct ProductMove : PairPlacements<A, B> {
    MH_FN ProductMove() = default;
    MH_FN ProductMove(A left, B right) : PairPlacements<A, B>{left, right} {}
    MH_FN ProductMove inverse() const { return {this->left.inverse(), this->right.inverse()}; }
};

// ---- the best move ----

MH_FN EvaluatedMove no_move() { return {Never<Cost>::value, Cost(0), -1}; }

// whether a move is better: the lowest score, the lowest index among equals
MH_FN bool precedes(EvaluatedMove move, EvaluatedMove best) {
    if (move.score == Never<Cost>::value) return false;
    return best.index < 0 || move.score < best.score || (move.score == best.score && move.index < best.index);
}

MH_FN void offer(EvaluatedMove& best, Cost score, Cost delta, i64 index) {
    const EvaluatedMove move{score, delta, index};
    if (precedes(move, best)) best = move;
}

// an index below 2**39 after 24 bits that depend on random bits: the lowest among equals is then a random move
MH_FN i64 shuffled(i64 index, u32 bits) {
    u32 h = (u32(index) ^ u32(u64(index) >> 32) ^ bits) * 0x9E3779B1u;
    h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
    h = (h ^ (h >> 13)) * 0xC2B2AE35u;
    return i64(h ^ (h >> 16)) >> 8 << 39 | index;
}

struct Insertion;  // the neighborhood, whose groups some problems evaluate whole

// Consecutive moves of a group, `from` ... `to` - 1.
struct Run {
    i64 group;
    int from, to;
};

// Moves of a neighborhood that bring an item and one of its candidates together, each in some variants; a group is the
// moves of one item. A half of such moves has `groups` and `resolve`.
template <class Data> struct ByCandidates : Data {
    typedef decltype(Data::neighborhood) Whole;

    struct Move { int item, candidate, variant; };

    MH_FN int length() const { return this->candidates.columns * int(this->variants); }
    MH_FN int length(i64) const { return length(); }
    MH_FN i64 first(i64 g) const { return g * length(); }
    MH_FN Move move(i64 g, int k) const {
        return {int(g), this->candidates(g, k / int(this->variants)), k % int(this->variants)};
    }
    MH_FN i64 group(Move m) const { return m.item; }
    MH_FN i64 index(Move m) const {
        int rank = 0;
        while (this->candidates(m.item, rank) != m.candidate) ++rank;
        return first(m.item) + rank * int(this->variants) + m.variant;
    }
    MH_FN Move unrank(i64 k) const { return move(k / length(), int(k % length())); }
};
