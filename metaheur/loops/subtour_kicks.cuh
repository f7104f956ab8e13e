// The edges of a subtour, whose items have numbers of their own. An edge between tied items replaces a path outside the
// subtour, and must stay.
template <class Items, class Behind, class Before> struct TiedEdges {
    const Problem& problem;
    Items items;
    Behind behind;
    Before before;

    MH_FN Cost edge(int a, int b) const {
        if (behind(a) == b || before(a) == b) return -Cost(Problem::stay);
        return problem.edge(items(a), items(b));
    }
};

// Kicks of a subtour.
struct SubtourKicks : SubtourKicksData {
    static constexpr bool tabulates = decltype(SubtourKicksData::kicks)::tabulates;

    MH_FN auto tour(Walk& walk) const {
        const TiedEdges<decltype(SubtourKicksData::items), decltype(SubtourKicksData::behind),
                        decltype(SubtourKicksData::before)>
            edges{walk.problem, items, behind, before};  // some of these arrays may lie in shared memory
        return kicks.descent.tour(walk, edges, near, Unguided{});
    }

    MH_FN void prepare(Walk& walk) const { kicks.descent.prepare(tour(walk)); }

    MH_FN Outcome step(Walk& walk) { return kicks.kick(walk, tour(walk), Cost(Problem::stay / 2)); }
};
