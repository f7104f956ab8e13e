// An empty step of a walk: each thread has a number in place of a move, all agree on the least one, one thread changes
// the solution by it, and all read the solution again. THREADS of a block and BLOCKS of a cluster are macros.
typedef unsigned int u32;

constexpr int warps = (THREADS + 31) / 32;
constexpr int length = 64;

__device__ u32 mixed(u32 x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

__device__ void wait_for_the_block() {
    if (warps > 1) {
        __syncthreads();
    } else {
        __syncwarp();
    }
}

__device__ void wait_for_the_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// write to the same place of the shared memory of another block of the cluster
__device__ void write_there(u32* place, int block, u32 value) {
    u32 address = u32(__cvta_generic_to_shared(place)), there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(block));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(value) : "memory");
}

__device__ u32 least_of_all(u32 key, int step) {
    __shared__ u32 of_warps[2][32];
    u32 least = __reduce_min_sync(~0U, key);
    if (warps > 1) {
        if (threadIdx.x % 32 == 0) of_warps[step & 1][threadIdx.x / 32] = least;
        __syncthreads();
        const int lane = threadIdx.x % 32;
        least = __reduce_min_sync(~0U, lane < warps ? of_warps[step & 1][lane] : ~0U);
    }
#if BLOCKS > 1
    __shared__ u32 of_blocks[2][BLOCKS];
    if (threadIdx.x < BLOCKS) write_there(&of_blocks[step & 1][blockIdx.x], threadIdx.x, least);
    wait_for_the_cluster();
    const int block = threadIdx.x % 32;
    least = __reduce_min_sync(~0U, block < BLOCKS ? of_blocks[step & 1][block] : ~0U);
#endif
    return least;
}

#if BLOCKS > 1
#define CLUSTERED __cluster_dims__(BLOCKS, 1, 1)
#else
#define CLUSTERED
#endif

extern "C" __global__ void __launch_bounds__(THREADS) CLUSTERED empty_steps(u32* out, int steps) {
    __shared__ u32 solution[length];
    for (int i = threadIdx.x; i < length; i += THREADS) solution[i] = i;
    wait_for_the_block();
    const u32 number = blockIdx.x * THREADS + threadIdx.x;
    u32 state = 1;
    for (int step = 0; step < steps; ++step) {
        const u32 least = least_of_all(mixed(state + number), step);
        if (threadIdx.x == 0) {
            const u32 i = least % length, j = least / length % length, kept = solution[i];
            solution[i] = solution[j];
            solution[j] = kept;
        }
        wait_for_the_block();
        state = least + solution[least / 4096 % length];
        if (warps == 1) __syncwarp();  // several warps wait for each other before the next change
    }
#if BLOCKS > 1
    wait_for_the_cluster();
#endif
    if (number == 0) *out = state;
}
