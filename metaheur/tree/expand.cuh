// What one node's children are: the same on every device.

// a child that exists
struct Child {
    i64 lower, cost;  // cost: of a solution of the child, if one is known
    bool kept;

    // whether the bound contradicts itself
    MH_FN bool wrong(i64 of_father) const { return lower < of_father || cost < lower; }
};

// `lower`: where the bound has looked ahead, what it has seen
MH_FN Child evaluate(const Arguments& a, const Batch& b, const Node& node, int depth, const i64* lower) {
    Child child{lower ? *lower : a.bound.lower(a.tree, node, depth), no_cost, false};
    child.kept = child.lower < b.threshold;
    if (depth == b.levels) child.cost = child.lower;
#if MH_COMPLETES
    else if (child.kept && b.completes) child.cost = a.bound.upper(a.tree, node, depth);
#endif
    return child;
}
