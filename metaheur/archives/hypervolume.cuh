// The member that dominates least alone goes, the youngest among equals; who has the smallest value of an objective
// stays. Sums run in the order of the Python half, so that they round alike.
struct HypervolumeContribution : HypervolumeContributionData {
    static constexpr int K = sizeof(Cost) / sizeof(Number);

    template <class Costs> struct View {
        Costs costs;
        i64 count;
        double* by_x;
        double* by_z;
        double corner[3];

        MH_FN double value(i64 i, int k) const { return double(costs(i)[k]); }

        // the place of member i in the order of an objective, the lower index first among equals
        MH_FN i64 place(i64 i, int k) const {
            i64 before = 0;
            for (i64 j = 0; j < count; ++j)
                before += value(j, k) < value(i, k) || (value(j, k) == value(i, k) && j < i);
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

        // the area above and right of p that no other point up to a height covers
        MH_FN double exclusive(i64 p, double height) const {
            const double x = value(p, 0), y = value(p, 1);
            double total = 0, at = x, top = corner[1];
            for (i64 r = 0; r < count; ++r) {
                const i64 q = i64(by_x[r]);
                if (q == p || value(q, 2) > height) continue;
                const double next = value(q, 0) > x ? value(q, 0) : x, below = value(q, 1) > y ? value(q, 1) : y;
                total += (next - at) * (top - y);
                at = next;
                top = below < top ? below : top;
            }
            return total + (corner[0] - at) * (top - y);
        }

        MH_FN double volume_alone(i64 p) const {
            double total = 0, height = value(p, 2), area = exclusive(p, height);
            for (i64 r = 0; r < count; ++r) {
                const double next = value(i64(by_z[r]), 2);
                if (next <= height) continue;
                total += (next - height) * area;
                height = next;
                area = exclusive(p, height);
            }
            return total + (corner[2] - height) * area;
        }
    };

    template <class Costs> MH_FN i64 worst(Team team, Costs costs, i64 count, double* work) const {
        View<Costs> view{costs, count, work + count, work + 2 * count, {}};
        i64 first[K];
        for (int k = 0; k < K; ++k) {
            first[k] = 0;
            double low = view.value(0, k), high = low;
            for (i64 i = 1; i < count; ++i) {
                const double value = view.value(i, k);
                if (value < low) first[k] = i;
                low = value < low ? value : low;
                high = value > high ? value : high;
            }
            view.corner[k] = high + 0.1 * (high - low);
        }
        if (K == 3) {
            team.for_each(count, [&](i64 i) {
                view.by_x[view.place(i, 0)] = double(i);
                view.by_z[view.place(i, K - 1)] = double(i);
            });
            team.sync();
        }
        team.for_each(count, [&](i64 i) {
            double alone = K == 3 ? view.volume_alone(i) : view.area_alone(i);
            for (int k = 0; k < K; ++k)
                if (first[k] == i) alone = Never<double>::value;
            work[i] = alone;
        });
        team.sync();
        return youngest_lowest(team, work, count);
    }
};
