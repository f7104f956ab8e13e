// front = when each machine is done with the decided jobs; remain = how long it is busy with all others
struct FlowShopTree : FlowShopTreeData {
    typedef Either<sizeof(Node::order[0]) == 1, u8, i16>::type Job;
    typedef InWords<sizeof(Node::order) / sizeof(Job), Job> Jobs;
    typedef InWords<sizeof(Node::decided) / sizeof(u32), u32> Bits;

    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        const Job job = Jobs::entry(node.order, depth + k), other = Jobs::entry(node.order, depth);
        child = node;
        Jobs::set(child.order, depth + k, other);
        Jobs::set(child.order, depth, job);
        Bits::set(child.decided, job / 32, Bits::entry(node.decided, job / 32) | 1u << job % 32);
        const auto time = times.row(job);
        i32 ready = 0;
        for (int i = 0; i < machines; ++i) {
            const i32 free = depth ? node.front[i] : 0, took = i32(time[i]);
            ready = (ready > free ? ready : free) + took;
            child.front[i] = ready;
            child.remain[i] -= took;
        }
        return true;
    }

    // LB1 of the children from ... to - 1, at most `width`, machine by machine: one by one, or eight at once on a core
    template <int width, class Tails>
    MH_FN void one_machine(const Node& node, int depth, int from, int to, const Tails& tails, i64* lowers) const {
#ifdef __CUDACC__
        for (int k = from; k < to; ++k) {
            const int job = Jobs::entry(node.order, depth + k);
            const auto time = times.row(job);
            i32 ready = 0, done = 0, lower = 0;
            for (int i = 0; i < machines; ++i) {
                const i32 free = depth ? node.front[i] : 0;
                const i32 start = ready > free ? ready : free, end = start + node.remain[i];
                ready = start + i32(time[i]);
                done = end > done ? end : done;
                lower = done + i32(tails(i)) > lower ? done + i32(tails(i)) : lower;
            }
            lowers[k - from] = lower;
        }
#else
        for (int first = from; first < to; first += 8) {
            int job[8];
            for (int k = 0; k < 8; ++k) job[k] = node.order[depth + (first + k < to ? first + k : first)];
            Eight ready = {}, done = {}, lower = {};
            for (int i = 0; i < machines; ++i) {
                const auto time = by_machine.row(i);
                raise(ready, Eight{} + (depth ? node.front[i] : 0));
                raise(done, ready + node.remain[i]);
                raise(lower, done + i32(tails(i)));
                ready += Eight{i32(time[job[0]]), i32(time[job[1]]), i32(time[job[2]]), i32(time[job[3]]),
                               i32(time[job[4]]), i32(time[job[5]]), i32(time[job[6]]), i32(time[job[7]])};
            }
            for (int k = 0; k < 8 && first + k < to; ++k) lowers[first + k - from] = lower[k];
        }
#endif
    }
};
