struct Lowest : LowestData {
    static constexpr bool takes_deltas = true;  // the score of a change of cost is the change itself

    MH_FN Cost score(Cost delta) const { return delta; }
};
