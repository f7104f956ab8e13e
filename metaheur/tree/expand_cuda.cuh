// A level of a tree on a GPU, in one launch: a thread makes and bounds one child, and the children that are kept are
// written in their order. A tile's children are written after all children that earlier tiles keep: blocks look back
// for this sum (D. Merrill and M. Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016).

// a tile's word in `status` says whether its lower bits are the sum of the tile alone, or of all tiles up to this one
constexpr u64 own_sum = u64(1) << 62, whole_sum = u64(2) << 62, sum_bits = own_sum - 1;

// How many children all tiles before one keep; called by a warp. Hundreds of tiles may be under way at once, so each
// lane looks at several words at a time.
MH_FN i64 look_back(u64* status, i64 tile, i64 kept) {
    constexpr int most = 8;
    const int lane = threadIdx.x % 32;
    if (lane == 0) atomicExch(status + tile, (tile ? own_sum : whole_sum) | u64(kept));
    const auto word_of = [&](i64 at) {  // before the first tile there is nothing
        return at < 0 ? whole_sum : *const_cast<volatile u64*>(status + at);
    };
    i64 before = 0;
    u32 whole = 0;
    for (i64 nearest = tile - 1 - lane; !whole && tile; nearest -= 32 * most) {
        u64 seen[most];
        for (int i = 0; i < most; ++i) seen[i] = word_of(nearest - 32 * i);
        for (int i = 0; i < most; ++i) {
            if (whole) break;
            u64 word = seen[i];
            while (!(word & ~sum_bits)) word = word_of(nearest - 32 * i);
            whole = __ballot_sync(~0u, (word & ~sum_bits) == whole_sum);
            const int last = whole ? __ffs(int(whole)) - 1 : 31;
            i64 sum = lane <= last ? i64(word & sum_bits) : 0;
            for (int o = 16; o; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
            before += sum;
        }
    }
    if (lane == 0 && tile) atomicExch(status + tile, whole_sum | u64(before + kept));
    return before;
}

// adds the findings of others; of equal costs the first child's cost is the best
MH_FN void join(Found& found, const Found& other) {
    found.branched += other.branched;
    found.bounded += other.bounded;
    found.by_bound += other.by_bound;
    found.lowest = other.lowest < found.lowest ? other.lowest : found.lowest;
    if (other.cost < found.cost || (other.cost == found.cost && other.slot < found.slot)) {
        found.cost = other.cost;
        found.slot = other.slot;
    }
    found.fault = other.fault < found.fault ? other.fault : found.fault;
}

// If nodes are small, a block keeps fathers and children in shared memory: all its threads together read and write them
// word by word, in the order of memory. A thread then makes several children, as many as there is room for.
constexpr bool finds_room(int children) {
    return sizeof(Node) % sizeof(u32) == 0 && (3 * children * MH_THREADS / 2 + 2) * sizeof(Node) <= 44 << 10;
}
constexpr bool staged = finds_room(1);
constexpr int words = staged ? sizeof(Node) / sizeof(u32) : 2;
constexpr int each_makes = finds_room(4) ? 4 : finds_room(2) ? 2 : 1, tile_slots = each_makes * MH_THREADS;
constexpr int most_fathers = tile_slots / 2 + 2;

struct alignas(16) Stage {
    u32 fathers[most_fathers * words], children[tile_slots * words];
    u16 kept[tile_slots];  // which children are kept, in order

    MH_FN void read(const Node* nodes, i64 count) {
        const u32* const from = reinterpret_cast<const u32*>(nodes);
        for (int i = threadIdx.x; i < count * words; i += MH_THREADS) fathers[i] = from[i];
    }
    MH_FN void write(Node* nodes, i64 count) const {
        u32* const to = reinterpret_cast<u32*>(nodes);
        for (int i = threadIdx.x; i < count * words; i += MH_THREADS)
            to[i] = children[kept[i / words] * words + i % words];
    }
};

// makes a child; returns whether it is kept
MH_FN bool make_child(const Arguments& a, const Batch& b, i64 slot, const Node& of, Node& node, i64& lower,
                      Found& found) {
    const i64 of_father = b.lowers[slot / b.arity];
    const int k = int(slot % b.arity), depth = int(b.depth);
    if (of_father >= b.threshold) {
        found.by_bound += k == 0;
        return false;
    }
    found.branched += k == 0;
    i64 seen[ahead_at_once];
    const bool foreseen = look_ahead(a.bound, a.tree, of, depth, k, k + 1, b.threshold, seen);
    if (foreseen && seen[0] == no_cost) return false;
    if (foreseen && seen[0] >= b.threshold) {
        ++found.bounded;
        ++found.by_bound;
        return false;
    }
    if (!a.tree.child(of, depth, k, node)) return false;
    ++found.bounded;
    const Child child = evaluate(a, b, node, depth + 1, foreseen ? seen : nullptr);
    if (child.wrong(of_father)) {
        found.fault = slot < found.fault ? slot : found.fault;
        return false;
    }
    if (!child.kept) {
        ++found.by_bound;
        return false;
    }
    if (child.cost < found.cost || (child.cost == found.cost && slot < found.slot)) {
        found.cost = child.cost;
        found.slot = slot;
    }
    if (depth + 1 == b.levels && !b.collect) return false;
    lower = child.lower;
    found.lowest = lower < found.lowest ? lower : found.lowest;
    return true;
}

MH_ENTRY(expand) {
    constexpr int warps = MH_THREADS / 32;
    __shared__ u32 sums[each_makes * warps];
    __shared__ i64 ticket, base;
    __shared__ Found each[warps];
    __shared__ Stage stage;
    const Arguments& a = *arguments;
    const Batch& b = *a.batch;
    const i64 slots = b.count * b.arity, tiles = (slots + tile_slots - 1) / tile_slots;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    Found found{0, 0, 0, no_cost, b.threshold, no_cost, no_cost};
    while (true) {
        __syncthreads();  // ticket, sums, base and stage may still be read
        if (threadIdx.x == 0) ticket = i64(atomicAdd(b.tickets, u64(1)));
        __syncthreads();
        const i64 tile = ticket;
        if (tile >= tiles) break;
        const i64 begin = tile * tile_slots, first = begin / b.arity;
        const Node* fathers = b.nodes + first;
        if constexpr (staged) {
            const i64 end = (begin + tile_slots + b.arity - 1) / b.arity,
                      count = (end < b.count ? end : b.count) - first;
            if (count <= most_fathers) {
                stage.read(fathers, count);
                fathers = reinterpret_cast<const Node*>(stage.fathers);
            }
            __syncthreads();
        }
        Node own;
        u32 votes[each_makes];
        i64 lowers[each_makes];
        for (int i = 0; i < each_makes; ++i) {
            const int at = i * MH_THREADS + threadIdx.x;
            const i64 slot = begin + at;
            Node& node = staged ? reinterpret_cast<Node*>(stage.children)[at] : own;
            const bool keep =
                slot < slots && make_child(a, b, slot, fathers[slot / b.arity - first], node, lowers[i], found);
            votes[i] = __ballot_sync(~0u, keep);
            if (lane == 0) sums[i * warps + warp] = __popc(votes[i]);
        }
        __syncthreads();
        int places[each_makes], total = 0;
        for (int i = 0; i < each_makes; ++i)
            for (int w = 0; w < warps; ++w) {
                if (w == warp) places[i] = total + __popc(votes[i] & ((1u << lane) - 1));
                total += sums[i * warps + w];
            }
        if (warp == 0) {
            const i64 before = look_back(b.status, tile, total);
            if (lane == 0) {
                base = before;
                if (tile == tiles - 1) *b.left = before + total;
            }
        }
        for (int i = 0; i < each_makes; ++i)
            if (votes[i] >> lane & 1) stage.kept[places[i]] = u16(i * MH_THREADS + threadIdx.x);
        __syncthreads();
        for (int i = 0; i < each_makes; ++i)
            if (votes[i] >> lane & 1) {
                b.kept_lowers[base + places[i]] = lowers[i];
                if constexpr (!staged) b.kept_nodes[base + places[i]] = own;
            }
        if constexpr (staged) stage.write(b.kept_nodes + base, total);
    }
    for (int o = 16; o; o /= 2) {
        Found other;
        const i64* from = reinterpret_cast<const i64*>(&found);
        i64* to = reinterpret_cast<i64*>(&other);
        for (int word = 0; word < int(sizeof(Found) / sizeof(i64)); ++word)
            to[word] = __shfl_xor_sync(~0u, from[word], o);
        join(found, other);
    }
    if (lane == 0) each[warp] = found;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < warps; ++w) join(found, each[w]);
        b.found[blockIdx.x] = found;
    }
}

// keys of `value` nodes of the batch
MH_ENTRY(keys) {
#if MH_DOMINANCE
    const Arguments& a = *arguments;
    const Batch& b = *a.batch;
    const i64 i = i64(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= value) return;
    i64 key[2];
    a.dominance.key(a.tree, b.nodes[i], int(b.depth), key);
    b.keys[i] = key[0];
    b.keys[value + i] = key[1];
#endif
}

// which of `value` nodes stay, in the order of their keys, `ranks`; by one thread, since each node is compared with the
// last node that stays
MH_ENTRY(sweep) {
#if MH_DOMINANCE
    const Arguments& a = *arguments;
    const Batch& b = *a.batch;
    if (blockIdx.x || threadIdx.x) return;
    i64 last = -1;
    for (i64 r = 0; r < value; ++r) {
        const i64 i = b.ranks[r];
        const bool beaten = last >= 0 && a.dominance.beats(a.tree, b.nodes[last], b.nodes[i], int(b.depth));
        b.stays[r] = !beaten;
        if (!beaten) last = i;
    }
#endif
}
