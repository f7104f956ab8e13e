// Areas of the slices of a hypervolume of three objectives. A slice lies between the third numbers of two successive
// costs; its area is what all costs up to the first of the two dominate in the other two objectives.
#ifdef __CUDACC__
// areas[i] = the area of slice i, which one thread computes; 0 for a slice without depth. The costs are in ascending
// order of x; the width of a cost is the distance to the next x, its height that of the lowest cost so far.
MH_ENTRY(slices) {
    const Arguments& a = *arguments;
    __shared__ Number width[MH_THREADS], y[MH_THREADS];
    __shared__ i64 slice[MH_THREADS];
    const i64 i = i64(blockIdx.x) * blockDim.x + threadIdx.x;
    const bool deep = i < a.n && a.depths[i] > 0;
    const Number top = *a.top;
    Number area = 0, lowest = top;
    for (i64 first = 0; first < a.n; first += MH_THREADS) {
        const i64 j = first + threadIdx.x;
        __syncthreads();  // all threads have read the tile before
        width[threadIdx.x] = j < a.n ? a.widths[j] : 0;
        y[threadIdx.x] = j < a.n ? a.ys[j] : 0;
        slice[threadIdx.x] = j < a.n ? a.slices[j] : a.n;
        __syncthreads();
        if (!deep) continue;
#pragma unroll 4
        for (int t = 0; t < MH_THREADS; ++t) {
            if (slice[t] <= i && y[t] < lowest) lowest = y[t];
            area += width[t] * (top - lowest);
        }
    }
    if (i < a.n) a.areas[i] = area;
}
#else
// The same, slice by slice: the costs are in ascending order of z; the width of a cost is its distance to the reference
// point. `slices` holds the staircase of the costs so far, whose steps become narrower and lower.
MH_ENTRY(slices) {
    const Arguments& a = *arguments;
    i64 count = 0;
    Number area = 0;
    const auto width = [&](i64 step) { return step < count ? a.widths[a.slices[step]] : 0; };
    const auto y = [&](i64 step) { return step < 0 ? *a.top : a.ys[a.slices[step]]; };
    for (i64 i = 0; i < a.n; ++i) {
        i64 first = 0, end = count;
        while (first < end) {
            const i64 middle = (first + end) / 2;
            if (width(middle) > a.widths[i]) first = middle + 1;
            else end = middle;
        }
        const bool same = first < count && width(first) == a.widths[i];
        if (y(same ? first : first - 1) > a.ys[i]) {
            Number right = a.widths[i], above = y(first - 1);
            for (end = first; end < count && y(end) >= a.ys[i]; ++end) {  // the steps that the new cost covers
                area += (right - width(end)) * (above - a.ys[i]);
                right = width(end);
                above = y(end);
            }
            area += (right - width(end)) * (above - a.ys[i]);
            if (end == first)
                for (i64 step = count; step > first; --step) a.slices[step] = a.slices[step - 1];
            else
                for (i64 step = end; step < count; ++step) a.slices[first + 1 + step - end] = a.slices[step];
            a.slices[first] = i;
            count += first + 1 - end;
        }
        a.areas[i] = area;
    }
}
#endif
