// Areas of the slices of a hypervolume of three objectives. A slice lies between the third numbers of two costs that
// follow each other, and is what all costs up to the first of them dominate in the other two objectives: the costs in
// ascending order of x, each as wide as it is far to the next one, and as high as the lowest so far leaves.
// out[i] = the area of slice i, by a thread; 0 where a slice has no depth
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
        __syncthreads();  // the tile before has been read
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
