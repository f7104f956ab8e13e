struct LundyMees : LundyMeesData {
    MH_FN double next(double temperature, i64, i64) const { return temperature / (1.0 + beta * temperature); }
    MH_FN bool over(double temperature, i64) const { return temperature < last; }
};
