// Values are counted by agreement, the number of positions in which a row equals V: (AV)_r = 2 agreement - n, and a
// flip changes it by one. The cost depends on the histogram of agreements alone: price(a, rows) says what it costs that
// so many rows have the agreement a. So the cost of a neighbor is a sum over the agreements that occur, of counts.
//
// Kept: rises(r, j), whether flipping bit j raises row r's agreement; the rows in order of agreement; where each
// agreement begins among them. A group's moves share all flips but the last: the rows are sorted once by the agreement
// that these leave behind, and then every last flip j needs, for each agreement, the number of its rows that j raises.
// Those are sums of bytes along rows(r, j), contiguous in j: four moves a word, no histogram for any move.
//
// The pairs of flips go by bits: the rows that both flips of a pair raise are those that two words have in common, and
// all other counts follow from how many rows of each agreement a single flip raises. On a CPU rows of one agreement are
// packed, eight to a byte for each flip, so that a pair takes m / 8 bytes; on a GPU all rows in order of agreement, 32
// to a word, of which each agreement takes some bits.
#ifdef __CUDACC__
#define MH_PPP_WORDS 1
#else
#define MH_PPP_WORDS 32
#endif

template <int flips> struct Hamming;  // the groups that are evaluated together are this neighborhood's

// A number of rows, or four times as many.
template <bool narrow> struct PPPCounts { typedef i32 type; };
template <> struct PPPCounts<true> { typedef i16 type; };
typedef PPPCounts<(PPPData::m < 8192 && MH_PPP_WORDS > 1)>::type PPPCount;

struct PPP : PPPData {
    static constexpr int margin = 8;  // agreements below 0 and above n that tables have, twice the largest radius
    static constexpr int chunk = 32;  // words of moves that a team evaluates together
    static constexpr Cost unit = 60;  // of the penalty of an agreement, and of a row raised from it
    static constexpr int full = 255;  // rows that a byte can count
    static constexpr int most = 127;  // rows of an agreement that are packed: twice as many fit into a byte
    typedef Hamming<(m < 8192 ? 2 : 0)> Divided;        // pairs, each by itself: several teams may share a group
    enum { NOT_YET = -1, PACKING = -2, NO_ROOM = -3 };  // octets that are not there
    static constexpr int lanes = 128;                   // second flips that are evaluated together
    static constexpr int capacity = m / 3 + 64;         // entries of a chunk: octets and counts of all agreements

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
        unpack(s);
    }

    // octets, or words, follow no move: those who need them pack them
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
        unpack(s);
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

#ifdef __CUDACC__
    // Rows in order of agreement, 32 to a word for each flip: words(r / 32, j). They take the place of the octets.
    MH_FN int wide() const { return (n + 31) / 32 * 32; }
    MH_FN u32* words_of(State s) const { return reinterpret_cast<u32*>(s.octets.data); }

    // before groups are evaluated: the words, unless they are there
    MH_FN void arrange(Team team, State s) const {
        i32& there = s.entry(n + 1 + 2 * margin);
        const bool packed = there != NOT_YET;
        team.sync();  // all have read it
        if (packed) return;
        u32* words = words_of(s);
        team.for_each((m + 31) / 32 * wide(), [=](i64 at) {
            const int first = int(at) / wide() * 32, j = int(at) % wide();
            const int rows = int(m) - first < 32 ? int(m) - first : 32;
            u32 word = 0;
            for (int r = 0; r < rows; ++r) word |= u32(s.rises(s.order(first + r), j)) << r;
            words[at] = word;
        });
        if (team.rank == 0) there = 0;
        team.sync();
    }

    MH_FN bool packed(State s) const { return s.entry(n + 1 + 2 * margin) != NOT_YET; }

    // out[j] = the change of cost of flipping j. After the flip an agreement has the rows of the one below that it
    // raises, and those of the one above that it does not.
    MH_FN void flips_alone(Team team, State s, Cost* out) const {
        const int low = lowest(s), high = highest(s), across = wide();
        const u32* words = words_of(s);
        const Cost before =
            team.sum(high - low + 3, [&](int k) { return price(low - 1 + k, rows_of(s, low - 1 + k)); });
        for (int j = team.part_begin(n) + team.rank, end = team.part_end(n); j < end; j += team.size) {
            Cost total = 0;
            int raised = 0, raised_before = 0;  // rows of the agreement before, and of the one before that
            for (int a = low; a <= high + 2; ++a) {
                const int first = begin(s, a), stop = begin(s, a + 1);
                int lifted = 0;
                for (int w = first / 32; first < stop && 32 * w < stop; ++w)
                    lifted += __popc(words[w * across + j] & within(w, first, stop));
                total += price(a - 1, raised_before + stop - first - lifted);
                raised_before = raised;
                raised = lifted;
            }
            out[j] = total - before;
        }
    }

    // the bits of a word that belong to the rows first ... end - 1
    MH_FN static u32 within(int word, int first, int end) {
        const u32 above = 32 * word < first ? ~0u << (first - 32 * word) : ~0u;
        return end - 32 * word < 32 ? above & ~(~0u << (end - 32 * word)) : above;
    }

    // out[j - i - 1] = the change of cost of flipping i and j, for all j > i. After both flips an agreement has the
    // rows that one of them raises, those of two below that both raise, and those of two above that none does. So even
    // and odd agreements go apart, each in ascending order.
    MH_FN void pairs(Team team, State s, int i, Cost* out) const {
        constexpr int each = 4;  // second flips of a thread
        const int stop = i + 1 + team.part_end(n - 1 - i);
        const int low = lowest(s), high = highest(s), across = wide();
        const u32* words = words_of(s);
        const Cost before =
            team.sum(high - low + 5, [&](int k) { return price(low - 2 + k, rows_of(s, low - 2 + k)); });
        for (int from = i + 1 + team.part_begin(n - 1 - i); from < stop; from += each * team.size) {
            Cost total[each] = {};
            int flip[each];
            for (int c = 0; c < each; ++c) {
                const int j = from + c * team.size + team.rank;
                flip[c] = j < stop ? j : n - 1;
            }
            for (int parity = 0; parity < 2; ++parity) {
                int known[each] = {}, risen[each] = {};  // rows of an agreement so far, and those that go two above it
                int first = begin(s, low + parity), end = begin(s, low + parity + 1);
                for (int a = low + parity; a <= high + 4; a += 2) {
                    const int next = begin(s, a + 2), end_of_next = begin(s, a + 3);  // known before they are needed
                    int own = 0, both[each] = {}, lifted[each] = {};  // rows that i raises, that both do, that j does
                    for (int w = first / 32; first < end && 32 * w < end; ++w) {
                        const u32 mask = within(w, first, end);
                        const u32 raised = words[w * across + i] & mask;
                        own += __popc(raised);
                        for (int c = 0; c < each; ++c) {
                            const u32 word = words[w * across + flip[c]];
                            both[c] += __popc(word & raised);
                            lifted[c] += __popc(word & mask);
                        }
                    }
                    const int wished = target(a - 2 + margin), sunk = end - first - own;
                    const Cost weight = penalty(a - 2);
                    for (int c = 0; c < each; ++c) {
                        const int rows = known[c] + sunk + both[c] - lifted[c];
                        total[c] += rows < wished ? wished - rows : rows - wished;
                        if (weight) total[c] += rows * weight;
                        known[c] = risen[c] + own + lifted[c] - 2 * both[c];
                        risen[c] = both[c];
                    }
                    first = next;
                    end = end_of_next;
                }
            }
            for (int c = 0; c < each; ++c) {
                const int j = from + c * team.size + team.rank;
                if (j < stop) out[j - i - 1] = total[c] - before;
            }
        }
    }
#else
    // The octets of each agreement, and behind them the rows that each flip raises, an entry of `lanes` bytes each;
    // flips in chunks, since a chunk is read as a whole. `entry` says where an agreement begins, and at last how many
    // there are.
    MH_FN int pack(State s) const {
        const int last = n + 1 + 2 * margin;
        int used = 0;
        for (int a = 0; a < last; ++a) {
            const int rows = s.begin(a + 1) - s.begin(a), entries = rows ? octets_of(rows) + 1 : 0;
            s.entry(a) = used;
            used += entries;
            if (rows > most || used > capacity) return NO_ROOM;
        }
        for (int at = 0, chunk = 0; at < n; at += lanes, ++chunk)
            for (int a = 0; a < last; ++a)
                if (s.begin(a + 1) > s.begin(a))
                    pack_rows(s, s.begin(a), s.begin(a + 1), at, octets_at(s, chunk * capacity + s.entry(a)));
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

    // out[j - i - 1] = the change of cost of flipping i and j, for all j > i, by octets
    MH_FN void pairs(Team, State s, int i, Cost* out) const {
        constexpr int words = lanes / 4;
        const int low = lowest(s) - 1, high = highest(s) + 1, ends = low + (high - low + 4) / 2 * 2;
        u8 firsts[capacity];  // what the entries say of the first flip
        for (int e = 0, used = s.entry(n + 1 + 2 * margin); e < used; ++e)
            firsts[e] = octets_at(s, i / lanes * capacity + e)[i % lanes];
        // rows that the first flip raises, and rows of an agreement after it
        auto lifted_by = [&](int a) { return rows_of(s, a) ? int(firsts[lifts_of(s, a)]) : 0; };
        auto rows_after = [&](int a) { return lifted_by(a - 1) + rows_of(s, a + 1) - lifted_by(a + 1); };
        Cost common = 0;
        for (int a = low; a < ends; ++a)
            common += Cost(rows_after(a)) * penalty(a - 1) - price(a - 1, rows_of(s, a - 1));
        for (int chunk = (i + 1) / lanes; chunk * lanes < n; ++chunk) {
            PPPCount apart[lanes] = {}, lifted[lanes] = {};
            union {
                u32 word[words];
                u8 byte[lanes];
            } both[2] = {}, raised[2] = {}, now = {};
            for (int before = low; before < ends; ++before) {
                const int a = before + 1;
                auto& own = both[a & 1];  // rows of before - 1 that both flips raise, then of before + 1
                for (int w = 0; w < words; ++w) now.word[w] = own.word[w];
                for (int w = 0; w < words; ++w) own.word[w] = 0;
                if (rows_of(s, a)) {
                    const int first = s.entry(a + margin), last = lifts_of(s, a);
                    const u8* octets = octets_at(s, chunk * capacity + first);
                    common_rows<words>(octets, firsts + first, last - first, own.word);
                    const u32* lifts = reinterpret_cast<const u32*>(octets + (last - first) * lanes);
                    for (int w = 0; w < words; ++w) now.word[w] += lifts[w] - own.word[w];
                }
                const PPPCount weight = PPPCount((penalty(before - 1) - penalty(before + 1)) / unit);
                if (weight)
                    for (int k = 0; k < lanes; ++k) lifted[k] = PPPCount(lifted[k] + now.byte[k] * weight);
                const PPPCount known = PPPCount(rows_after(before) - int(target(before - 1 + margin)));
                auto& sunk = raised[before & 1];  // from before - 2
                for (int k = 0; k < lanes; ++k) {
                    PPPCount difference = PPPCount(sunk.byte[k] + known - now.byte[k]);
                    apart[k] = PPPCount(apart[k] + (difference < 0 ? -difference : difference));
                }
                for (int w = 0; w < words; ++w) sunk.word[w] = now.word[w];
            }
            for (int k = 0, j = chunk * lanes; k < lanes; ++k, ++j)
                if (j > i && j < n) out[j - i - 1] = common + apart[k] - unit * Cost(lifted[k]);
        }
    }

    // the entry with the rows of an agreement that each flip raises
    MH_FN int lifts_of(State s, int a) const { return s.entry(a + margin) + octets_of(rows_of(s, a)); }

    // Rows of some octets that both flips raise, four second flips a word.
    template <int words> MH_FN void common_rows(const u8* octets, const u8* firsts, int count, u32* counts) const {
        for (int octet = 0; octet < count;) {
            const int stop = count - octet > 3 ? octet + 3 : count;  // a half byte counts up to 15
            u32 halves[words] = {};
            for (; octet < stop; ++octet) {
                const u32 mask = firsts[octet] * 0x01010101u;
                const u32* packed = reinterpret_cast<const u32*>(octets + octet * 4 * words);
                for (int w = 0; w < words; ++w) {
                    u32 bits = packed[w] & mask;
                    bits -= bits >> 1 & 0x55555555u;
                    halves[w] += (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
                }
            }
            for (int w = 0; w < words; ++w) counts[w] += (halves[w] & 0x0F0F0F0Fu) + (halves[w] >> 4 & 0x0F0F0F0Fu);
        }
    }
#endif

    // out[k] = the change of cost of the group's move k; the moves differ in their last flip
    template <int flips>
    MH_FN void deltas(Team team, const Item*, State s, const Hamming<flips>& neighborhood, i64 group, Cost* out) const {
        constexpr int words = MH_PPP_WORDS;
        if constexpr (flips == 2 && m < 8192) {
            if (packed(s)) return pairs(team, s, neighborhood.move(group, 0).at[0], out);
        }
#ifdef __CUDACC__
        if constexpr (flips == 1 && m < 8192) {
            if (packed(s)) return flips_alone(team, s, out);
        }
#endif
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
