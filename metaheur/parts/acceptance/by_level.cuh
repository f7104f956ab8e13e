// The highest level that a change alters decides. The weight of a level is odd, so that half of it, rounded down, is
// the most that all lower levels add up to.
struct ByLevel : ByLevelData {
    MH_FN Total level(Total number) const {
        const i64 shifted = i64(number) + weight / 2, whole = shifted / weight;
        return whole - (whole * weight > shifted);
    }

    MH_FN bool accepts(Total delta, Total current, Total best, u32 draw) const {
        const Total changed = level(delta);
        if (changed != 0) return first.accepts(changed, level(current), level(best), draw);
        return others.accepts(delta, current - level(current) * weight, best - level(best) * weight, draw);
    }

    MH_FN void record(Team team, bool accepted, Total cost, Total best) {
        const Total now = level(cost), least = level(best);
        record_inside(first, team, accepted, now, least);
        record_inside(others, team, accepted, cost - now * weight, best - least * weight);
    }

    MH_FN bool ended() const { return ::ended(first) && ::ended(others); }
};
