struct Improving : ImprovingData {
    MH_FN bool accepts(Cost delta) const { return delta < 0; }
};
