// front = when each machine is done with the jobs at the front; back = the time from when it begins with the jobs at
// the end; remain = how long it is busy with all others
struct TwoEndedFlowShopTree : TwoEndedFlowShopTreeData {
    typedef Either<sizeof(Node::order[0]) == 1, u8, i16>::type Job;
    typedef InWords<sizeof(Node::order) / sizeof(Job), Job> Jobs;

    MH_FN bool child(const Node& node, int depth, int k, Node& child) const {
        const int free = node.first + k, place = node.at_end ? n - 1 - (depth - node.first) : node.first;
        const Job job = Jobs::entry(node.order, free), other = Jobs::entry(node.order, place);
        child = node;
        Jobs::set(child.order, free, other);
        Jobs::set(child.order, place, job);
        child.first += !node.at_end;
        if (node.at_end) put<true>(job, child.back, child.remain);
        else put<false>(job, child.front, child.remain);
        child.at_end = prefers_end(child, depth + 1);
        return true;
    }

    template <bool at_end> MH_FN void put(int job, i32* busy, i32* remain) const {
        const auto time = times.row(job);
        i32 ready = 0;
        for (int step = 0; step < machines; ++step) {
            const int i = at_end ? machines - 1 - step : step;
            ready = busy[i] = (ready > busy[i] ? ready : busy[i]) + i32(time[i]);
            remain[i] -= i32(time[i]);
        }
    }

    // the bounds after one of the undecided jobs from ... to - 1, at most `width`, is put to a side; one by one, or
    // eight at once on a core
    template <int width> MH_FN void bounds(const Node& node, bool at_end, int from, int to, i32* lowers) const {
#ifdef __CUDACC__
        for (int k = from; k < to; ++k) {
            const int job = Jobs::entry(node.order, node.first + k);
            lowers[k - from] = at_end ? bound_of<true>(node, job) : bound_of<false>(node, job);
        }
#else
        const i32 *const busy = at_end ? node.back : node.front, *const rest = at_end ? node.front : node.back;
        for (int first = from; first < to; first += 8) {
            int job[8];
            for (int k = 0; k < 8; ++k) job[k] = node.order[node.first + (first + k < to ? first + k : first)];
            Eight ready = {}, lower = {};
            for (int step = 0; step < machines; ++step) {
                const int i = at_end ? machines - 1 - step : step;
                const auto time = by_machine.row(i);
                raise(ready, Eight{} + busy[i]);
                raise(lower, ready + (node.remain[i] + rest[i]));
                ready += Eight{i32(time[job[0]]), i32(time[job[1]]), i32(time[job[2]]), i32(time[job[3]]),
                               i32(time[job[4]]), i32(time[job[5]]), i32(time[job[6]]), i32(time[job[7]])};
            }
            for (int k = 0; k < 8 && first + k < to; ++k) lowers[first + k - from] = lower[k];
        }
#endif
    }

    template <bool at_end> MH_FN i32 bound_of(const Node& node, int job) const {
        const auto time = times.row(job);
        i32 ready = 0, lower = 0;
        for (int step = 0; step < machines; ++step) {
            const int i = at_end ? machines - 1 - step : step;
            const i32 until = at_end ? node.back[i] : node.front[i], rest = at_end ? node.front[i] : node.back[i];
            const i32 start = ready > until ? ready : until, end = start + node.remain[i] + rest;
            lower = end > lower ? end : lower;
            ready = start + i32(time[i]);
        }
        return lower;
    }

    MH_FN bool prefers_end(const Node& node, int depth) const {
#ifdef __CUDACC__
        constexpr int width = 1;
#else
        constexpr int width = 32;
#endif
        const i64 limit = pruned_from < 0 ? Never<i64>::value : pruned_from;
        int fewer = 0;
        i64 more = 0;
        for (int from = 0; from < n - depth; from += width) {
            const int to = from + width < n - depth ? from + width : n - depth;
            i32 forward[width], backward[width];
            bounds<width>(node, false, from, to, forward);
            bounds<width>(node, true, from, to, backward);
            for (int k = 0; k < to - from; ++k) {
                const bool opens = forward[k] < limit, opens_at_end = backward[k] < limit;
                fewer += opens - opens_at_end;
                more += (opens_at_end ? backward[k] : 0) - (opens ? forward[k] : 0);
            }
        }
        return fewer > 0 || (fewer == 0 && more > 0);
    }
};
