struct Better : BetterData {
    MH_FN bool accepts(Total delta, Total, Total, u32) const { return delta < 0; }
};
