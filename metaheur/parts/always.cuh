struct Always : AlwaysData {
    MH_FN bool accepts(Cost) const { return true; }
};
