// A move of one part with a move of another part; a group is the pairs of a move of the first with a group of the
// second.
struct Product : ProductData {
    typedef decltype(ProductData::left) Left;
    typedef decltype(ProductData::right) Right;
    typedef ProductMove<Left::Move, Right::Move> Move;

    MH_FN i64 size() const { return left.size() * right.size(); }
    MH_FN i64 groups() const { return left.size() * right.groups(); }
    MH_FN int length(i64 g) const { return right.length(g % right.groups()); }
    MH_FN i64 first(i64 g) const { return g / right.groups() * right.size() + right.first(g % right.groups()); }
    MH_FN Move move(i64 g, int k) const { return {left.unrank(g / right.groups()), right.move(g % right.groups(), k)}; }
    MH_FN i64 group(Move m) const { return left.index(m.left) * right.groups() + right.group(m.right); }
    MH_FN i64 index(Move m) const { return left.index(m.left) * right.size() + right.index(m.right); }
    MH_FN Move unrank(i64 k) const { return {left.unrank(k / right.size()), right.unrank(k % right.size())}; }
    MH_FN void apply(Team team, Item* x, Move m) const {
        left.apply(team, x, m.left);
        right.apply(team, x, m.right);
    }

    // where one of both judges its moves
    template <class L = Left, class R = Right, class = typename When<L::partial || R::partial>::type>
    MH_FN bool feasible(const Item* x, Move m) const {
        return ::feasible(static_cast<const L&>(left), x, m.left) &&
               ::feasible(static_cast<const R&>(right), x, m.right);
    }
};
