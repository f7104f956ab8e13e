// front = when each machine is done with the jobs that are decided; remain = how long it is busy with all others
struct FlowShopTree : FlowShopTreeData {
    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        const int job = node.order[depth + k];
        child = node;
        child.order[depth + k] = node.order[depth];
        child.order[depth] = job;
        child.decided[job / 32] |= 1u << job % 32;
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

    // LB1 of the children from ... to - 1, at most `width`, machine by machine for all of them
    template <int width, class Tails>
    MH_FN void one_machine(const Node& node, int depth, int from, int to, const Tails& tails, i64* lowers) const {
        const int count = to - from;
        i32 job[width], ready[width], done[width], lower[width];
        for (int k = 0; k < count; ++k) {
            job[k] = node.order[depth + from + k];
            ready[k] = done[k] = lower[k] = 0;
        }
        for (int i = 0; i < machines; ++i) {
            const i32 free = depth ? node.front[i] : 0, busy = node.remain[i], tail = i32(tails(i));
            const auto time = by_machine.row(i);
            for (int k = 0; k < count; ++k) {
                const i32 start = ready[k] > free ? ready[k] : free;
                ready[k] = start + i32(time[job[k]]);
                done[k] = start + busy > done[k] ? start + busy : done[k];
                lower[k] = done[k] + tail > lower[k] ? done[k] + tail : lower[k];
            }
        }
        for (int k = 0; k < count; ++k) lowers[k] = lower[k];
    }
};
