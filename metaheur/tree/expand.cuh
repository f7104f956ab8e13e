// A child of a node: the same on every device.

// the bound and the cost of a child that exists
struct Child {
    i64 lower, cost;  // cost: the cost of a solution of the child, if a solution is known
    bool kept;

    // whether the bound falls, or is above the cost of a solution
    MH_FN bool wrong(i64 of_father) const { return lower < of_father || cost < lower; }
};

// `lower`: the child's bound, if it is known
MH_FN Child evaluate(const Arguments& a, const Batch& b, const Node& node, int depth, const i64* lower) {
    Child child{lower ? *lower : a.bound.lower(a.tree, node, depth), no_cost, false};
    child.kept = child.lower < b.threshold;
    if (depth == b.levels) child.cost = child.lower;
#if MH_COMPLETES
    else if (child.kept && b.completes) child.cost = a.bound.upper(a.tree, node, depth);
#endif
    return child;
}
