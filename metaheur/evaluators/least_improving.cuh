struct LeastImproving : LeastImprovingData {
    MH_FN Cost score(Cost delta) const {
        if constexpr (IsDouble<Cost>::value) return delta < 0 ? 1 / delta : delta;
        else return delta < 0 ? -Never<Cost>::value - 1 - delta : delta;
    }
};
