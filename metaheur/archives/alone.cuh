// What members of a front dominate alone: the measure of the region up to a corner that each dominates and no other
// member does. Sums are made in the order of the Python half, so that they round alike.
#ifndef MH_ALONE
#define MH_ALONE
// costs(i): the cost of member i. orders(r): room for K - 1 numbers a member: the members sorted by the first
// objective, and by each from the third on.
template <int K, class Costs, class Orders> struct Alone {
    Costs costs;
    i64 count;
    Orders orders;
    double corner[K];

    MH_FN double& order(int k, i64 r) const { return orders((k ? k - 1 : 0) * count + r); }

    MH_FN double value(i64 i, int k) const { return double(costs(i)[k]); }

    // the place of member i in the order of an objective, the lower index first among equals
    MH_FN i64 place(i64 i, int k) const {
        i64 before = 0;
        for (i64 j = 0; j < count; ++j) before += value(j, k) < value(i, k) || (value(j, k) == value(i, k) && j < i);
        return before;
    }

    MH_FN double area_alone(i64 p) const {
        const i64 at = place(p, 0);
        double right = corner[0], top = corner[1];
        for (i64 j = 0; j < count; ++j) {
            const i64 there = place(j, 0);
            if (there == at + 1) right = value(j, 0);
            if (there == at - 1) top = value(j, 1);
        }
        return (right - value(p, 0)) * (top - value(p, 1));
    }

    // the area above and right of p that no other point covers whose values from the third on are at most `heights`
    MH_FN double exclusive(i64 p, const double* heights) const {
        const double x = value(p, 0), y = value(p, 1);
        double total = 0, at = x, top = corner[1];
        for (i64 r = 0; r < count; ++r) {
            const i64 q = i64(order(0, r));
            bool there = q != p;
            for (int k = 2; k < K; ++k) there &= value(q, k) <= heights[k];
            if (!there) continue;
            const double next = value(q, 0) > x ? value(q, 0) : x, below = value(q, 1) > y ? value(q, 1) : y;
            total += (next - at) * (top - y);
            at = next;
            top = below < top ? below : top;
        }
        return total + (corner[0] - at) * (top - y);
    }

    // the measure in the first k + 1 objectives that p alone dominates, slice by slice
    template <int k> MH_FN double alone(i64 p, double* heights) const {
        if constexpr (k == 1) {
            return exclusive(p, heights);
        } else {
            double total = 0;
            heights[k] = value(p, k);
            double measure = alone<k - 1>(p, heights);
            for (i64 r = 0; r < count; ++r) {
                const double next = value(i64(order(k, r)), k);
                if (next <= heights[k]) continue;
                total += (next - heights[k]) * measure;
                heights[k] = next;
                measure = alone<k - 1>(p, heights);
            }
            return total + (corner[k] - heights[k]) * measure;
        }
    }

    MH_FN double volume_alone(i64 p) const {
        double heights[K];
        return alone<K - 1>(p, heights);
    }

    // the members sorted, by all threads of a team, which are synchronised after it
    MH_FN void sort(Team team) const {
        if constexpr (K > 2) {
            for (int k = 0; k < K; ++k)
                if (k != 1) team.for_each(count, [&](i64 i) { order(k, place(i, k)) = double(i); });
            team.sync();
        }
    }

    // sets the corner a tenth of the range beyond the largest values; first[k]: the first member with the smallest
    // value
    MH_FN void measure(i64* first) {
        for (int k = 0; k < K; ++k) {
            first[k] = 0;
            double low = value(0, k), high = low;
            for (i64 i = 1; i < count; ++i) {
                const double next = value(i, k);
                if (next < low) first[k] = i;
                low = next < low ? next : low;
                high = next > high ? next : high;
            }
            corner[k] = high + 0.1 * (high - low);
        }
    }

    // infinite for the first member with the smallest value of an objective
    MH_FN double alone_or_end(i64 i, const i64* first) const {
        for (int k = 0; k < K; ++k)
            if (first[k] == i) return Never<double>::value;
        if constexpr (K > 2) return volume_alone(i);
        else return area_alone(i);
    }
};
#endif
