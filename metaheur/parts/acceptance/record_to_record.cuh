struct RecordToRecord : RecordToRecordData {
    MH_FN bool accepts(Total delta, Total current, Total best, u32) const {
        return double(current + delta - best) <= cooling.level;
    }
    MH_FN void record(Team, bool accepted, Total, Total) { cooling.record(accepted); }
    MH_FN bool ended() const { return cooling.over(); }
};
