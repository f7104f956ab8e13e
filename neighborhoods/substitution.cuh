// Shifts 1 ... k - 1 of each position's value; a group is a position.
struct Substitution : SubstitutionData {
    typedef SubstitutionMove Move;
    static constexpr bool places_all = true;

    MH_FN i64 size() const { return (k - 1) * n; }
    MH_FN i64 groups() const { return n; }
    MH_FN int length(i64) const { return int(k - 1); }
    MH_FN i64 first(i64 g) const { return (k - 1) * g; }
    MH_FN Move move(i64 g, int shift) const { return {int(g), shift + 1, int(k)}; }
    MH_FN i64 group(Move m) const { return m.at; }
    MH_FN i64 index(Move m) const { return first(m.at) + m.shift - 1; }
    MH_FN Move unrank(i64 index) const { return move(index / (k - 1), int(index % (k - 1))); }

    // the shift by the difference of both values
    MH_FN Move towards(const Item* x, const Item* guide, const i32*, int at) const {
        const i64 shift = i64(guide[at]) - i64(x[at]);
        return {at, int(shift < 0 ? shift + k : shift), int(k)};
    }

    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }

    // the moves at the same position
    MH_FN i64 touched() const { return k - 1; }
    MH_FN bool around(Move m, i64 t, Move& other) const {
        other = move(m.at, int(t));
        return true;
    }
};
