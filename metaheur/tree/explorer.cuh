// The search of one explorer in one round: depth first through the rest of its interval. The explorer is at a node; on
// its stack are the nodes above this one that have waiting children. Before it goes down to a child it looks for the
// next child that stays. So only nodes with a child left are put on the stack, and a thief finds a child that stays.
struct Explorer {
    const Arguments& a;
    Batch b;
    const i64 e;
    u32 branched = 0, bounded = 0, complete = 0, kept = 0, by_bound = 0, deepest = 0;  // a round is short enough
    i64 cost, winner_depth = 0;
    bool faulty = false;
    CurrentNode current;

    // `places` are separate memory, so the compiler knows that writing there changes no member of this struct
    MH_FN Explorer(const Arguments& arguments, i64 explorer, CurrentNode::Places* places)
        : a(arguments), b(*arguments.batch), e(explorer), cost(b.threshold), current(places) {
        b.steps = steps_of(b);
    }

    MH_FN RoundReport report(Lanes lanes) const {
        RoundReport report = empty_report(cost, e);
        report.branched = branched;
        report.bounded = bounded;
        report.complete = complete;
        report.kept = kept;
        report.by_bound = by_bound;
        report.deepest = deepest;
        report.depth = winner_depth;
        if (faulty) report.faulty = e;
        rank(*a.batch, e, lanes, report);
        return report;
    }

    // Tries so many children; a better solution of this explorer prunes at once. The lanes of a warp go from node to
    // node together; otherwise each lane would wait for all others at every step.
    MH_FN void run(Lanes lanes) {
        OpenNode* const stack = b.stack + e * b.levels;
        i32 height = b.height[e];
        u32 steps = 0, visits = 0;
        for (bool busy = true; lanes.any(busy);) {
            busy = busy && steps < b.steps && !faulty && (current.cursor < current.limit || height);
            if (busy && current.cursor == current.limit) current.pop(stack + --height);
            lanes.meet();
            i64 lower = 0;
            const i32 child = busy && open(visits) ? look(steps, lower) : -1;
            lanes.meet();
            if (child < 0) continue;
            if (current.cursor < current.limit) current.push(stack + height++);
            go_down(child, lower);
        }
        if (current.cursor < current.limit) current.push(stack + height++);
        b.height[e] = height;
    }

    // whether no solution found since then prunes the current node
    MH_FN bool open(u32& visits) {
        if (b.shared && visits++ % 64 == 0) {
            const i64 shared = *const_cast<const volatile i64*>(b.shared);
            b.threshold = shared < b.threshold ? shared : b.threshold;
        }
        if (current.lower < b.threshold) return true;
        by_bound += current.cursor == 0;
        current.cursor = current.limit;
        return false;
    }

    // the next child that stays, -1 for none, and its bound; the cursor moves on to the child after it that stays
    MH_FN i32 look(u32& steps, i64& lower) {
        constexpr bool both = SeesBoth<Bound>::value, ahead = both || LooksAhead<Bound>::value;
        constexpr int most = ahead ? ahead_at_once : 1;
        const bool leaves = current.depth + 1 == i32(b.levels);
        i32 child = -1;
        branched += current.cursor == 0;
        while (current.cursor < current.limit) {
            const i32 from = current.cursor, left = current.limit - from, count = left < most ? left : most;
            i64 seen[most];
            if constexpr (both) see_both(a.bound, a.tree, current.node(), current.depth, from, current.lower, seen);
            else if constexpr (ahead)
                look_ahead(a.bound, a.tree, current.node(), current.depth, from, from + count, b.threshold, seen);
            else seen[0] = make(from) ? a.bound.lower(a.tree, current.made(), current.depth + 1) : no_cost;
            if constexpr (most == 2) {  // lanes that differ go this way together
                const bool two = count == 2, first = seen[0] < b.threshold, second = two && seen[1] < b.threshold;
                if (!leaves && (!first || seen[0] >= current.lower) && (!second || seen[1] >= current.lower)) {
                    const u32 gone = u32(!first && seen[0] != no_cost) + u32(two && !second && seen[1] != no_cost);
                    const u32 below = gone ? u32(current.depth) + 1 : 0;
                    steps += u32(count);
                    bounded += gone;
                    by_bound += gone;
                    deepest = below > deepest ? below : deepest;
                    current.cursor = first && second ? from + 1 : current.limit;
                    lower = first ? seen[0] : seen[1];
                    return first ? from : second ? from + 1 : -1;
                }
            }
            for (int i = 0; i < most; ++i) {
                if (i == count) break;
                const i64 found = seen[i];
                ++steps;
                if (found >= b.threshold) {
                    if (found != no_cost) prune(leaves);
                } else if (leaves || found < current.lower) {
                    if (ahead) make_bounded(a.tree, current.node(), current.depth, from + i, found, current.made());
                    if (found < current.lower) {
                        refuse(found, no_cost);
                        return -1;
                    }
                    this->count(true);
                    keep(found);
                } else if (child >= 0) {
                    return child;
                } else {
                    child = from + i;
                    lower = found;
                    if constexpr (!ahead) current.hold();
                }
                ++current.cursor;
            }
        }
        return child;
    }

    MH_FN void prune(bool whole) {
        count(whole);
        ++by_bound;
    }

    MH_FN bool make(i32 k) { return a.tree.child(current.node(), current.depth, k, current.made()); }

    MH_FN void count(bool whole) {
        ++bounded;
        complete += whole;
        deepest = u32(current.depth) + 1 > deepest ? u32(current.depth) + 1 : deepest;
    }

    MH_FN void go_down(i32 k, i64 lower) {
        if constexpr (CurrentNode::holds && !SeesBoth<Bound>::value && !LooksAhead<Bound>::value) current.hold();
        else make_bounded(a.tree, current.node(), current.depth, k, lower, current.made());
        count(false);
        ++kept;
#if MH_COMPLETES
        if (b.completes) {
            const i64 upper = a.bound.upper(a.tree, current.made(), current.depth + 1);
            if (upper < lower) return refuse(lower, upper);
            if (upper < b.threshold) keep(upper);
        }
#endif
        current.go_down();
        current.lower = lower;
        current.cursor = 0;
        ++current.depth;
        current.limit = same_arity ? MH_ARITY : i32(b.arities[current.depth]);
    }

    // the child's solution is the best one
    MH_FN void keep(i64 better) {
        b.threshold = cost = better;
        winner_depth = current.depth + 1;
        store(b.winners + 3 * e, current.made());
        if (b.shared) lower_shared(b.shared, better);
    }

    // the child's bound is wrong
    MH_FN void refuse(i64 lower, i64 upper) {
        faulty = true;
        store(b.winners + 3 * e + 1, current.node());
        store(b.winners + 3 * e + 2, current.made());
        const i64 numbers[] = {current.depth, current.lower, lower, upper};
        for (int i = 0; i < 4; ++i) b.faults[4 * e + i] = numbers[i];
    }
};
