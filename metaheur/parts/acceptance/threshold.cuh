struct Threshold : ThresholdData {
    MH_FN bool accepts(Total delta, Total, Total, u32) const { return double(delta) <= cooling.level; }
    MH_FN void record(Team, bool accepted, Total, Total) { cooling.record(accepted); }
    MH_FN bool ended() const { return cooling.over(); }
};
