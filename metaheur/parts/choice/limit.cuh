struct Limit : LimitData {
    MH_FN bool reached(i64 age, i64 since) const {
        return (iterations > 0 && age >= iterations) || (stagnation > 0 && since >= stagnation);
    }
};
