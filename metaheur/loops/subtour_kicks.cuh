// The edges of a subtour, whose items have numbers of their own; tied ones stand for the way outside, and must stay.
template <class Items, class Ties> struct TiedEdges {
    const Problem& problem;
    Items items;
    Ties behind, before;

    MH_FN Cost edge(int a, int b) const {
        if (behind(a) == b || before(a) == b) return -Cost(Problem::stay);
        return problem.edge(items(a), items(b));
    }
};

// Kicks of a subtour.
struct SubtourKicks : SubtourKicksData {
    static constexpr bool tabulates = decltype(SubtourKicksData::kicks)::tabulates;

    MH_FN auto tour(Walk& walk) const {
        typedef TiedEdges<decltype(SubtourKicksData::items), decltype(SubtourKicksData::behind)> Edges;
        return kicks.descent.tour(walk, Edges{walk.problem, items, behind, before}, near, Unguided{});
    }

    MH_FN void prepare(Walk& walk) const { kicks.descent.prepare(tour(walk)); }

    MH_FN Outcome step(Walk& walk) { return kicks.kick(walk, tour(walk), Cost(Problem::stay / 2)); }
};
