// If a solution with the hash h is remembered, hashes(h mod capacity) = h, and expiries(h mod capacity) is its expiry.
// `hash` is the hash of the current solution, if it is `known`.
struct SolutionMemory : SolutionMemoryData {
    MH_FN void init(Walk&) { ring = cyclic; }

    // the hash follows from the move alone, which tells all that it writes, or all new neighbors of a tour
    template <class Move> MH_FN static constexpr bool follows() {
        return cyclic ? TellsEdges<Move, int>::value : TellsPlacements<Move, int>::value && !HasLeft<Move, int>::value;
    }

    MH_FN void arrive(Team team, const Item* x, bool elsewhere) {
        if (known && !elsewhere) return;
        hash = hash_of(team, x, n, cyclic);
        known = 1;
    }

    // the hash of the solution after a move
    template <class Move> MH_FN i64 hash_after(const Item* x, Move move) const {
        u64 total = u64(i64(hash));
        if constexpr (cyclic) {
            const auto edge = [=](Edge e) { return hash_of_edge(x[e.p], x[e.q]); };
            for_joined(WholeRing{n, true}, move, [&](int, Edge e) { total += edge(e); });
            for_parted(WholeRing{n, true}, move, [&](int, Edge e) { total -= edge(e); });
        } else {
            for (int c = 0; c < Move::placements; ++c) {
                const int place = move.place(c);
                total += hash_word(place, u32(move.value(x, c))) - hash_word(place, u32(x[place]));
            }
        }
        return i64(total);
    }

    MH_FN i64 expiry_of_hash(i64 h) const {
        const i64 slot = i64(u64(h) % u64(capacity));
        return hashes(slot) == h ? expiries(slot) : 0;
    }

    template <class Move, class = typename Only<follows<Move>()>::type>
    MH_FN i64 expiry(const Item* x, Move move) const {
        return expiry_of_hash(hash_after(x, move));
    }

    MH_FN i64 expiry_of(Team team, const Item* moved) const { return expiry_of_hash(hash_of(team, moved, n, cyclic)); }

    template <class Move> MH_FN void remember(Team team, const Item* x, Move move, Random random) {
        if (team.rank == 0) {
            const i64 slot = i64(u64(i64(hash)) % u64(capacity));
            hashes(slot) = hash;
            expiries(slot) = random.iteration + tenure.draw(random.bits(0), n);
        }
        if constexpr (follows<Move>()) hash = hash_after(x, move);
        else known = 0;
    }
};
