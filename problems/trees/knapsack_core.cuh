// A dynamic program over a core: the items from `left` up to `right` are decided, those before are taken, those behind
// are not. A state is a weight, a profit, and the path of changes to the break solution; states ascend in both numbers.
// Python has proven that products of a profit by a weight, and their sums, fit into 64 bits.

// the solutions of a state with items outside the core, relaxed to parts of items
struct Outlook {
    i64 capacity, wanted;  // what all items may weigh together, and the profit that would be better than the best
    i64 added_weight, added_profit;      // the next item behind the core; both 0 if there is none
    i64 removed_weight, removed_profit;  // the next item before the core; both 0 if there is none

    bool holds(i64 weight, i64 profit) const {
        const i64 room = capacity - weight;
        if (room >= 0)
            return added_weight ? (profit - wanted) * added_weight + room * added_profit >= 0 : profit >= wanted;
        return removed_weight && (profit - wanted) * removed_weight + room * removed_profit >= 0;
    }
};

static i64 wanted(const Batch& b) { return (b.best / b.step + 1) * b.step; }

// whether a better solution may differ from the break solution in an item; `sign` is 1 where the item would be added
static bool may_change(const Batch& b, i64 item, i64 sign) {
    const i64 profit = b.break_profit + sign * b.profits[item] - wanted(b);
    const i64 room = b.capacity - b.break_weight - sign * b.weights[item];
    return profit * b.weights[b.first] + room * b.profits[b.first] >= 0;
}

// moves the ends of the core over items that stay as they are
static void skip(Batch& b) {
    while (b.right < b.items && !may_change(b, b.right, 1)) ++b.right;
    while (b.left > 0 && !may_change(b, b.left - 1, -1)) --b.left;
}

static Outlook outlook(const Batch& b) {
    const bool adds = b.right < b.items, removes = b.left > 0;
    return {b.capacity,
            wanted(b),
            adds ? b.weights[b.right] : 0,
            adds ? b.profits[b.right] : 0,
            removes ? b.weights[b.left - 1] : 0,
            removes ? b.profits[b.left - 1] : 0};
}

static i64 node(Batch& b, i64 parent, i64 item) {
    b.parents[b.nodes] = i32(parent);
    b.changed[b.nodes] = i32(item);
    return b.nodes++;
}

// takes the best solution among the states with one more item changed
static void improve(Batch& b, i64 item, i64 weight, i64 profit) {
    i64 low = 0, high = b.count;  // the first state that does not fit
    while (low < high) {
        const i64 middle = (low + high) / 2;
        if (b.from_weights[middle] + weight <= b.capacity) low = middle + 1;
        else high = middle;
    }
    if (!low || b.from_profits[low - 1] + profit <= b.best) return;
    b.best = b.from_profits[low - 1] + profit;
    b.winner = node(b, b.from_nodes[low - 1], item);
    b.found = 1;
}

// joins the states and the states with an item changed; drops dominated states, and then states without prospects
static void merge(Batch& b, i64 item, i64 weight, i64 profit) {
    const Outlook ahead = outlook(b);
    const i64 count = b.count, none = i64(1) << 62;
    i64 kept = 0, dominated = 0, pruned = 0, changed = 0, highest = -1;
    for (i64 i = 0, j = 0; i < count || j < count;) {
        const i64 old_weight = i < count ? b.from_weights[i] : none;
        const i64 new_weight = j < count ? b.from_weights[j] + weight : none;
        bool old = old_weight < new_weight;
        if (old_weight == new_weight) old = b.from_profits[i] >= b.from_profits[j] + profit;
        const i64 at = old ? i++ : j++;
        const i64 w = old ? old_weight : new_weight, p = b.from_profits[at] + (old ? 0 : profit);
        if (p <= highest) {
            ++dominated;
            continue;
        }
        highest = p;
        if (!ahead.holds(w, p)) {
            ++pruned;
            continue;
        }
        b.to_weights[kept] = w;
        b.to_profits[kept] = p;
        b.to_nodes[kept++] = old ? b.from_nodes[at] : i32(node(b, b.from_nodes[at], item));
        changed += !old;
    }
    b.branched += count;
    b.bounded += count;
    b.kept += changed;
    b.by_bound += pruned;
    b.by_dominance += dominated;
    b.count = kept;
}

template <class T> static void exchange(T& a, T& b) {
    const T kept = a;
    a = b;
    b = kept;
}

// Decides items until there are no states, a better solution was found, the asked number of steps or states is reached,
// or there is no room.
MH_ENTRY(decide) {
    Batch& b = *arguments->batch;
    b.found = 0;
    while (b.count && !b.found && b.steps < b.most_steps && b.branched < b.most_branched) {
        if (2 * b.count > b.room || b.nodes + b.count + 1 > b.node_room) return;
        const bool adds = b.right < b.items && (b.adds || !b.left);
        const i64 item = adds ? b.right++ : --b.left;
        const i64 sign = adds ? 1 : -1, weight = sign * b.weights[item], profit = sign * b.profits[item];
        b.adds = !adds;
        improve(b, item, weight, profit);
        skip(b);
        merge(b, item, weight, profit);
        exchange(b.from_weights, b.to_weights);
        exchange(b.from_profits, b.to_profits);
        exchange(b.from_nodes, b.to_nodes);
        b.exchanged = !b.exchanged;
        ++b.steps;
    }
}

// Keeps the nodes on the paths of the states, in their order, and numbers them anew.
MH_ENTRY(compact) {
    Batch& b = *arguments->batch;
    for (i64 k = 0; k < b.nodes; ++k) b.numbers[k] = 0;
    for (i64 i = 0; i < b.count; ++i) b.numbers[b.from_nodes[i]] = 1;
    b.numbers[0] = 1;
    for (i64 k = b.nodes - 1; k > 0; --k)
        if (b.numbers[k]) b.numbers[b.parents[k]] = 1;
    i32 next = 0;
    for (i64 k = 0; k < b.nodes; ++k) {
        if (!b.numbers[k]) continue;
        b.parents[next] = k ? b.numbers[b.parents[k]] : 0;  // a parent comes before its child
        b.changed[next] = b.changed[k];
        b.numbers[k] = next++;
    }
    for (i64 i = 0; i < b.count; ++i) b.from_nodes[i] = b.numbers[b.from_nodes[i]];
    b.nodes = next;
}
