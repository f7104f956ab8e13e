// The distance of two places in the plane that differ by x and y; the metric is a number of METRICS in tsp_near.py.
template <int metric> MH_FN double distance(double x, double y) {
    if (metric == 0) return floor(sqrt(x * x + y * y) + 0.5);
    if (metric == 1) return ceil(sqrt(x * x + y * y));
    if (metric == 2) return floor(fabs(x) + fabs(y) + 0.5);
    if (metric == 4) {
        const double exact = sqrt((x * x + y * y) / 10.0), rounded = floor(exact + 0.5);
        return rounded + (rounded < exact);
    }
    const double along = floor(fabs(x) + 0.5), across = floor(fabs(y) + 0.5);
    return along > across ? along : across;
}
