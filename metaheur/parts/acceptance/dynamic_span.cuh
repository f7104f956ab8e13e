struct DynamicSpan : DynamicSpanData {
    MH_FN double next(double temperature, i64 tried, i64 made) const {
        return tried >= sampled || made >= accepted ? temperature * rate : temperature;
    }
    MH_FN bool over(double, i64 idle) const { return idle >= spans; }
};
