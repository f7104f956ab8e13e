struct Linear : LinearData {
    MH_FN double next(double temperature, i64 sampled, i64) const {
        if (sampled < every) return temperature;
        return temperature > step ? temperature - step : 0;
    }
    MH_FN bool over(double temperature, i64) const { return temperature <= last; }
};
