// left = the Lagrangian bound less the reduced profits that were given up; idle = the cost of the slack that all
// undecided items together cannot fill; most = left less idle, or the profit of the best completion. If an item is
// taken, the slack and the weight of the undecided items both lose its weight, so idle stays. Every field is written
// once, as wide as it is read: a processor that reads at once what was written in pieces waits for all of them.
struct MultiKnapsackTree : MultiKnapsackTreeData {
    typedef decltype(Node::left) Left;
    typedef decltype(Node::idle) Idle;
    typedef Either<sizeof(Node::slack) == 2 * lanes, i16, i32>::type Slack;  // the sum of two fits, too
    static constexpr int words = sizeof(Node::taken) / sizeof(u32);
#ifdef __CUDACC__
    static constexpr int used = constraints;  // a core computes with whole vectors
    // how many words of sets are read together, and for how many constraints before the result is looked at: a GPU
    // waits for memory
    static constexpr int side_by_side = 2, in_a_row = 10;
#else
    static constexpr int used = lanes;
    static constexpr int side_by_side = 1, in_a_row = 4;
#endif

    MH_FN bool takes(int depth, int k) const { return (reduced(depth) > 0) == (k == 0); }

    MH_FN bool child(const Node& __restrict__ node, int depth, int k, Node& __restrict__ child) const {
        return make(node, depth, k, -1, child);
    }

    // the child; its `most` is exact if it is above `least`, else any number up to `least`
    MH_FN bool make(const Node& __restrict__ node, int depth, int k, i64 least, Node& __restrict__ child) const {
        const bool takes = this->takes(depth, k);
        if (takes && !fits(node, depth)) return false;
        child.most = most(node, decide(node, depth, takes, child));
        by_more(*this, node, depth, takes, child);
        if (completes(depth) && child.most > least) child.most = completed(node, depth, takes, child.most, least);
        return true;
    }

    // the child, whose bound is known
    MH_FN void child_of_bound(const Node& node, int depth, int k, i64 lower, Node& child) const {
        const bool takes = this->takes(depth, k);
        decide(node, depth, takes, child);
        child.most = i32(-lower);
        by_more(*this, node, depth, takes, child);
    }

    // all fields but the bound; returns left less idle
    MH_FN Left decide(const Node& __restrict__ node, int depth, bool takes, Node& __restrict__ child) const {
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
        const Idle idle = takes ? node.idle : idle_of(node, depth);
        const Left left = left_of(node, depth, takes);
        child.left = left;
        child.idle = idle;
        return left - idle;
    }

    MH_FN Left left_of(const Node& node, int depth, bool takes) const {
        const Left gain = reduced(depth), lost = takes ? -gain : gain;
        return node.left - (lost > 0 ? lost : 0);
    }

    // idle after the next item is left
    MH_FN Idle idle_of(const Node& node, int depth) const {
        const auto side = sides.row(depth);
        Idle idle = 0;
#ifdef __CUDACC__
        if constexpr (paired) {
            for (int i = 0; i < pairs; ++i) {
                const u32 over = __viaddmax_s16x2_relu(pair(node.slack, i), pair(side, lanes / 2 + i), 0u);
                idle += Idle(over & 0xffff) * Idle(u(2 * i)) + Idle(over >> 16) * Idle(u(2 * i + 1));
            }
            return idle;
        }
#endif
#pragma GCC unroll 1
        for (int i = 0; i < used; ++i) {
            const Slack over = node.slack[i] + Slack(side[lanes + i]);
            idle += Idle(over > 0 ? over : Slack(0)) * Idle(u(i));
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
    // Two numbers of 16 bits in a word: a GPU adds and compares them at once, and a bit above each takes its borrow.
    static constexpr bool paired = sizeof(Slack) == 2;
    static constexpr int pairs = (constraints + 1) / 2;
    static constexpr u32 signs = 0x80008000u;

    template <class R> MH_FN static u32 pair(const R& row, int i) {
        if constexpr (sizeof(typename R::stored_type) == 2) return row.word(i);
        return (u32(row[2 * i]) & 0xffff) | u32(row[2 * i + 1]) << 16;
    }
    // a word in memory is read into one register, two numbers into two
    MH_FN static u32 pair(const Slack* slack, int i) {
        u32 word;
        memcpy(&word, slack + 2 * i, sizeof(word));
        return word;
    }
#endif

    // the most profit of a child, left less idle; not above that of its father, which may be exact
    MH_FN static i32 most(const Node& node, Left rest) {
        const i32 most = i32(rest >> scale);
        return most < node.most ? most : node.most;
    }

    // the most profits of both children, whether or not the item fits
    MH_FN void both(const Node& node, int depth, i32& taking, i32& leaving) const {
        taking = most(node, left_of(node, depth, true) - node.idle);
        leaving = most(node, left_of(node, depth, false) - idle_of(node, depth));
    }

    // whether the children are bounded by their best completions
    MH_FN bool completes(int depth) const { return depth + 1 == completing; }

    // the most profits by the best completions, of the children that are asked for
    MH_FN void complete(const Node& node, int depth, i64 least, bool take, bool leave, i32& taking,
                        i32& leaving) const {
        MH_ROLLED
        for (int leaves = 0; leaves < 2; ++leaves) {
            const i32 most = leaves ? leaving : taking;
            if (!(leaves ? leave : take) || most <= least) continue;
            const i32 best = completed(node, depth, !leaves, most, least);
            taking = leaves ? taking : best;
            leaving = leaves ? best : leaving;
        }
    }

    // The profit of a child's best completion if it is above `least`, else any number up to `least`. Of the sets of the
    // last items with a profit between the two bounds, those are looked at that fit by the levels of the slack.
    MH_FN i32 completed(const Node& node, int depth, bool takes, i32 most, i64 least) const {
        int levels[constraints];
        i64 rest = i64(left_of(node, depth, takes)) - tail(0);
        for (int i = 0; i < constraints; ++i) {
            const i32 slack = slack_of(node, depth, takes, i), level = slack >> int(shifts(i));
            rest -= i64(slack) * i64(u(i));
            levels[i] = i * (int(loose) + 1) + (level < loose ? level : int(loose));
        }
        if (least < 0) least = -1;  // no profit is negative
        const i64 decided = rest >> scale, end = first_below(least + 1 - decided);
        const i64 begin = first_below(most - decided + (i64(1) << coarse)) / (64 * side_by_side);
        MH_ROLLED
        for (i64 word = begin * side_by_side; 64 * word < end; word += side_by_side) {
            u64 found[side_by_side], any = ~u64(0);
            for (int w = 0; w < side_by_side; ++w) found[w] = ~u64(0);
            for (int i = 0; i < constraints && any; i += in_a_row) {
                for (int j = i; j < i + in_a_row && j < constraints; ++j)
                    for (int w = 0; w < side_by_side; ++w) found[w] &= u64(fitting(levels[j], word + w));
                any = 0;
                for (int w = 0; w < side_by_side; ++w) any |= found[w];
            }
            if (!any) continue;
            MH_ROLLED
            for (int w = 0; w < side_by_side; ++w) {
                MH_ROLLED
                for (u64 left = found[0]; left; left &= left - 1) {
                    const i64 set = 64 * (word + w) + lowest_bit(left);
                    if (fits(node, depth, takes, set)) return i32(decided + profits(set));
                }
                for (int next = 1; next < side_by_side; ++next) found[next - 1] = found[next];
            }
        }
        return i32(least);
    }

    MH_FN static int lowest_bit(u64 word) {
#ifdef __CUDACC__
        return __ffsll(i64(word)) - 1;
#else
        return __builtin_ctzll(word);
#endif
    }

    MH_FN i32 slack_of(const Node& node, int depth, bool takes, int i) const {
        return node.slack[i] - (takes ? i32(sides(depth, i)) : 0);
    }

    MH_FN bool fits(const Node& node, int depth, bool takes, i64 set) const {
        const auto weight = weights.row(set);
        i32 least = 0;
        for (int i = 0; i < constraints; ++i) least |= slack_of(node, depth, takes, i) - i32(weight[i]);
        return least >= 0;
    }

    // the first set with less profit than the cell of a profit
    MH_FN i64 first_below(i64 profit) const {
        const i64 cell = profit >> coarse;
        return first(cell < 0 ? 0 : cell < first.size ? cell : i64(first.size - 1));
    }

    // the least bound of further vectors of multipliers; a template, since without such vectors their members do not
    // exist
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
