struct Always : AlwaysData {
    MH_FN bool accepts(Total, Total, Total, u32) const { return true; }
};
