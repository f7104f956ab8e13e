struct BestSoFar : BestSoFarData {
    MH_FN bool aspires(Cost delta, Cost gap, i64, i64) const { return delta < gap; }
};
