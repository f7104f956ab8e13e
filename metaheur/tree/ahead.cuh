// Bounds of children before they are made.

// how many children a bound looks at before they are made, at once
#ifdef __CUDACC__
constexpr int ahead_at_once = MH_ARITY == 2 ? 2 : 1;
#else
constexpr int ahead_at_once = MH_ARITY < 32 ? MH_ARITY : 32;
#endif

// Whether a bound can bound children before they are made.
template <class B, class = void> struct LooksAhead { static constexpr bool value = false; };
template <class B>
struct LooksAhead<
    B, typename Voided<decltype(declval<const B&>().template ahead<1>(
           declval<const Tree&>(), declval<const Node&>(), 0, 0, 0, i64(0), static_cast<i64*>(nullptr)))>::type> {
    static constexpr bool value = true;
};

// writes the bounds of children from ... to - 1, at most `ahead_at_once`: `no_cost` for a child that does not exist;
// returns whether the bound can do that
template <class B>
MH_FN bool look_ahead(const B& bound, const Tree& tree, const Node& father, int depth, int from, int to, i64 threshold,
                      i64* lowers) {
    if constexpr (LooksAhead<B>::value)
        bound.template ahead<ahead_at_once>(tree, father, depth, from, to, threshold, lowers);
    return LooksAhead<B>::value;
}

// Whether a bound says which children have the bounds of their fathers.
template <class B, class = void> struct Inherits { static constexpr bool value = false; };
template <class B>
struct Inherits<B, typename Voided<decltype(declval<const B&>().inherits(declval<const Tree&>(), declval<const Node&>(),
                                                                         0, 0))>::type> {
    static constexpr bool value = true;
};

// whether a child has the bound and the completion of its father
template <class B> MH_FN bool inherits(const B& bound, const Tree& tree, const Node& father, int depth, int k) {
    if constexpr (Inherits<B>::value) return bound.inherits(tree, father, depth, k);
    return false;
}

// Whether a bound can bound both children of a node from the node and its bound: explorers then make only children that
// stay.
template <class B, class = void> struct SeesBoth { static constexpr bool value = false; };
template <class B>
struct SeesBoth<B, typename Voided<decltype(declval<const B&>().both(declval<const Tree&>(), declval<const Node&>(), 0,
                                                                     0, i64(0), static_cast<i64*>(nullptr)))>::type> {
    static constexpr bool value = ahead_at_once == 2;
};

template <class B>
MH_FN void see_both(const B& bound, const Tree& tree, const Node& father, int depth, int from, i64 lower, i64* lowers) {
    if constexpr (SeesBoth<B>::value) bound.both(tree, father, depth, from, lower, lowers);
}

// Whether a tree can make a child whose bound is known: some trees keep the bound in the node.
template <class T, class = void> struct KnowsBounds { static constexpr bool value = false; };
template <class T>
struct KnowsBounds<T, typename Voided<decltype(declval<const T&>().child_of_bound(declval<const Node&>(), 0, 0, i64(0),
                                                                                  declval<Node&>()))>::type> {
    static constexpr bool value = true;
};

template <class T>
MH_FN void make_bounded(const T& tree, const Node& father, int depth, int k, i64 lower, Node& child) {
    if constexpr (KnowsBounds<T>::value) tree.child_of_bound(father, depth, k, lower, child);
    else tree.child(father, depth, k, child);
}
