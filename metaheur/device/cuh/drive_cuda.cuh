// Walks on the GPU: a thread (MH_OWNER 0), a warp (1), or MH_LEAGUE blocks (2) own a walk; the blocks form a cluster if
// MH_CLUSTER says so.
#if MH_CLUSTER
#define MH_SHAPE __cluster_dims__(MH_LEAGUE, 1, 1)
#else
#define MH_SHAPE
#endif

extern __shared__ __align__(16) char mh_arena[];

// the first walk of each owner; the distance to its next walk is the number of walks of the grid
MH_FN i64 first_walk() {
    const i64 thread = i64(blockIdx.x) * MH_THREADS + threadIdx.x;
    return MH_OWNER == 0 ? thread : MH_OWNER == 1 ? thread / 32 : blockIdx.x / MH_LEAGUE;
}

MH_FN i64 walks_of_grid() {
    const i64 threads = i64(gridDim.x) * MH_THREADS;
    return MH_OWNER == 0 ? threads : MH_OWNER == 1 ? threads / 32 : gridDim.x / MH_LEAGUE;
}

MH_FN Team owner_of_walk(const Arguments& a, i64 number) {
    if (MH_OWNER == 0) return Team{0, 1, 0, 1, {}};
    if (MH_OWNER == 1) return Team{int(threadIdx.x % 32), 32, 0, 1, {}};
    return Team{int(threadIdx.x),
                MH_THREADS,
                int(blockIdx.x % MH_LEAGUE),
                MH_LEAGUE,
                {a.arrived + number, a.posts + number * 2 * MH_LEAGUE}};
}

// memory of a team, after the memory that all teams of the block share: shared memory, or a thread's private memory
MH_FN Arena own_memory(char* shared, char* own) {
    if (MH_OWNER == 0) return Arena{own};
    return Arena{shared + (MH_OWNER == 1 ? i64(threadIdx.x / 32) * MH_OWN : 0)};
}

MH_ENTRY(drive, MH_SHAPE) {
    const Arguments& a = *arguments;
    Problem problem = a.problem;
    Loop loop = a.loop;
    Arena common{mh_arena};
    const Staging staging{common};
    problem.each(staging);
    loop.each(staging);
    __syncthreads();
    alignas(16) char own[MH_OWNER == 0 && MH_OWN > 0 ? MH_OWN : 16];
    const Arena memory = own_memory(common.free, own);
    const i64 thread = i64(blockIdx.x) * MH_THREADS + threadIdx.x;
    for (i64 number = first_walk(); number < value; number += walks_of_grid()) {
        const Team team = owner_of_walk(a, number);
        open_posts();
        drive_walk(a, problem, loop, team, number, memory, a.scratch + thread * problem.n);
        team.sync();  // the next walk uses the same memory
        close_posts();
    }
}
