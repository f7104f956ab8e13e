struct Lowest : LowestData {
    MH_FN Cost score(Cost delta) const { return delta; }
};
