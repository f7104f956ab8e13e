// Functions for archives and selections of members. `costs(i)` are the objectives of member i.

// the index of the lowest score, the highest index among equals
MH_FN i64 youngest_lowest(Team, const double* scores, i64 count) {
    i64 best = 0;
    for (i64 i = 1; i < count; ++i) best = scores[i] <= scores[best] ? i : best;
    return best;
}

// moves the `count` members with the lowest scores of out[0] ... out[free - 1], which ascend, to the front, in their
// order
MH_FN i64 take_lowest(Team team, const double* scores, i64 free, i64 count, i64* out) {
    const i64 chosen = count < free ? count : free;
    if (team.rank == 0) {
        for (i64 k = 0; k < chosen; ++k) {
            i64 best = k;
            for (i64 i = k + 1; i < free; ++i) best = scores[out[i]] < scores[out[best]] ? i : best;
            const i64 taken = out[best];
            for (i64 i = best; i > k; --i) out[i] = out[i - 1];  // the others keep their order
            out[k] = taken;
        }
    }
    team.sync();
    return chosen;
}

// the distance between a member's neighbors, summed over the objectives; the largest number for the ends
// among the members that are alike
template <class Costs, class Alike>
MH_FN double crowding_distance(const Costs& costs, i64 count, i64 i, const Alike& alike) {
    double distance = 0;
    for (int k = 0; k < int(sizeof(Cost) / sizeof(Number)); ++k) {
        const Number own = costs(i)[k];
        Number low = own, high = own, previous = own, next = own;
        bool first = true, last = true;
        for (i64 j = 0; j < count; ++j) {
            if (j == i || !alike(j)) continue;
            const Number value = costs(j)[k];
            low = value < low ? value : low;
            high = value > high ? value : high;
            if (value < own || (value == own && j < i)) {
                previous = first || value > previous ? value : previous;
                first = false;
            } else {
                next = last || value < next ? value : next;
                last = false;
            }
        }
        if (first || last) return Never<double>::value;
        if (high > low) distance += (double(next) - double(previous)) / (double(high) - double(low));
    }
    return distance;
}
template <class Costs> MH_FN double crowding_distance(const Costs& costs, i64 count, i64 i) {
    return crowding_distance(costs, count, i, [](i64) { return true; });
}

// ---- populations ----

template <class T, int place, bool divided> MH_FN Total total_at(const KeptMatrix<T, place, divided>& costs, i64 i) {
    Total found;
    for (int k = 0; k < costs.columns; ++k) found[k] = costs(i, k);
    return found;
}
template <class T, int place, bool divided>
MH_FN void put_total(const KeptMatrix<T, place, divided>& costs, i64 i, const Total& cost) {
    for (int k = 0; k < costs.columns; ++k) costs(i, k) = cost[k];
}

// no objective is higher, and one is lower
MH_FN bool dominates(const Total& a, const Total& b) { return covers(a, b) && a != b; }

// The ranges of objectives, by which they are scaled to 0 ... 1.
struct ObjectiveRanges {
    static constexpr int objectives = int(sizeof(Total) / sizeof(Number));
    double low[objectives], spread[objectives];

    MH_FN double scaled(const Total& cost, int k) const { return (double(cost[k]) - low[k]) / spread[k]; }

    // the squared distance
    MH_FN double square(const Total& a, const Total& b) const {
        double found = 0;
        for (int k = 0; k < objectives; ++k) {
            const double apart = scaled(a, k) - scaled(b, k);
            found += apart * apart;
        }
        return found;
    }
};

// among some costs, of which there is one at least
template <class Costs, class Among> MH_FN ObjectiveRanges ranges_of(const Costs& cost, i64 count, const Among& among) {
    ObjectiveRanges found;
    for (int k = 0; k < ObjectiveRanges::objectives; ++k) {
        double low = 0, high = 0;
        bool first = true;
        for (i64 i = 0; i < count; ++i) {
            if (!among(i)) continue;
            const double value = double(cost(i)[k]);
            low = first || value < low ? value : low;
            high = first || value > high ? value : high;
            first = false;
        }
        found.low[k] = low;
        found.spread[k] = high > low ? high - low : 1.0;
    }
    return found;
}
template <class Costs> MH_FN ObjectiveRanges ranges_of(const Costs& cost, i64 count) {
    return ranges_of(cost, count, [](i64) { return true; });
}

// A squared distance to others, and how many others have it.
struct Distance {
    double square;
    i64 count;
};

// the least distance of i to others above a bound
template <class Square, class Other>
MH_FN Distance next_distance(const Square& square, const Other& other, i64 count, i64 i, double bound) {
    Distance found{Never<double>::value, 0};
    for (i64 j = 0; j < count; ++j) {
        if (j == i || !other(j)) continue;
        const double value = square(i, j);
        if (value <= bound || value > found.square) continue;
        found.count = value < found.square ? 1 : found.count + 1;
        found.square = value;
    }
    return found;
}

// whether the distances of i to the others, in ascending order, come before those of j
template <class Square, class Other>
MH_FN bool nearer(const Square& square, const Other& other, i64 count, i64 i, i64 j) {
    for (double bound = -1.0;;) {
        const Distance a = next_distance(square, other, count, i, bound);
        const Distance b = next_distance(square, other, count, j, bound);
        if (a.square != b.square) return a.square < b.square;
        if (a.count != b.count || !a.count) return a.count > b.count;
        bound = a.square;
    }
}

// ranks(i) = -2 for a solution that is equal to an earlier one, -1 for any other one
template <class P, class Ranks> MH_FN void mark_copies(const Walk& walk, const P& population, i64 count, Ranks ranks) {
    const Team team = walk.team;
    team.sync();
    team.for_each(count, [&](i64 i) {
        i64 j = 0;
        while (j < i && population.cost(j) != population.cost(i)) ++j;
        ranks(i) = j;
    });
    team.sync();
    for (i64 i = 0; i < count; ++i) {
        i64 j = ranks(i);
        bool copy = false;
        for (; j < i && !copy; ++j)
            copy =
                population.cost(j) == population.cost(i) && same(walk, population.solution(j), population.solution(i));
        team.sync();
        if (team.rank == 0) ranks(i) = copy ? -2 : -1;
    }
    team.sync();
}

// the ranks of costs, front by front; `count` for entries that are below -1 before. Returns the number of fronts.
template <class Costs, class Ranks>
MH_FN i64 rank_fronts(Team team, i64 count, const Costs& cost, Ranks ranks, Ranks above) {
    team.for_each(count, [&](i64 i) {
        i64 found = 0;
        for (i64 j = 0; j < count; ++j) found += ranks(j) >= -1 && dominates(cost(j), cost(i));
        above(i) = found;
    });
    team.sync();
    i64 left = team.sum(count, [&](i64 i) { return i64(ranks(i) == -1); }), front = 0;
    for (; left > 0; ++front) {
        team.sync();
        team.for_each(count, [&](i64 i) {
            if (ranks(i) == -1 && above(i) == 0) ranks(i) = front;
        });
        team.sync();
        for (i64 j = 0; j < count; ++j)
            if (ranks(j) == front)
                team.for_each(count, [&](i64 i) { above(i) -= ranks(i) == -1 && dominates(cost(j), cost(i)); });
        left -= team.sum(count, [&](i64 i) { return i64(ranks(i) == front); });
    }
    team.sync();
    team.for_each(count, [&](i64 i) {
        if (ranks(i) < 0) ranks(i) = count;
    });
    team.sync();
    return front;
}
