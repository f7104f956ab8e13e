MH_FN Team one_team(int threads) { return Team{int(threadIdx.x), threads, 0, 1, {}}; }
MH_FN Team one_team() { return one_team(int(blockDim.x)); }

// a value that all threads of a team need, read once, since it may be in the host's memory
template <class T> MH_FN T fetch(Team team, const T* from) {
    if (team.size <= 32) return *from;
    __shared__ T fetched;
    __syncthreads();  // threads may still read the value before
    if (team.rank == 0) fetched = *from;
    __syncthreads();
    return fetched;
}

// f(team, thread) in all blocks, each with its share of the neighborhood
template <class F> MH_FN void in_parallel(int, F f) {
    const Team team{int(threadIdx.x), int(blockDim.x), int(blockIdx.x), int(gridDim.x), {}};
    f(team, i64(blockIdx.x) * blockDim.x + threadIdx.x);
}

// f(team, thread) as above, and then g(team) by the block that finishes last; `done` counts blocks, and ends at 0
template <class F, class G> MH_FN void in_parallel(int teams, u32* done, F f, G g) {
    in_parallel(teams, f);
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();  // the block's result is visible before the block is counted
        last = atomicAdd(done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    g(one_team());
    if (threadIdx.x == 0) *done = 0;
}
