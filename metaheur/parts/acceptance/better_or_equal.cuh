struct BetterOrEqual : BetterOrEqualData {
    MH_FN bool accepts(Total delta, Total, Total, u32) const { return delta <= 0; }
};
