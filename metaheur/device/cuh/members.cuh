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
template <class Costs> MH_FN double crowding_distance(const Costs& costs, i64 count, i64 i) {
    double distance = 0;
    for (int k = 0; k < int(sizeof(Cost) / sizeof(Number)); ++k) {
        const Number own = costs(i)[k];
        Number low = own, high = own, previous = own, next = own;
        bool first = true, last = true;
        for (i64 j = 0; j < count; ++j) {
            if (j == i) continue;
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
