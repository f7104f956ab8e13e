// left = the Lagrangian bound less the reduced profits that were given up; idle = what the slack costs that all items
// which are not decided yet cannot fill; room = the slack by the multipliers; most = what is left less what is idle, or
// the knapsack of the last items. Where an item is taken, slack and what is behind lose its weight, so what is idle
// stays. Every field is written once, as wide as it is read: a processor that reads at once what was written in pieces
// waits for all of them.
struct MultiKnapsackTree : MultiKnapsackTreeData {
    typedef decltype(Node::left) Left;
    typedef decltype(Node::room) Room;
    typedef Either<sizeof(Node::slack) == 2 * lanes, i16, i32>::type Slack;  // sums of two never leave it
    static constexpr int words = sizeof(Node::taken) / sizeof(u32);
    static constexpr int reduced = 0, surrogate = 1, tail = 2;  // columns of `numbers`
#ifdef __CUDACC__
    static constexpr int used = constraints;  // a core has whole vectors
#else
    static constexpr int used = lanes;
#endif

    MH_FN bool takes(int depth, int k) const { return (numbers(depth, reduced) > 0) == (k == 0); }

    MH_FN bool child(const Node& __restrict__ node, int depth, int k, Node& __restrict__ child) const {
        const bool takes = this->takes(depth, k);
        if (takes && !fits(node, depth)) return false;
        const Room idle = decide(node, depth, takes, child);
        child.most = takes ? most_taking(node, depth) : most_leaving(node, depth, idle);
        by_more(*this, node, depth, takes, child);
        return true;
    }

    // the child whose bound is known
    MH_FN void child_of_bound(const Node& node, int depth, int k, i64 lower, Node& child) const {
        const bool takes = this->takes(depth, k);
        decide(node, depth, takes, child);
        child.most = i32(-lower);
        by_more(*this, node, depth, takes, child);
    }

    // all but the bound; returns what is idle
    MH_FN Room decide(const Node& __restrict__ node, int depth, bool takes, Node& __restrict__ child) const {
        const auto weight = sides.row(depth);
        const i32 mask = -i32(takes);
        int lane = 0;
#ifdef __CUDACC__
        if constexpr (paired)
            for (; lane < lanes; lane += 2) {
                const int i = lane / 2;
                const u32 slack = i < pairs ? pair(node.slack, i) - (pair(weight, i) & mask) : 0;
                memcpy(child.slack + lane, &slack, sizeof(slack));
            }
#else
#pragma GCC unroll 1
#endif
        for (; lane < lanes; ++lane) child.slack[lane] = node.slack[lane] - (Slack(weight[lane]) & Slack(mask));
        const u32 bit = u32(takes) << depth % 32;
#ifdef __CUDACC__
        for (int i = 0; i < words; ++i) child.taken[i] = node.taken[i] | (i == depth / 32 ? bit : 0);
#else
        for (int i = 0; i < words; ++i) child.taken[i] = node.taken[i];
        child.taken[depth / 32] |= bit;
#endif
        const Room idle = takes ? node.idle : idle_of(node, depth);
        child.left = left_of(node, depth, takes);
        child.room = takes ? room_of(node, depth) : node.room;
        child.idle = idle;
        return idle;
    }

    MH_FN Left left_of(const Node& node, int depth, bool takes) const {
        const Left gain = numbers(depth, reduced), lost = takes ? -gain : gain;
        return node.left - (lost > 0 ? lost : 0);
    }

    MH_FN Room room_of(const Node& node, int depth) const { return node.room - Room(numbers(depth, surrogate)); }

    MH_FN i32 most_taking(const Node& node, int depth) const {
        return most(left_of(node, depth, true), room_of(node, depth), node.idle, depth);
    }

    MH_FN i32 most_leaving(const Node& node, int depth, Room idle) const {
        return most(left_of(node, depth, false), node.room, idle, depth);
    }

    // what is idle once the next item is left
    MH_FN Room idle_of(const Node& node, int depth) const {
        const auto side = sides.row(depth);
        Room idle = 0;
#ifdef __CUDACC__
        if constexpr (paired) {
            for (int i = 0; i < pairs; ++i) {
                const u32 over = __viaddmax_s16x2_relu(pair(node.slack, i), pair(side, lanes / 2 + i), 0u);
                idle += Room(over & 0xffff) * Room(u(2 * i)) + Room(over >> 16) * Room(u(2 * i + 1));
            }
            return idle;
        }
#endif
#pragma GCC unroll 1
        for (int i = 0; i < used; ++i) {
            const Slack over = node.slack[i] + Slack(side[lanes + i]);
            idle += Room(over > 0 ? over : Slack(0)) * Room(u(i));
        }
        return idle;
    }

    MH_FN bool fits(const Node& node, int depth) const {
        const auto weight = sides.row(depth);
#ifdef __CUDACC__
        if constexpr (paired) {
            u32 least = signs;
            for (int i = 0; i < pairs; ++i) least &= (pair(node.slack, i) | signs) - pair(weight, i);
            return (least & signs) == signs;
        }
#endif
        Slack least = 0;
#pragma GCC unroll 1
        for (int i = 0; i < used; ++i) least |= Slack(node.slack[i] - Slack(weight[i]));
        return least >= 0;
    }

#ifdef __CUDACC__
    // Two numbers of 16 bits a word: a GPU adds and compares them at once, and a bit above each keeps what it borrows.
    static constexpr bool paired = sizeof(Slack) == 2;
    static constexpr int pairs = (constraints + 1) / 2;
    static constexpr u32 signs = 0x80008000u;

    template <class R> MH_FN static u32 pair(const R& row, int i) {
        if constexpr (sizeof(typename R::stored_type) == 2) return row.word(i);
        return (u32(row[2 * i]) & 0xffff) | u32(row[2 * i + 1]) << 16;
    }
    // one word in memory is one register, two numbers are two
    MH_FN static u32 pair(const Slack* slack, int i) {
        u32 word;
        memcpy(&word, slack + 2 * i, sizeof(word));
        return word;
    }
#endif

    // the most profit of a child, by what is left and by the knapsack of the last items
    MH_FN i32 most(Left left, Room room, Room idle, int depth) const {
        const i32 most = i32((left - idle) >> scale);
        if (row_of(depth) < 0) return most;
        const i32 fewer = by_last(left, room, depth);
        return fewer < most ? fewer : most;
    }

    // where the knapsack of the items after this one is; negative: they are too many
    MH_FN int row_of(int depth) const { return depth + 1 - (n - int(last)); }

    MH_FN i32 by_last(Left left, Room room, int depth) const {
        const i32 decided = i32((left - room - Left(numbers(depth, tail))) >> scale);
        const Room column = room >> shift;
        return decided + i32(best.data[row_of(depth) * best.stride + int(column < top ? column : top)]);
    }

    // the most profits of both children, whether or not the item fits
    MH_FN void both(const Node& node, int depth, i32& taking, i32& leaving) const {
        const Left left = left_of(node, depth, true), rest = left_of(node, depth, false);
        taking = i32((left - node.idle) >> scale);
        leaving = i32((rest - idle_of(node, depth)) >> scale);
        if (row_of(depth) < 0) return;
        const i32 one = by_last(left, room_of(node, depth), depth), other = by_last(rest, node.room, depth);
        taking = one < taking ? one : taking;
        leaving = other < leaving ? other : leaving;
    }

    // the least by more vectors of multipliers, where there are any; templates, as else nothing here has a name
    template <class Self, class N>
    MH_FN static void by_more(const Self& tree, const N& node, int depth, bool takes, N& child) {
        if constexpr (others > 0) {
            const auto side = tree.sides.row(depth);
            for (int v = 0; v < others; ++v) {
                const i64 gain = tree.more_reduced(v, depth), lost = takes ? -gain : gain;
                const i64 left = node.more[v] - (lost > 0 ? lost : 0);
                child.more[v] = left;
                i64 idle = 0;
                const auto u_of = tree.more.row(v);
                for (int i = 0; i < used; ++i) {
                    const i32 over = i32(child.slack[i]) + i32(side[lanes + i]);
                    idle += i64(over > 0 ? over : 0) * u_of[i];
                }
                const i32 most = i32((left - idle) >> scale);
                child.most = most < child.most ? most : child.most;
            }
        }
    }
};
