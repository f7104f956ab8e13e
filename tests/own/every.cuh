struct Every : EveryData {
    MH_FN void init(Walk&) { trial = 0; }
    MH_FN bool accepts(Total delta, Total, Total, u32) const {
        return delta <= 0 || (delta < rise && trial % trials == 0);
    }
    MH_FN void record(Team, bool, Total, Total) { trial = trial + 1; }
};
