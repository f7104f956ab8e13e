// A member leaves if the box of another one dominates its box, or is its box and has a member nearer to the corner.
struct EpsilonBoxes : EpsilonBoxesData {
    MH_FN double width(int k) const { return double(widths(widths.size == 1 ? 0 : k)); }
    MH_FN double box(const Cost& cost, int k) const { return floor(double(cost[k]) / width(k)); }

    // the squared distance to the corner of the box
    MH_FN double square(const Cost& cost) const {
        double found = 0;
        for (int k = 0; k < int(sizeof(Cost) / sizeof(Number)); ++k) {
            const double share = (double(cost[k]) - box(cost, k) * width(k)) / width(k);
            found += share * share;
        }
        return found;
    }

    MH_FN bool displaces(i64 j, const Cost& other, i64 i, const Cost& cost) const {
        bool lower = false;
        for (int k = 0; k < int(sizeof(Cost) / sizeof(Number)); ++k) {
            const double theirs = box(other, k), own = box(cost, k);
            if (theirs > own) return false;
            lower |= theirs < own;
        }
        if (lower) return true;
        const double theirs = square(other), own = square(cost);
        return theirs < own || (theirs == own && j < i);
    }

    template <class Costs> MH_FN bool redundant(Costs costs, i64 count, i64 i) const {
        for (i64 j = 0; j < count; ++j)
            if (displaces(j, costs(j), i, costs(i))) return true;
        return false;
    }
};
