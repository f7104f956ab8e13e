// Exchanges of up to `depth` edges along a chain: each edge that is added begins where the last removed edge ends, and
// the chain may be closed by an edge to its first item.
struct LinKernighan : TourDescent<LinKernighan, LinKernighanData> {
    static constexpr int depth = 2 + third + fourth + fifth;
    static constexpr int most_ends = 8 * (depth - 1);  // two reversals for each segment but one

    // The removed edges, from 1 on: the edge e is between the items 2 e - 1 and 2 e. Its tail is the position of the
    // one that comes first in the tour.
    struct Chain {
        static constexpr int most = depth;
        int items[2 * most + 1], tails[most + 1];
        bool ahead[most + 1];  // whether the item 2 e - 1 comes first

        MH_FN void remove(int edge, int from, int to, int tail, bool is_ahead) {
            items[2 * edge - 1] = from;
            items[2 * edge] = to;
            tails[edge] = tail;
            ahead[edge] = is_ahead;
        }
        MH_FN bool removes(int tail, int edges) const {
            bool found = false;
            for (int e = 1; e <= edges; ++e) found |= tails[e] == tail;
            return found;
        }
    };

    // The segments between k removed edges, in the order of the tour. The segment s has the ends 2 s, its first item,
    // and 2 s + 1, its last one; joined[e] is the end to which an added edge leads.
    template <int k> struct Segments {
        int joined[2 * k], item[2 * k], tails[k];

        MH_FN explicit Segments(const Chain& chain) {
            int order[k], ends[2 * k + 1];
            for (int e = 1; e <= k; ++e) {
                int at = e - 1;
                for (; at && chain.tails[order[at - 1]] > chain.tails[e]; --at) order[at] = order[at - 1];
                order[at] = e;
            }
            for (int s = 0; s < k; ++s) {
                const int e = order[s], tail = chain.ahead[e] ? 2 * e - 1 : 2 * e, head = 4 * e - 1 - tail;
                tails[s] = chain.tails[e];
                ends[tail] = 2 * s + 1;
                ends[head] = s + 1 == k ? 0 : 2 * s + 2;
                item[ends[tail]] = chain.items[tail];
                item[ends[head]] = chain.items[head];
            }
            for (int e = 1; e <= k; ++e) {
                const int one = ends[2 * e], other = ends[e == k ? 1 : 2 * e + 1];
                joined[one] = other;
                joined[other] = one;
            }
        }

        // whether the added edges join the segments to one tour
        MH_FN bool one_tour() const {
            int count = 0, end = 0;
            do {
                end = joined[end ^ 1];
                ++count;
            } while (end && count < k);
            return !end && count == k;
        }

        // the longest segment, which stays in its place
        MH_FN int longest(int n) const {
            int found = 0, most = tails[0] - tails[k - 1] + n;
            for (int s = 1; s < k; ++s) {
                const int length = tails[s] - tails[s - 1];
                if (length <= most) continue;
                most = length;
                found = s;
            }
            return found;
        }
    };

    MH_FN int breadth(int edge) const {
        return int(edge == 1 ? breadth_1 : edge == 2 ? breadth_2 : edge == 3 ? breadth_3 : breadth_4);
    }

    template <class Here, class Offer> MH_FN bool exchanges(Here& tour, int item, Offer offer) const {
        Chain chain;
        for (int side = tour.first_side(); side < 2; side += tour.sides()) {
            const int first = tour.beside(item, side);
            chain.remove(1, first, item, tour.positions[side ? first : item], side);
            if (extended<1>(tour, chain, side, tour.edge_beside(item, side, first), offer)) return true;
        }
        return false;
    }

    // chains of more than `edges` removed edges, which are worth `gain` more than the added ones
    template <int edges, class Here, class Offer>
    MH_FN bool extended(Here& tour, Chain& chain, int side, typename Here::Length gain, Offer& offer) const {
        typedef typename Here::Length Length;
        const int from = chain.items[2 * edges], next = tour.beside(from, 0), before = tour.beside(from, 1);
        const int width = tour.width();
        for (int rank = 0, place = 0; rank < width && place < breadth(edges); ++rank) {
            if (gain <= tour.least_to(from, rank)) break;
            const int to = tour.candidate(from, rank);
            const Length left = gain - tour.length_to(from, rank);
            if (left <= 0 || to == next || to == before) continue;
            const int here = place++;
            if (edges == 1) {
                if (here % tour.places_apart() != tour.first_place()) continue;
                tour.at((side * width + here) * (0x7fffffff / (2 * width)));
            }
            const int at = tour.positions[to];
            for (int way = 0; way < 2; ++way) {
                const int tail = way ? (at ? at : n) - 1 : at, head = tail + 1 == n ? 0 : tail + 1;
                const int end = tour.x[way ? tail : head];
                if (chain.removes(tail, edges)) continue;
                chain.remove(edges + 1, to, end, tail, !way);
                const Length open = left + tour.length_ahead(tail) + tour.guide(to, end);
                if (edges > 1 || way == side) {
                    const Length won = open - tour.edge(end, chain.items[1]);
                    const bool whole = won > 0 && (edges == 1 || Segments<edges + 1>(chain).one_tour());
                    const auto steps = [&](auto keep) { reverse(Segments<edges + 1>(chain), keep); };
                    if (offer(whole ? won : Length(0), steps)) return true;
                }
                if constexpr (edges + 1 < depth)
                    if (extended<edges + 1>(tour, chain, side, open, offer)) return true;
            }
        }
        return false;
    }

    // The reversals that lead to the new tour: segment after segment comes to its place, and is turned if it has to be.
    template <int k, class Keep> MH_FN void reverse(const Segments<k>& segments, Keep keep) const {
        const int stays = segments.longest(n);
        int now[k + 1];  // the ends at which the segments are entered, from that which stays on, and around to it
        for (int s = 0; s <= k; ++s) now[s] = (2 * (stays + s)) % (2 * k);
        for (int s = 1, end = 2 * stays; s < k; ++s) {
            end = segments.joined[end ^ 1];
            int at = s;
            while (now[at] / 2 != end / 2) ++at;
            if (at > s || now[s] != end) turn(segments, now, s, at, keep);
            if (now[s] != end) turn(segments, now, s, s, keep);
        }
    }
    template <int k, class Keep>
    MH_FN static void turn(const Segments<k>& segments, int* now, int s, int last, Keep keep) {
        const int* item = segments.item;
        const int one = item[now[s]], other = item[now[last] ^ 1];
        if (one != other) keep(item[now[s - 1] ^ 1], one, other, item[now[last + 1]]);
        for (; s <= last; ++s, --last) {
            const int kept = now[s] ^ 1;
            now[s] = now[last] ^ 1;
            now[last] = kept;
        }
    }
};
