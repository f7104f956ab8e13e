// A team on the GPU is a thread, a tile of a warp, a warp, or a block. Several blocks may share a walk as a league:
// each holds a replica of its solution and of what is kept, and owns a share of the neighborhood; only moves travel
// between. The blocks of a cluster (MH_CLUSTER) write them into each other's shared memory, others into global memory.
MH_FN constexpr bool cancelled() { return false; }  // launches are short

// the place of the lowest bit of a word that is not 0
MH_FN int lowest_bit(u32 word) { return __ffs(int(word)) - 1; }

__shared__ EvaluatedMove mh_slots[32];  // a block's own, one for each warp
__shared__ EvaluatedMove mh_answer;     // what the league agreed on

// Where the blocks of a cluster meet: each writes its move into the shared memory of all. The hardware counts the bytes
// that have arrived, for which a block waits: no fence, and no turn through global memory. Of two sets of posts, one is
// written again when all blocks have written the other, and so have read this one.
#if MH_CLUSTER
__shared__ EvaluatedMove mh_posts[2][MH_LEAGUE];
__shared__ u64 mh_arrivals[2];  // mbarriers

MH_FN u32 shared_address(const void* own) { return u32(__cvta_generic_to_shared(own)); }

// the same place in the shared memory of another block
MH_FN u32 in_block(u32 address, int block) {
    u32 there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(block));
    return there;
}

MH_FN void sync_cluster() {
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// before a walk, by all threads of the cluster
MH_FN void open_posts() {
    if (threadIdx.x == 0) {
        for (int set = 0; set < 2; ++set)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(mh_arrivals + set)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    sync_cluster();
}

// after a walk, when all threads of the block have done with it
MH_FN void close_posts() {
    if (threadIdx.x > 0) return;
    for (int set = 0; set < 2; ++set)
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(mh_arrivals + set)) : "memory");
}

// `best` to a place in the shared memory of another block, whose mbarrier counts the bytes
MH_FN void post(EvaluatedMove best, u32 to, u32 arrivals) {
    union {
        EvaluatedMove move;
        u64 words[sizeof(EvaluatedMove) / 8];
    } sent = {best};
    for (int w = 0; w < int(sizeof(EvaluatedMove) / 8); ++w)
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to + 8 * w),
                     "l"(sent.words[w]), "r"(arrivals)
                     : "memory");
}

// until the bytes of all blocks have arrived, for the turn-th time
MH_FN void await_posts(u32 arrivals, u32 turn) {
    u32 there = 0;
    while (!there)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(there)
                     : "r"(arrivals), "r"(turn & 1)
                     : "memory");
}
#else
MH_FN void open_posts() {}
MH_FN void close_posts() {}
#endif

// Where the blocks of a league meet, in global memory.
struct Mailbox {
    u64* arrived;          // blocks that have posted, in all turns
    EvaluatedMove* posts;  // two sets, so that nobody overwrites what is still read
};

// what another block may write meanwhile, read once
template <class T> MH_FN T steady(const volatile T& value) { return value; }

// Whether a problem evaluates a neighborhood's groups whole, so that the league shares groups, not moves; known later.
template <class Neighborhood> struct SharesGroups;

// How many moves in a row one block of a league owns; known later.
template <class Neighborhood> struct OwnedRun;
