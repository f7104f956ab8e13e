struct ByChance : ByChanceData {
    MH_FN bool accepts(Total delta, Total, Total, u32 draw) const { return delta <= 0 || i64(draw) < share; }
};
