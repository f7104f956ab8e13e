// Values are counted by agreement, the number of positions in which a row equals V: (AV)_r = 2 agreement - n, and a
// flip changes it by one. The cost depends on the histogram of agreements alone: price(a, rows) says what it costs that
// so many rows have the agreement a. So the cost of a neighbor is a sum over the agreements that occur, of counts.
//
// Kept: rises(r, j), whether flipping bit j raises row r's agreement; the rows in order of agreement; where each
// agreement begins among them. A group's moves share all flips but the last: the rows are sorted once by the agreement
// that these leave behind, and then every last flip j needs, for each agreement, the number of its rows that j raises.
// Those are sums of bytes along rows(r, j), contiguous in j: four moves a word, no histogram for any move.
#ifdef __CUDACC__
#define MH_PPP_WORDS 1
#else
#define MH_PPP_WORDS 32
#endif

template <int flips> struct Hamming;  // the groups that are evaluated together are this neighborhood's

// Whether the moves of a group are evaluated together, `words` words a thread. On a GPU not those of Hamming<1>, which
// are a single group: one warp would work, and all others wait.
template <int flips, bool cuda = MH_PPP_WORDS == 1> struct PPPGroups {
    typedef void type;
    static constexpr int words = MH_PPP_WORDS;
};
template <> struct PPPGroups<1, true> {};

// A number of rows, or four times as many.
template <bool narrow> struct PPPCounts { typedef i32 type; };
template <> struct PPPCounts<true> { typedef i16 type; };
typedef PPPCounts<(PPPData::m < 8192 && MH_PPP_WORDS > 1)>::type PPPCount;

struct PPP : PPPData {
    static constexpr int margin = 8;  // agreements below 0 and above n that tables have, twice the largest radius
    static constexpr int chunk = 32;  // words of moves that a team evaluates together
    static constexpr Cost unit = 60;  // of the penalty of an agreement, and of a row raised from it
    static constexpr int full = 255;  // rows that a byte can count

    MH_FN Cost price(int agreement, Cost rows) const {
        Cost apart = rows - target(agreement + margin);
        return (apart < 0 ? -apart : apart) + rows * penalty(agreement);
    }
    // 30 (|y| - y) for y = 2 agreement - n
    MH_FN Cost penalty(int agreement) const { return 2 * agreement < n ? unit * (n - 2 * agreement) : Cost(0); }

    MH_FN int begin(State s, int agreement) const { return s.begin(agreement + margin); }
    MH_FN int rows_of(State s, int agreement) const { return begin(s, agreement + 1) - begin(s, agreement); }
    MH_FN int lowest(State s) const { return s.agreement(s.order(0)); }
    MH_FN int highest(State s) const { return s.agreement(s.order(m - 1)); }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(m, [&](i64 r) {
            int agreement = 0;
            u8* row = s.rises.at(r);
            for (int j = 0; j < n; ++j) {
                u8 rise = u8(plus(r, j) ^ x[j]);
                row[j] = rise;
                agreement += 1 - rise;
            }
            s.agreement(r) = agreement;
        });
        team.sync();
        sort(team, s);
    }

    // order and begin, from the agreements: one thread counts, many look for their own
    MH_FN void sort(Team team, State s) const {
        const int last = n + 2 * margin;
        if (team.size == 1) {
            for (int a = 0; a <= last + 1; ++a) s.begin(a) = 0;
            for (int r = 0; r < m; ++r) ++s.begin(s.agreement(r) + margin + 1);
            for (int a = 0; a <= last; ++a) s.begin(a + 1) += s.begin(a);
            for (int r = 0; r < m; ++r) s.order(s.begin(s.agreement(r) + margin)++) = r;
            for (int a = last + 1; a > 0; --a) s.begin(a) = s.begin(a - 1);
            s.begin(0) = 0;
            return;
        }
        team.for_each(last + 2, [&](i64 a) {
            int below = 0, equal = 0;
            for (int r = 0; r < m; ++r) {
                int agreement = s.agreement(r) + margin;
                below += agreement < a;
                equal += agreement == a;
            }
            s.begin(a) = below;
            for (int r = 0; equal; ++r) {
                if (s.agreement(r) + margin != a) continue;
                s.order(below++) = r;
                --equal;
            }
        });
    }

    // f(row) for every row that has the agreement `before` and is raised by `raised` of the first `flips` flips of a
    // move
    template <int flips, class M, class F> MH_FN void raised_rows(State s, M move, int before, int raised, F f) const {
        for (int p = begin(s, before), end = begin(s, before + 1); p < end; ++p) {
            int r = s.order(p), rises = 0;
            for (int c = 0; c < flips; ++c) rises += s.rises(r, move.at[c]);
            if (rises == raised) f(r);
        }
    }

    template <int flips> MH_FN Cost delta(Team team, const Item*, State s, FlipMove<flips> move) const {
        static_assert(2 * flips <= margin, "a move flips more bits than the tables' margins allow");
        const int low = lowest(s) - flips, high = highest(s) + flips;
        return team.sum(high - low + 1, [&](int k) {
            int after = low + k;
            Cost rows = 0;
            for (int raised = 0; raised <= flips; ++raised)
                raised_rows<flips>(s, move, after + flips - 2 * raised, raised, [&](int) { ++rows; });
            return price(after, rows) - price(after, rows_of(s, after));
        });
    }

    template <int flips> MH_FN void commit(Team team, const Item*, State s, FlipMove<flips> move) const {
        team.for_each(m, [&](i64 r) {
            u8* row = s.rises.at(r);
            for (int c = 0; c < flips; ++c) {
                s.agreement(r) += row[move.at[c]] ? 1 : -1;
                row[move.at[c]] ^= 1;
            }
        });
        team.sync();
        sort(team, s);
    }

    // rows in order of the agreement after the first `flips` flips, low ... high; firsts[k], where low + k begins
    template <int flips, class M>
    MH_FN void regroup(Team team, State s, M move, int low, int high, i32* rows, i32* firsts) const {
        team.for_each(high - low + 2, [&](i64 k) {
            const int after = low + int(k);
            int first = begin(s, after - flips);  // rows that end below, whatever the flips do
            for (int before = after - flips; before < after + flips; ++before)
                for (int raised = 0; raised <= flips; ++raised)
                    if (before - flips + 2 * raised < after)
                        raised_rows<flips>(s, move, before, raised, [&](int) { ++first; });
            firsts[k] = first;
            for (int raised = 0; raised <= flips; ++raised)
                raised_rows<flips>(s, move, after + flips - 2 * raised, raised, [&](int r) { rows[first++] = r; });
        });
        team.sync();
    }

    // out[k] = the change of cost of the group's move k; the moves differ in their last flip
    template <int flips>
    MH_FN typename PPPGroups<flips>::type deltas(Team team, const Item*, State s, const Hamming<flips>& neighborhood,
                                                 i64 group, Cost* out) const {
        constexpr int words = PPPGroups<flips>::words;
        const auto move = neighborhood.move(group, 0);
        const int from = move.at[flips - 1];
        const int low = lowest(s) - (flips - 1), high = highest(s) + flips - 1, pairs = (high - low + 4) / 2;
        i32* rows = s.rows.of(team).at(0);
        i32* firsts = s.firsts.of(team).at(0);
        team.sync();  // the group before may still be read
        regroup<flips - 1>(team, s, move, low, high, rows, firsts);
        // what the moves have in common: the present cost of the same agreements, and no row raised by the last flip
        const Cost common = team.sum(2 * pairs, [&](int k) {
            Cost sunk = low + k <= high ? Cost(firsts[k + 1] - firsts[k]) * penalty(low - 1 + k) : Cost(0);
            return sunk - price(low - 1 + k, rows_of(s, low - 1 + k));
        });
        for (int word = from / (4 * chunk) * chunk + team.rank; 4 * word < n; word += words * team.size) {
            PPPCount apart[4 * words] = {}, lifted[4 * words] = {}, even[4 * words] = {}, odd[4 * words] = {};
            auto take = [&](int before, PPPCount* raised) {
                const int first = before <= high ? firsts[before - low] : 0;
                const int end = before <= high ? firsts[before - low + 1] : 0;
                take_rows<words>(team, s, before, rows + first, rows + end, word, apart, lifted, raised);
            };
            for (int before = low; before < low + 2 * pairs; before += 2) {
                take(before, even);
                take(before + 1, odd);
            }
            for (int k = 0; k < 4 * words; ++k) {
                int j = 4 * (word + k / 4 * team.size) + k % 4;
                if (j >= from && j < n) out[j - from] = common + apart[k] - unit * Cost(lifted[k]);
            }
        }
    }

    // The rows of agreement `before`, which the last flip takes to before + 1 or before - 1: after it, before - 1 has
    // these without the raised ones, and those that were raised from before - 2. Counts are sums of bytes, four flips a
    // word, widened before a byte is full.
    template <int words>
    MH_FN void take_rows(Team team, State s, int before, const i32* row, const i32* end, int word, PPPCount* apart,
                         PPPCount* lifted, PPPCount* raised) const {
        PPPCount now[4 * words] = {};
        const int known = int(end - row) - int(target(before - 1 + margin));
        while (row < end) {
            const i32* stop = end - row > full ? row + full : end;
            union {
                u32 word[words];
                u8 byte[4 * words];
            } sums = {};
            for (; row < stop; ++row) {
                const u32* rises = reinterpret_cast<const u32*>(s.rises.at(*row)) + word;
                u32 own[words];  // a loop of its own: g++ would make two rows one loop, and gather their words one by
                                 // one
                for (int w = 0; w < words; ++w) own[w] = rises[w * team.size];
                for (int w = 0; w < words; ++w) sums.word[w] += own[w];
            }
            for (int k = 0; k < 4 * words; ++k) now[k] = PPPCount(now[k] + sums.byte[k]);
        }
        const PPPCount weight = PPPCount((penalty(before - 1) - penalty(before + 1)) / unit);
        if (weight)
            for (int k = 0; k < 4 * words; ++k) lifted[k] = PPPCount(lifted[k] + now[k] * weight);
        for (int k = 0; k < 4 * words; ++k) {
            PPPCount difference = PPPCount(raised[k] + known - now[k]);
            apart[k] = PPPCount(apart[k] + (difference < 0 ? -difference : difference));
            raised[k] = now[k];
        }
    }
};
