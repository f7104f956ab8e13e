struct NonLinearGreatDeluge : NonLinearGreatDelugeData {
    MH_FN void init(Walk& walk) { level = double(walk.cost); }
    MH_FN bool accepts(Total delta, Total current, Total, u32) const {
        return delta <= 0 || double(current + delta) <= level;
    }
    MH_FN void record(Team, bool, Total cost, Total) {
        level = floor + (level - floor) * (1.0 - decay);
        if (level - double(cost) < gap) level = level + rise;
    }
};
