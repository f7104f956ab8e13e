// Moves that make an item and one of its candidates neighbours, each in some ways; a group is the moves of one item.
// Which moves these are depends on where the items stand: `positions` follows the solution.
template <class Data> struct Restricted : Data {
    typedef decltype(Data::neighborhood) Whole;
    typedef CandidateMove Move;
    typedef typename Whole::Move Denoted;

    MH_FN const Whole& whole() const { return Data::neighborhood; }
    MH_FN int ways() const { return int(Data::ways); }
    MH_FN int length() const { return Data::candidates.columns * ways(); }

    MH_FN i64 size() const { return groups() * length(); }
    MH_FN i64 groups() const { return whole().size() ? Data::n : 0; }
    MH_FN int length(i64) const { return length(); }
    MH_FN i64 first(i64 g) const { return g * length(); }
    MH_FN Move move(i64 g, int k) const { return {int(g), Data::candidates(g, k / ways()), k % ways()}; }
    MH_FN i64 group(Move m) const { return m.item; }
    MH_FN i64 index(Move m) const {
        int rank = 0;
        while (Data::candidates(m.item, rank) != m.candidate) ++rank;
        return first(m.item) + rank * ways() + m.way;
    }
    MH_FN Move unrank(i64 k) const { return move(k / length(), int(k % length())); }

    MH_FN void prepare(Team team, const Item* x) const {
        auto places = Data::positions;
        team.for_each(Data::n, [=](i64 k) { places(x[k]) = int(k); });
    }

    // the move that is meant, if there is one
    MH_FN bool denotes(Move m, Denoted& denoted) const {
        return whole().joining(Data::positions(m.item), Data::positions(m.candidate), m.way, denoted);
    }

    MH_FN void apply(Team team, Item* x, Move m) const {
        Denoted denoted;
        if (denotes(m, denoted)) whole().apply(team, x, denoted);
    }
};
