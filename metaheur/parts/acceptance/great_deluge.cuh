struct GreatDeluge : GreatDelugeData {
    MH_FN void init(Walk& walk) { level = double(walk.cost) + slack; }
    MH_FN bool accepts(Total delta, Total current, Total, u32) const {
        return delta <= 0 || double(current + delta) <= level;
    }
    MH_FN void record(Team, bool, Total, Total) { level = level - rain; }
};
