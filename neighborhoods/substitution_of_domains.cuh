// Shifts of each position's value, as many as its domain has other values; a group is a position.
struct Substitution : SubstitutionData {
    typedef SubstitutionMove Move;
    static constexpr bool places_all = true;

    MH_FN i64 size() const { return ends(n - 1); }
    MH_FN i64 groups() const { return n; }
    MH_FN int length(i64 g) const { return int(ends(g) - first(g)); }
    MH_FN i64 first(i64 g) const { return g ? i64(ends(g - 1)) : 0; }
    MH_FN Move move(i64 g, int shift) const { return {int(g), shift + 1, length(g) + 1}; }
    MH_FN i64 group(Move m) const { return m.at; }
    MH_FN i64 index(Move m) const { return first(m.at) + m.shift - 1; }
    MH_FN Move unrank(i64 index) const {
        const i64 g = first_of(n - 1, [&](i64 each) { return ends(each) > index; });
        return move(g, int(index - first(g)));
    }

    // the shift by the difference of both values
    MH_FN Move towards(const Item* x, const Item* guide, const i32*, int at) const {
        const i64 shift = i64(guide[at]) - i64(x[at]);
        return {at, int(shift < 0 ? shift + length(at) + 1 : shift), length(at) + 1};
    }

    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }

    // the moves at the same position, or none
    MH_FN i64 touched() const { return k - 1; }
    MH_FN bool around(Move m, i64 t, Move& other) const {
        other = move(m.at, int(t));
        return t < length(m.at);
    }
};
