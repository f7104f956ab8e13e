// Values are counted by agreement, the number of positions in which a row equals V: (AV)_r = 2 agreement - n, and a
// flip changes it by one. The cost depends on the histogram of agreements alone: price(a, rows) is the cost of an
// agreement a that so many rows have. So the cost of a neighbor is a sum of prices over the agreements that occur.
//
// Kept: rises(r, j), whether flipping bit j raises row r's agreement; the rows in order of agreement; where each
// agreement begins among them. A group's moves share all flips but the last: the rows are sorted once by the agreement
// after the shared flips, and then every last flip j needs, for each agreement, the number of its rows that j raises.
// These numbers are sums of bytes of rises(r, j), contiguous in j: four moves a word, no histogram for any move.
//
// No target is negative. So the cost is 2 m plus all penalties minus twice the number of targets met: the sum, over the
// agreements of at least half of the positions, of the smaller number, rows or targets. A penalty is a straight line
// with one bend, so that two flips change it by the sum of their changes, except for rows near the bend.
// Pairs of flips are evaluated by bits: the common bits of two words are the rows that both flips of a pair raise, and
// all other counts follow from the number of rows of each agreement that a single flip raises. Rows of one agreement
// are packed for each flip, eight to a byte on a CPU and 32 to a word on a GPU, where a count of two moves shares a
// word, too.
// Flips alone are evaluated by warps of a GPU, four flips each: the rows in order of agreement become 32 bits a lane
// for each flip, and the rows of an agreement that the flip raises are counted in these bits.
#ifdef __CUDACC__
#define MH_PPP_WORDS 1
#define MH_PPP_RUNS (MH_LANES == 32)
#else
#define MH_PPP_RUNS 0
#define MH_PPP_WORDS 32
#define MH_PPP_ONCE __attribute__((noinline))  // once in a unit: to compile a function for each entry takes seconds
#endif

template <int flips> struct Hamming;  // the moves of its groups are evaluated together

// A number of rows, or four times as many.
template <bool narrow> struct PPPCounts { typedef i32 type; };
template <> struct PPPCounts<true> { typedef i16 type; };
typedef PPPCounts<(PPPData::m < 8192 && MH_PPP_WORDS > 1)>::type PPPCount;

struct PPP : PPPData {
    static constexpr int margin = 8;  // agreements below 0 and above n that tables have, twice the largest radius
    static constexpr int chunk = 32;  // words of moves that a team evaluates together
    static constexpr Cost unit = 60;  // of the penalty of an agreement, and of a row raised from it
    static constexpr int full = 255;  // rows that a byte can count
    static constexpr int most = 85;   // rows of an agreement that are packed: three times as many fit into a byte
    static constexpr int least = (columns + 1) / 2;     // the lowest agreement that targets have
    static constexpr int base = least - 2;              // the lowest agreement from which a pair leads to `least`
    enum { NOT_YET = -1, PACKING = -2, NO_ROOM = -3 };  // why octets are missing
    static constexpr int lanes = 128;                   // second flips that are evaluated together

    MH_FN Cost price(int agreement, Cost rows) const {
        Cost apart = rows - target(agreement + margin);
        return (apart < 0 ? -apart : apart) + rows * penalty(agreement);
    }
    // 30 (|y| - y) for y = 2 agreement - n
    MH_FN Cost penalty(int agreement) const { return unit * below(agreement); }
    MH_FN int below(int agreement) const { return 2 * agreement < n ? n - 2 * agreement : 0; }

    MH_FN int begin(State s, int agreement) const { return s.begin(agreement + margin); }
    MH_FN int rows_of(State s, int agreement) const { return begin(s, agreement + 1) - begin(s, agreement); }
    MH_FN int lowest(State s) const { return s.agreement(s.order(0)); }
    MH_FN int highest(State s) const { return s.agreement(s.order(m - 1)); }

    MH_FN u8 plus(int r, int j) const { return u8(quads(j / 4, r) >> j % 4 * 8); }

    // whether flipping bit j raises row r's agreement; a CPU keeps it
    MH_FN u8 rises(const Item* x, State s, int r, int j) const {
#ifdef __CUDACC__
        return plus(r, j) ^ u8(x[j]);
#else
        return s.rises(r, j);
#endif
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(m, [&](i64 r) {
            int agreement = 0;
            for (int j = 0; j < n; ++j) {
                const u8 rise = plus(int(r), j) ^ u8(x[j]);
                agreement += 1 - rise;
#ifndef __CUDACC__
                s.rises.at(r)[j] = rise;
#endif
            }
            s.agreement(r) = agreement;
        });
        team.for_each(n, [&](i64 j) { s.raised(j) = x[j] ? m - pluses(j) : pluses(j); });
        team.sync();
        sort(team, s);
        unpack(s);
    }

    // octets, or words, are not updated after a move: each function that needs them packs them
    MH_FN void unpack(State s) const { s.entry(n + 1 + 2 * margin) = NOT_YET; }

    // order and begin, from the agreements: counts, where each agreement begins, and its rows in any order
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
#ifdef __CUDACC__
        team.for_each(last + 2, [&](i64 a) { s.begin(a) = 0; });
        team.sync();
        team.for_each(m, [&](i64 r) { atomicAdd(&s.begin(s.agreement(r) + margin), 1); });
        team.sync();
        const int each = (last + 2 + team.size - 1) / team.size, from = team.rank * each;
        const int to = from + each < last + 2 ? from + each : last + 2;
        i64 own = 0, total;
        for (int a = from; a < to; ++a) own += s.begin(a);
        i64 before = team.preceding(own, total);
        for (int a = from; a < to; ++a) {
            const int rows = s.begin(a);
            s.begin(a) = int(before);
            before += rows;
        }
        team.sync();
        team.for_each(m, [&](i64 r) { s.order(atomicAdd(&s.begin(s.agreement(r) + margin), 1)) = int(r); });
        team.sync();
        int behind = from > 0 && from < to ? s.begin(from - 1) : 0;  // each begins where the one before it ends
        team.sync();
        for (int a = from; a < to; ++a) {
            const int begins = behind;
            behind = s.begin(a);
            s.begin(a) = begins;
        }
#endif
    }

    // f(row) for every row that has the agreement `before` and is raised by `raised` of the first `flips` flips of a
    // move
    template <int flips, class M, class F>
    MH_FN void raised_rows(const Item* x, State s, M move, int before, int raised, F f) const {
        for (int p = begin(s, before), end = begin(s, before + 1); p < end; ++p) {
            int r = s.order(p), up = 0;
            for (int c = 0; c < flips; ++c) up += rises(x, s, r, move.at[c]);
            if (up == raised) f(r);
        }
    }

    template <int flips> MH_FN Cost delta(Team team, const Item* x, State s, FlipMove<flips> move) const {
        static_assert(2 * flips <= margin, "a move flips more bits than the tables' margins allow");
        const int low = lowest(s) - flips, high = highest(s) + flips;
        return team.sum(high - low + 1, [&](int k) {
            int after = low + k;
            Cost rows = 0;
            for (int raised = 0; raised <= flips; ++raised)
                raised_rows<flips>(x, s, move, after + flips - 2 * raised, raised, [&](int) { ++rows; });
            return price(after, rows) - price(after, rows_of(s, after));
        });
    }

    template <int flips> MH_FN void commit(Team team, const Item* x, State s, FlipMove<flips> move) const {
        team.for_each(m, [&](i64 r) {
            int agreement = s.agreement(r);
            for (int c = 0; c < flips; ++c) {
#ifdef __CUDACC__
                agreement += rises(x, s, int(r), move.at[c]) ? -1 : 1;  // x is flipped already
#else
                u8& rise = s.rises.at(r)[move.at[c]];
                agreement += rise ? 1 : -1;
                rise ^= 1;
#endif
            }
            s.agreement(r) = agreement;
        });
        team.for_each(flips, [&](i64 c) { s.raised(move.at[c]) = m - s.raised(move.at[c]); });
        team.sync();
        sort(team, s);
        unpack(s);
    }

    // rows in order of the agreement after the first `flips` flips, low ... high; firsts[k], where low + k begins
    template <int flips, class M>
    MH_FN void regroup(Team team, const Item* x, State s, M move, int low, int high, i32* rows, i32* firsts) const {
        team.for_each(high - low + 2, [&](i64 k) {
            const int after = low + int(k);
            int first = begin(s, after - flips);  // rows that end below, whatever the flips do
            for (int before = after - flips; before < after + flips; ++before)
                for (int raised = 0; raised <= flips; ++raised)
                    if (before - flips + 2 * raised < after)
                        raised_rows<flips>(x, s, move, before, raised, [&](int) { ++first; });
            firsts[k] = first;
            for (int raised = 0; raised <= flips; ++raised)
                raised_rows<flips>(x, s, move, after + flips - 2 * raised, raised, [&](int r) { rows[first++] = r; });
        });
        team.sync();
    }

    // The change of cost if all rows were lowered by `by` and no target were met afterwards. A move takes back the
    // part of the rows that it raises, and the targets that it meets.
    MH_FN Cost lowered(Team team, State s, int by) const {
        return 2 * by * unit * begin(s, base) + team.sum(highest(s) - base + 1, [&](int k) {
            const int a = base + k, rows = rows_of(s, a), wanted = target(a + margin);
            return (penalty(a - by) - penalty(a)) * rows + 2 * (rows < wanted ? rows : wanted);
        });
    }
    // how much more a row of agreement a costs if it is lowered by two than if it stays: for a row that one flip of a
    // pair raises and one lowers, each flip counts half
    MH_FN Cost half_fall(int a) const { return penalty(a - 2) - penalty(a); }
    // the error of two halves for a row that both flips raise, in units; 0 from base + 4 on
    MH_FN int bend(int a) const { return below(a - 2) + below(a + 2) - 2 * below(a); }

#ifdef __CUDACC__
    // The rows of each agreement from `base` to beyond the highest, 32 to a word for each flip, at least one word each:
    // words(w, j). With each goes how many rows a flip raises, lifts(w, j), which rows they are, and a note, which the
    // last word of an agreement has. They take the place of the octets.
    static constexpr int wide = (columns + lanes - 1) / lanes * lanes, beyond = 5, batch = 4;
    struct Words {
        int count;  // a multiple of the batch
        u32* words;
        u16* lifts;
        u32 *rows, *notes;
    };
    MH_FN Words words_of(State s, int count) const {
        u32* words = reinterpret_cast<u32*>((u64(s.octets.data) + 15) / 16 * 16);
        u16* lifts = reinterpret_cast<u16*>(words + i64(count) * wide);
        u32* rows = reinterpret_cast<u32*>(lifts + i64(count) * wide);
        return {count, words, lifts, rows, rows + count};
    }
    MH_FN Words words_of(State s) const { return words_of(s, s.entry(columns + 1 + 2 * margin)); }

    // For an agreement: the number of its rows, the number of targets of the agreement two below, and `bend`.
    struct Note {
        u32 bits;
        static constexpr u32 ends = 1u << 31;

        MH_FN static Note of(int rows, int wanted, int bend) {
            return {ends | u32(bend) << 26 | u32(wanted) << 13 | u32(rows)};
        }
        MH_FN int rows() const { return bits & 8191; }
        MH_FN int wanted() const { return bits >> 13 & 8191; }
        MH_FN int bend() const { return bits >> 26 & 7; }
    };

    // before groups are evaluated: the words, if they are missing, and the part of `lowered` that each flip takes back
    MH_FN void arrange(Team team, const Item* x, State s) const {
        constexpr int last = columns + 1 + 2 * margin;
        const bool there = s.entry(last) != NOT_YET;
        team.sync();  // all have read it
        if (there) return;
        const int high = highest(s), agreements = high + beyond + 1 - base;
        const int each = agreements > 0 ? (agreements + team.size - 1) / team.size : 0;
        const int from = team.rank * each, to = from + each < agreements ? from + each : agreements;
        const auto words_for = [&](int k) {
            const int rows = rows_of(s, base + k);
            return rows ? (rows + 31) / 32 : 1;
        };
        i64 own = 0, total;
        for (int k = from; k < to; ++k) own += words_for(k);
        i64 before = team.preceding(own, total);
        const int count = (int(total) + batch - 1) / batch * batch;
        const bool room = i64(6 * count) * wide + 8 * count <= i64(capacity) * wide;
        if (team.rank == 0) s.entry(last) = room ? count : NO_ROOM;
        team.sync();
        if (!room) return;
        const Words to_be = words_of(s, count);
        for (int k = from; k < to; ++k) {
            const int a = base + k, rows = rows_of(s, a), wanted = target(a - 2 + margin);
            for (int first = 0, w = int(before); w < before + words_for(k); ++w, first += 32) {
                to_be.rows[w] = u32(begin(s, a) + first) << 8 | u32(rows - first < 32 ? rows - first : 32);
                to_be.notes[w] =
                    rows - first > 32 ? 0 : Note::of(rows, wanted < m ? wanted : m, k < 4 ? bend(a) : 0).bits;
            }
            before += words_for(k);
        }
        for (int w = int(total) + team.rank; w < count; w += team.size) to_be.rows[w] = to_be.notes[w] = 0;
        team.sync();
        pack_rows(team, x, s, to_be);
        team.sync();
        team.for_each(n, [&](i64 j) {
            int low = s.raised(j), a = base;
            Cost weight = 0;
            for (int w = 0; w < count; ++w) {
                const int lifted = to_be.lifts[w * wide + j];
                low -= lifted;
                if (a < base + 4) weight += half_fall(a) * lifted;
                a += to_be.notes[w] >> 31;
            }
            s.weight(j) = weight + 4 * unit * low;
        });
        team.sync();
    }

    // Words, and how many rows they say that a flip raises. A warp has a word's rows, one a lane, and turns 32 columns
    // of them into rows at a time.
    MH_FN void pack_rows(Team team, const Item* x, State s, const Words& to) const {
        const int lane = team.rank % MH_LANES;
        for (int w = team.rank / MH_LANES; w < to.count; w += team.size / MH_LANES) {
            const int first = int(to.rows[w] >> 8), rows = int(to.rows[w] & 255);
            if constexpr (MH_LANES == 32) {
                const int row = lane < rows ? s.order(first + lane) : -1;
#pragma unroll 4
                for (int k = 0; k < wide / 32; ++k) {
                    const int j = 32 * k + lane;
                    const u32 turned = __ballot_sync(~0u, j < n && x[j]);
                    keep(to, w * wide + j, transposed(row < 0 ? 0 : signs(row, k) ^ turned, lane));
                }
            } else {
                for (int j = 0; j < wide; ++j) {
                    u32 word = 0;
                    for (int r = 0; r < rows && j < n; ++r) word |= u32(rises(x, s, s.order(first + r), j)) << r;
                    keep(to, w * wide + j, word);
                }
            }
        }
    }
    MH_FN static void keep(const Words& to, int at, u32 word) {
        to.words[at] = word;
        to.lifts[at] = u16(__popc(word));
    }
    // bit r of lane c is what bit c of lane r was: blocks change places, of 16 columns and of half as many each time
    MH_FN static u32 transposed(u32 mine, int lane) {
        u32 low = 0xFFFF;  // the columns that a block keeps
        for (int side = 16; side; side /= 2, low ^= low << side) {
            const u32 other = __shfl_xor_sync(~0u, mine, side);
            mine = lane & side ? (mine & ~low) | (other >> side & low) : (mine & low) | (other & low) << side;
        }
        return mine;
    }

    MH_FN bool packed(State s) const { return s.entry(n + 1 + 2 * margin) >= 0; }

    // the bits of four columns, a byte each
    MH_FN u32 flipped(const Item* x, int quad) const {
        u32 found = 0;
        for (int c = 0; c < 4 && 4 * quad + c < n; ++c) found |= u32(x[4 * quad + c]) << 8 * c;
        return found;
    }

#if MH_PPP_RUNS
    static constexpr int run = 4;                     // flips that a warp evaluates together
    static constexpr int slices = (m + 1023) / 1024;  // words of a lane, for each flip

    // out[j] = the change of cost of flipping j. After the flip an agreement has the rows of the agreement below that
    // the flip raises, and the rows of the agreement above that it lowers. The bit b of lane l's word k is the row
    // 1024 k + 32 l + b in order of agreement.
    MH_FN void deltas(Team team, const Item* x, State s, const Hamming<1>&, Run flips, Cost* out) const {
        const int low = lowest(s) - 1, high = highest(s) + 1;
        for (int quad = flips.from / run; quad * run < flips.to; ++quad) {
            const u32 turned = flipped(x, quad);
            u32 raised[slices][run] = {};
            for (int k = 0; k < slices; ++k) {
#pragma unroll 4
                for (int lane = 0; lane < 32; ++lane) {
                    const int at = 1024 * k + 32 * lane;
                    if (at >= m) break;
                    const u32 rise = at + team.rank < m ? quads(quad, s.order(at + team.rank)) ^ turned : 0;
                    for (int c = 0; c < run; ++c) {
                        const u32 bits = __ballot_sync(~0u, rise >> 8 * c & 1);
                        if (team.rank == lane) raised[k][c] = bits;
                    }
                }
            }
            Cost total[run] = {};
            for (int from = low - 1; from < high;
                 from += 30) {  // the first and the last lane only tell their neighbors
                const int a = from + team.rank, first = a <= high ? begin(s, a) : m,
                          end = a <= high ? begin(s, a + 1) : m;
                const int above = __shfl_down_sync(~0u, end - first, 1);
                const bool own = team.rank > 0 && team.rank < 31 && a <= high;
                const Cost now = own ? price(a, end - first) : 0;
                for (int c = 0; c < run; ++c) {
                    const int lifted = count(raised, c, first, end);
                    const int from_below = __shfl_up_sync(~0u, lifted, 1),
                              lifted_above = __shfl_down_sync(~0u, lifted, 1);
                    if (own) total[c] += price(a, from_below + above - lifted_above) - now;
                }
            }
            for (int c = 0; c < run; ++c) {
                const Cost change = team.reduce(total[c]);
                const int j = quad * run + c;
                if (team.rank == 0 && j >= flips.from && j < flips.to) out[j] = change;
            }
        }
    }

    // how many of the rows first ... end - 1, in order of agreement, a flip raises; lanes ask for rows of their own
    MH_FN int count(const u32 (&raised)[slices][run], int c, int first, int end) const {
        int found = 0;
        for (int at = first;;) {
            const bool asks = at < end;
            if (!__any_sync(~0u, asks)) return found;
            u32 bits = 0;
            for (int k = 0; k < slices; ++k) {
                const u32 word = __shfl_sync(~0u, raised[k][c], at / 32 % 32);
                if (at / 1024 == k) bits = word;
            }
            const int next = at / 32 * 32 + 32, stop = end < next ? end : next;
            if (asks) {
                bits >>= at % 32;
                if (stop - at < 32) bits &= (1u << (stop - at)) - 1;
                found += __popc(bits);
                at = next;
            }
        }
    }
#endif

    // out[j - i - 1] = the change of cost of flipping i and j, for all j > i. After both flips an agreement has the
    // rows of two below that both flips raise, its own rows that one flip raises, and the rows of two above that no
    // flip raises. A thread has flips j and j + 1 side by side, in the halves of words: no half ever overflows or is
    // negative. A lane for each word reads the data of the first flip.
    MH_FN void pairs(Team team, State s, int i, Cost* out) const {
        constexpr int each = 2;                                  // couples of flips of a thread
        constexpr int span = MH_LANES == 32 ? MH_LANES : batch;  // words that lanes exchange
        constexpr u32 couple = 0x10001;
        const int start = i + 1, stop = n;
        const Words of = words_of(s);
        const Cost common = lowered(team, s, 2) - s.weight(i);
        for (int from = start / 2 * 2; from < stop; from += 2 * each * team.size) {
            Couple couples[each];
            int flip[each];
            for (int c = 0; c < each; ++c) {
                const int j = from + 2 * (c * team.size + team.rank);
                flip[c] = j < stop ? j : from;
            }
            int sunk = 0;  // rows that the first flip raises, negative
            for (int first = 0; first < of.count; first += span) {
                const int own = first + team.rank < of.count ? first + team.rank : 0;
                const u32 own_word = of.words[own * wide + i], own_note = of.notes[own],
                          own_lift = of.lifts[own * wide + i];
                const int end = first + span < of.count ? first + span : of.count;
                for (int w = first; w < end; w += batch) {
                    uint2 word[batch][each];
                    u32 lift[batch][each];
                    for (int q = 0; q < batch; ++q)
                        for (int c = 0; c < each; ++c) {
                            const int at = (w + q) * wide + flip[c];
                            word[q][c] = *reinterpret_cast<const uint2*>(of.words + at);
                            lift[q][c] = *reinterpret_cast<const u32*>(of.lifts + at);
                        }
                    for (int q = 0; q < batch; ++q) {
                        const int lane = w + q - first;
                        const u32 raised = of_lane(of.words, (w + q) * wide + i, own_word, lane);
                        const Note note{of_lane(of.notes, w + q, own_note, lane)};
                        sunk -= int(of_lane(of.lifts, (w + q) * wide + i, own_lift, lane));
                        for (int c = 0; c < each; ++c) couples[c].look(word[q][c], raised, lift[q][c]);
                        if (!(note.bits & Note::ends)) continue;
                        const u32 rows = couple * note.rows(), none = rows + couple * sunk;
                        for (int c = 0; c < each; ++c) couples[c].take(none, rows, couple * note.wanted(), note.bend());
                        sunk = 0;
                    }
                }
            }
            for (int c = 0; c < each; ++c)
                for (int h = 0; h < 2; ++h) {
                    const int j = from + 2 * (c * team.size + team.rank) + h;
                    const int met = int(couples[c].met >> 16 * h & 0xFFFF),
                              bent = int(couples[c].bent >> 16 * h & 0xFFFF);
                    if (j >= start && j < stop) out[j - i - 1] = common - s.weight(j) + unit * bent - 2 * met;
                }
        }
    }

    // an entry, which a lane of the warp has read
    template <class T> MH_FN static u32 of_lane(const T* data, int at, u32 mine, int lane) {
        if constexpr (MH_LANES == 32) return __shfl_sync(~0u, mine, lane);
        else return data[at];
    }

    // What is known of two second flips, in the halves of words.
    struct Couple {
        u32 met = 0, bent = 0;    // targets that are met, and `bend` for each row that both flips raise
        u32 both = 0, other = 0;  // rows of an agreement that both flips raise; and that the second one alone does
        u32 kept[2] = {}, last[2] = {};  // of this parity of agreements and the other one: as take() says

        MH_FN void look(uint2 words, u32 raised, u32 lifted) {
            const u32 shared = __popc(words.x & raised) + (__popc(words.y & raised) << 16);
            both += shared;
            other += lifted - shared;
        }
        // takes an agreement: `none` are its rows that the first flip does not raise
        MH_FN void take(u32 none, u32 rows, u32 wanted, int bend) {
            none -= other;
            met += __vminu2(kept[0] + none, wanted);  // of two below
            bent += bend * both;
            const u32 stays = last[0] + rows - none - both;  // comes from two below, or is raised by one flip
            kept[0] = kept[1];
            last[0] = last[1];
            kept[1] = stays;
            last[1] = both;
            both = other = 0;
        }
    };
#else
    // The octets of each agreement from `base` on, and behind them the rows that each flip raises, an entry of `lanes`
    // bytes each; flips in chunks, since a chunk is read as a whole. `entry` says where an agreement begins; the
    // last number is the number of entries.
    MH_PPP_ONCE int pack(State s) const {
        const int last = n + 1 + 2 * margin;
        int used = 0;
        for (int k = base + margin; k < last; ++k) {
            const int rows = s.begin(k + 1) - s.begin(k), entries = rows ? octets_of(rows) + 1 : 0;
            s.entry(k) = used;
            used += entries;
            if (rows > most || used > capacity) return NO_ROOM;
        }
        for (int at = 0, chunk = 0; at < n; at += lanes, ++chunk) {
            i32 low[lanes], weight[lanes] = {};
            for (int k = 0; k < lanes; ++k) low[k] = at + k < n ? s.raised(at + k) : 0;
            for (int a = base, high = highest(s); a <= high; ++a) {
                if (!rows_of(s, a)) continue;
                u8* octets = octets_at(s, chunk * capacity + s.entry(a + margin));
                pack_rows(s, begin(s, a), begin(s, a + 1), at, octets);
                const u8* lifts = octets + octets_of(rows_of(s, a)) * lanes;
                const i32 half = i32(half_fall(a));
                for (int k = 0; k < lanes; ++k) low[k] -= lifts[k];
                if (half)
                    for (int k = 0; k < lanes; ++k) weight[k] += half * lifts[k];
            }
            for (int k = 0; k < lanes && at + k < n; ++k) s.weight(at + k) = weight[k] + 4 * i32(unit) * low[k];
        }
        return used;
    }

    MH_FN void pack_rows(State s, int first, int end, int at, u8* octets) const {
        u8* lifts = octets + octets_of(end - first) * lanes;
        for (int k = 0; k < lanes; ++k) lifts[k] = 0;
        for (int r = 0; r < end - first; ++r) {
            const u8* rises = s.rises.at(s.order(first + r)) + at;
            u8* octet = octets + r / 8 * lanes;
            const int shift = r % 8;
            for (int k = 0; k < lanes; ++k) octet[k] = u8((shift ? octet[k] : 0) | rises[k] << shift);
            for (int k = 0; k < lanes; ++k) lifts[k] = u8(lifts[k] + rises[k]);
        }
    }

    MH_FN int octets_of(int rows) const { return (rows + 7) / 8; }
    MH_FN u8* octets_at(State s, int entry) const { return s.octets.data + i64(entry) * lanes; }

    // Whether there are octets; the first thread that asks packs them, others wait.
    MH_FN bool packed(State s) const {
        i32 *there = &s.entry(n + 1 + 2 * margin), seen = NOT_YET;
        if (__atomic_compare_exchange_n(there, &seen, PACKING, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            __atomic_store_n(there, seen = pack(s), __ATOMIC_RELEASE);
        while (seen == PACKING) seen = __atomic_load_n(there, __ATOMIC_ACQUIRE);
        return seen >= 0;
    }

    // out[j - i - 1] = the change of cost of flipping i and j, for all j > i, by octets. After both flips an agreement
    // has the rows of two below that both flips raise, its own rows that one flip raises, and the rows of two above
    // that no flip raises. All these numbers are less than 256.
    MH_PPP_ONCE void pairs(Team team, State s, int i, Cost* out) const {
        constexpr int words = lanes / 4;
        union Bytes {
            u32 word[words];
            u8 byte[lanes];
        };
        u8 firsts[capacity];  // what the entries say of the first flip
        for (int e = 0, used = s.entry(n + 1 + 2 * margin); e < used; ++e)
            firsts[e] = octets_at(s, i / lanes * capacity + e)[i % lanes];
        const Cost common = lowered(team, s, 2) - s.weight(i);
        const u8 nothing[lanes] = {};
        for (int chunk = (i + 1) / lanes; chunk * lanes < n; ++chunk) {
            PPPCount met[lanes] = {}, bent[lanes] = {};
            Bytes lasts[2] = {}, keeps[2] = {}, some = {};
            int room = 255;  // how many more targets a byte can count
            for (int a = base, high = highest(s); a <= high + 4; ++a) {
                Bytes& last = lasts[a & 1];  // rows of two below that both raise
                Bytes& kept = keeps[a & 1];  // rows of two below afterwards, without rows from here
                Bytes both;
                const u8* lifted = nothing;
                const u8 rows = u8(rows_of(s, a));
                u8 own = 0;
                if (rows) {
                    const int first = s.entry(a + margin), end = first + octets_of(rows);
                    const u8* octets = octets_at(s, chunk * capacity + first);
                    common_rows<words>(octets, firsts + first, end - first, both.word);
                    lifted = octets + (end - first) * lanes;
                    own = firsts[end];
                } else {
                    for (int w = 0; w < words; ++w) both.word[w] = 0;
                }
                const u8 wanted = u8(target(a - 2 + margin) < full ? target(a - 2 + margin) : full);
                if (wanted > room) {
                    for (int k = 0; k < lanes; ++k) met[k] = PPPCount(met[k] + some.byte[k]);
                    for (int w = 0; w < words; ++w) some.word[w] = 0;
                    room = 255;
                }
                room -= wanted;
                for (int k = 0; k < lanes; ++k) {
                    const u8 none = u8(rows - own - lifted[k] + both.byte[k]), found = u8(kept.byte[k] + none);
                    some.byte[k] = u8(some.byte[k] + (found < wanted ? found : wanted));
                    kept.byte[k] = u8(last.byte[k] + rows - none - both.byte[k]);
                    last.byte[k] = both.byte[k];
                }
                const PPPCount bends = PPPCount(bend(a));
                if (bends)
                    for (int k = 0; k < lanes; ++k) bent[k] = PPPCount(bent[k] + both.byte[k] * bends);
            }
            for (int k = 0; k < lanes; ++k) met[k] = PPPCount(met[k] + some.byte[k]);
            for (int k = 0, j = chunk * lanes; k < lanes; ++k, ++j)
                if (j > i && j < n) out[j - i - 1] = common - s.weight(j) + unit * Cost(bent[k]) - 2 * Cost(met[k]);
        }
    }

    // Rows of some octets that both flips raise, four second flips a word: the first octets are assigned, not added,
    // since clearing would take longer than counting.
    template <int words> MH_FN void common_rows(const u8* octets, const u8* firsts, int count, u32* counts) const {
        const auto halves_of = [](u32 bits) {
            bits -= bits >> 1 & 0x55555555u;
            return (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
        };
        for (int octet = 0; octet < count;) {
            const bool first = octet == 0;
            const int stop = count - octet > 3 ? octet + 3 : count;  // a half byte counts up to 15
            const auto packed = [=](int at) { return reinterpret_cast<const u32*>(octets + at * 4 * words); };
            u32 halves[words];
            for (int w = 0; w < words; ++w) halves[w] = halves_of(packed(octet)[w] & firsts[octet] * 0x01010101u);
            for (++octet; octet < stop; ++octet)
                for (int w = 0; w < words; ++w) halves[w] += halves_of(packed(octet)[w] & firsts[octet] * 0x01010101u);
            for (int w = 0; w < words; ++w) {
                const u32 bytes = (halves[w] & 0x0F0F0F0Fu) + (halves[w] >> 4 & 0x0F0F0F0Fu);
                counts[w] = first ? bytes : counts[w] + bytes;
            }
        }
    }
#endif

    // out[k] = the change of cost of the group's move k; the moves differ in their last flip
    template <int flips, class = typename When<(flips > 1 || !MH_PPP_RUNS)>::type>
    MH_FN void deltas(Team team, const Item* x, State s, const Hamming<flips>& neighborhood, i64 group,
                      Cost* out) const {
        constexpr int words = MH_PPP_WORDS;
        if constexpr (flips == 2 && m < 8192) {
            if (packed(s)) return pairs(team, s, neighborhood.move(group, 0).at[0], out);
        }
        const auto move = neighborhood.move(group, 0);
        const int from = move.at[flips - 1];
        const int low = lowest(s) - (flips - 1), high = highest(s) + flips - 1, pairs = (high - low + 4) / 2;
        i32* rows = s.rows.of(team).at(0);
        i32* firsts = s.firsts.of(team).at(0);
        team.sync();  // the group before may still be read
        regroup<flips - 1>(team, x, s, move, low, high, rows, firsts);
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
                take_rows<words>(team, x, s, before, rows + first, rows + end, word, apart, lifted, raised);
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

    // The last flip takes the rows of agreement `before` to before + 1 (raised rows) or before - 1. After it, the rows
    // of agreement before - 1 are the rows of `before` that are not raised, and the rows of before - 2 that are raised.
    // Counts are sums of bytes, four flips in a word, widened before a byte is full.
    template <int words>
    MH_FN void take_rows(Team team, const Item* x, State s, int before, const i32* row, const i32* end, int word,
                         PPPCount* apart, PPPCount* lifted, PPPCount* raised) const {
        PPPCount now[4 * words] = {};
        const int known = int(end - row) - int(target(before - 1 + margin));
        while (row < end) {
            const i32* stop = end - row > full ? row + full : end;
            union {
                u32 word[words];
                u8 byte[4 * words];
            } sums = {};
            for (; row < stop; ++row) {
#ifdef __CUDACC__
                const u32 own[words] = {quads(word, *row) ^ flipped(x, word)};
#else
                const u32* rises = reinterpret_cast<const u32*>(s.rises.at(*row)) + word;
                u32 own[words];  // a loop of its own: g++ would make two rows one loop, and gather their words one by
                                 // one
                for (int w = 0; w < words; ++w) own[w] = rises[w * team.size];
#endif
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
