struct Feasibility : FeasibilityData {
    MH_FN i64 lower(const Tree&, const Node&, int) const { return 0; }
};
