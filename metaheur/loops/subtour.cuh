// Tours through some of the items of a problem, which a loop chooses.
struct Subtour : SubtourData {
    // the cost of the edge between two items of the problem
    MH_FN Cost edge(int a, int b) const { return Cost(problem_0.edge(a, b)); }

    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n, [&](int k) { return Total(edge(x[k], x[k + 1 == n ? 0 : k + 1])); });
    }
};
