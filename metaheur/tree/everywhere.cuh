// Calls a function for each of a number of things: by all threads of a GPU, one after the other on a CPU.
struct Everywhere {
    template <class F> MH_FN void each(i64 count, F f) const {
#ifdef __CUDACC__
        for (i64 i = i64(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += i64(gridDim.x) * blockDim.x) f(i);
#else
        for (i64 i = 0; i < count; ++i) f(i);
#endif
    }
};
