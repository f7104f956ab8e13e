// The weighted sum of the levels decides; the weight of the first level follows the share of feasible solutions.
struct AdaptedWeights : AdaptedWeightsData {
    MH_FN static i64 level_of(Total number, i64 weight) {
        const i64 shifted = i64(number) + weight / 2, whole = shifted / weight;
        return whole - (whole * weight > shifted);
    }
    MH_FN Total level(Total number) const { return level_of(number, weight); }

    MH_FN Total sum(Total number) const {
        const Total first = level(number);
        return number - first * weight + first * (penalty * unit);
    }

    // the scores by which a scan compares moves
    struct Weighing {
        i64 weight, first;
        MH_FN Cost score(Cost delta) const { return Cost(i64(delta) + level_of(delta, weight) * (first - weight)); }
    };
    MH_FN Weighing weighing() const { return {weight, penalty * unit}; }

    MH_FN void init(Walk&) { penalty = start < most() ? start : most(); }

    MH_FN i64 most() const { return weight / unit < most_weight ? weight / unit : most_weight; }

    MH_FN bool accepts(Total delta, Total current, Total best, u32 draw) const {
        return acceptance.accepts(sum(delta), sum(current), sum(best), draw);
    }

    MH_FN void record(Team team, bool accepted, Total cost, Total best) {
        record_inside(acceptance, team, accepted, sum(cost), sum(best));
        const i64 seen = feasible + (level(cost) == 0);
        const bool whole = trials + 1 == window;
        if (whole) penalty = next(penalty, seen);
        trials = whole ? 0 : trials + 1;
        feasible = whole ? 0 : seen;
    }

    MH_FN i64 next(i64 now, i64 seen) const {
        if (seen * low.denominator < low.numerator * window) {
            const i64 grown = now * factor.numerator / factor.denominator, more = grown > now ? grown : now + 1;
            return more < most() ? more : most();
        }
        if (seen * high.denominator > high.numerator * window) {
            const i64 fallen = now * factor.denominator / factor.numerator, less = fallen < now ? fallen : now - 1;
            return less > 1 ? less : 1;
        }
        return now;
    }

    MH_FN bool ended() const { return ::ended(acceptance); }
};
