struct Geometric : GeometricData {
    MH_FN double next(double temperature, i64 sampled, i64) const {
        return sampled >= every ? temperature * rate : temperature;
    }
    MH_FN bool over(double temperature, i64) const { return temperature < last; }
};
