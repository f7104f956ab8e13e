// Steps up and down by the lengths of each entry; a group is an entry.
struct Steps : StepsData {
    typedef SubstitutionMove Move;

    MH_FN int count() const { return int(lengths.columns); }
    MH_FN i64 size() const { return i64(2 * count()) * n; }
    MH_FN i64 groups() const { return n; }
    MH_FN int length(i64) const { return 2 * count(); }
    MH_FN i64 first(i64 g) const { return i64(2 * count()) * g; }
    MH_FN Move move(i64 g, int s) const {
        const bool up = s < count();
        const int values = int(domains(g)), by = int(lengths(g, up ? s : s - count()));
        return {int(g), up ? by : values - by, values};
    }
    MH_FN i64 group(Move m) const { return m.at; }
    MH_FN i64 index(Move m) const {
        const bool up = m.shift <= m.values / 2;
        const int by = up ? m.shift : m.values - m.shift;
        int s = 0;
        while (s + 1 < count() && int(lengths(m.at, s)) != by) ++s;
        return first(m.at) + (up ? 0 : count()) + s;
    }
    MH_FN Move unrank(i64 index) const { return move(index / (2 * count()), int(index % (2 * count()))); }
    MH_FN void apply(Team team, Item* x, Move m) const { m.apply(team, x); }

    // the moves of the same entry
    MH_FN i64 touched() const { return 2 * count(); }
    MH_FN bool around(Move m, i64 t, Move& other) const {
        other = move(m.at, int(t));
        return true;
    }
};
