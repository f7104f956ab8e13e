// A team on the GPU is a thread, a tile of a warp, a warp, or a block. Several blocks may share a walk as a league:
// each has a replica of the solution and of the kept arrays, and owns a share of the neighborhood; only moves are
// exchanged. The blocks of a cluster (MH_CLUSTER) write moves into each other's shared memory, other blocks into global
// memory.
MH_FN constexpr bool cancelled() { return false; }  // launches are short

// the place of the lowest bit of a word that is not 0
MH_FN int lowest_bit(u32 word) { return __ffs(int(word)) - 1; }

__shared__ EvaluatedMove mh_slots[32];  // of a block, one for each warp
__shared__ EvaluatedMove mh_answer;     // the move that the league chose

// The exchange of a cluster's blocks: each writes its move into the shared memory of all. A block waits until the
// hardware has counted the bytes of all moves, without a fence and without global memory. There are two sets of posts:
// one is written again after all blocks have written the other one, and so have read the first.
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

// after a walk, when all threads of the block have finished it
MH_FN void close_posts() {
    if (threadIdx.x > 0) return;
    for (int set = 0; set < 2; ++set)
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(mh_arrivals + set)) : "memory");
}

// writes `best` to a place in the shared memory of another block, whose mbarrier counts the bytes
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

// waits until the bytes of all blocks have arrived, for the turn-th time
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

// The exchange of a league's blocks, in global memory.
struct Mailbox {
    u64* arrived;          // number of posts by blocks, in all turns
    EvaluatedMove* posts;  // two sets, so that no block overwrites a post that is still read
};

// reads a value once that another block may write at the same time
template <class T> MH_FN T steady(const volatile T& value) { return value; }

// Whether a problem evaluates a neighborhood's groups whole, so that the league shares groups, not moves; defined
// later.
template <class Neighborhood> struct SharesGroups;

// The number of moves in a row that one block of a league owns; defined later.
template <class Neighborhood> struct OwnedRun;

#ifndef MH_FEW
#define MH_FEW 0  // whether a block owns a walk and has a few moves for each thread
#endif

// whether a neighborhood has an order of its moves that needs no root
template <class N, class = void> struct Folds { static constexpr bool value = false; };
template <class N> struct Folds<N, typename Voided<decltype(&N::folded)>::type> { static constexpr bool value = true; };

// f(index, move) for every move, by threads that own all moves, each of which evaluates four at a time
template <class N, class F> MH_FN void visit_few(int rank, int size, const N& neighborhood, F f) {
    const int moves = int(neighborhood.size());
    MH_ROLLED
    for (int begin = rank; begin < moves; begin += 4 * size) {
#pragma unroll
        for (int t = 0; t < 4; ++t) {
            if (begin + t * size >= moves) continue;
            i64 k;
            typename N::Move move;
            neighborhood.folded(begin + t * size, k, move);
            f(k, move);
        }
    }
}

// a / b, sooner where b is a power of two, as numbers of threads mostly are
MH_FN int divided(int a, int b) {
    const int shift = 31 - __clz(b);
    return b == 1 << shift ? a >> shift : a / b;
}
