struct BreakoutRules : BreakoutRulesData {
    MH_FN i64 kind(i64 failures, u32 first, u32 second) const {
        return i64(first) < chances(failures) ? 0 : i64(second) < oldest_chance ? 1 : 2;
    }

    MH_FN i64 moves() const {
        const i64 some = strength.ceil_times(n);
        return some > least ? some : least;
    }
};
