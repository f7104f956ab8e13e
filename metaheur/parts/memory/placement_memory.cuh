struct PlacementMemory : PlacementMemoryData {
    template <class Move> MH_FN i64 expiry(const Item* x, Move move) const {
        i64 soonest = expiries(move.place(0), move.value(x, 0));
        for (int c = 1; c < Move::placements; ++c) {
            i64 other = expiries(move.place(c), move.value(x, c));
            soonest = other < soonest ? other : soonest;
        }
        return soonest;
    }

    // x is the solution before the move
    template <class Move> MH_FN void remember(Team team, const Item* x, Move move, Random random) const {
        team.for_each(Move::placements, [&](i64 c) {
            const int place = left_by(move, int(c));
            expiries(place, x[place]) = random.iteration + tenure.draw(random.bits(u32(c)), n);
        });
    }

    // if for each value and position some move places the value there, the least expiry of all moves is that of all
    // placements but the present ones
    template <class N> static constexpr bool ExpiriesRise = PlacesAll<N, int>::value;

    template <class Move, class F> MH_FN void gains(const Item* x, Move move, F f) const {
        for (int c = 0; c < Move::placements; ++c) f(move.place(c) * i64(expiries.columns) + move.value(x, c));
    }
};
