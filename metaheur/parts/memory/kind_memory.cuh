// `expiries(kind, value)` is the last iteration in which the value must not return to positions of the kind.
struct KindMemory : KindMemoryData {
    // whether a position of this kind has the value, of those that a move writes: before the move
    template <class Move> MH_FN bool had(const Item* x, Move move, int kind, Item value) const {
        bool found = false;
        for (int c = 0; c < Move::placements; ++c) found |= kinds(move.place(c)) == kind && x[move.place(c)] == value;
        return found;
    }

    // after the move
    template <class Move> MH_FN bool has(const Item* x, Move move, int kind, Item value) const {
        bool found = false;
        for (int c = 0; c < Move::placements; ++c) found |= kinds(move.place(c)) == kind && move.value(x, c) == value;
        return found;
    }

    // calls f(kind, value) for each value that comes to positions of another kind
    template <class Move, class F> MH_FN void each_arrival(const Item* x, Move move, F f) const {
        for (int c = 0; c < Move::placements; ++c) {
            const int kind = kinds(move.place(c));
            const Item value = move.value(x, c);
            if (!had(x, move, kind, value)) f(kind, value);
        }
    }

    template <class Move> MH_FN i64 expiry(const Item* x, Move move) const {
        i64 least = i64(1) << 62;
        each_arrival(x, move, [&](int kind, Item value) {
            const i64 other = expiries(kind, value);
            least = other < least ? other : least;
        });
        return least;
    }

    // x is the solution before the move
    template <class Move> MH_FN void remember(Team team, const Item* x, Move move, Random random) const {
        team.for_each(Move::placements, [&](i64 c) {
            const int place = move.place(int(c)), kind = kinds(place);
            if (!has(x, move, kind, x[place]))
                expiries(kind, x[place]) = random.iteration + tenure.draw(random.bits(u32(c)), n);
        });
    }

    template <class Move, class F> MH_FN void gains(const Item* x, Move move, F f) const {
        each_arrival(x, move, [&](int kind, Item value) { f(kind * i64(expiries.columns) + value); });
    }
};
