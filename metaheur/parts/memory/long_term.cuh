struct LongTerm : LongTermData {
    MH_FN bool aspires(Cost delta, Cost gap, i64 expiry, i64 iteration) const {
        return (delta < gap) | (expiry < iteration - iterations);
    }
};
