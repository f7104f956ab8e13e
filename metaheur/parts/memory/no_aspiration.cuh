struct NoAspiration : NoAspirationData {
    MH_FN bool aspires(Cost, Cost, i64, i64) const { return false; }
};
