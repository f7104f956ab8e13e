// Lists that are made of joined segments. Kept are, of each place, the segment from the head of its list up to it, and
// the one from it to the end of the list; its list, its rank, and the place before it; of each list its last place and
// its price. A price has the head before and behind the items. P::lists_longest: a solution costs what its most
// expensive list costs, not the sum; P::lists_optional: items may be left out, and are then in list -1; P::lists_grow:
// a longer segment never costs less. P::lists_walk: a segment is joined with single places only, so that the end of a
// list is gone through again.
template <class P> struct Segments {
    typedef typename P::Segment Segment;
    typedef typename P::Numbers Numbers;
    typedef typename P::State State;
    static constexpr int width = sizeof(Numbers) / sizeof(Cost);

    const P& problem;
    const Item* x;
    State s;

    MH_FN int items() const { return int(problem.lists_shape(0)); }
    MH_FN int list(int place) const { return int(s.segment_places(place)); }
    MH_FN int rank(int place) const { return int(s.segment_places(problem.n + place)); }
    MH_FN int before(int place) const { return int(s.segment_places(2 * problem.n + place)); }
    MH_FN Cost price(int list) const { return Cost(s.segment_prices(list)); }

    MH_FN Numbers kept(i64 row) const {
        Numbers found;
        Cost* cells = reinterpret_cast<Cost*>(&found);
        for (int w = 0; w < width; ++w) cells[w] = Cost(s.segment_numbers(row * width + w));
        return found;
    }
    MH_FN void keep(i64 row, const Numbers& numbers) const {
        const Cost* cells = reinterpret_cast<const Cost*>(&numbers);
        for (int w = 0; w < width; ++w) s.segment_numbers(row * width + w) = cells[w];
    }

    // from the head of its list up to a place
    MH_FN Segment ahead(int place) const { return {kept(place), items() + list(place), place}; }
    // a, and what is from a place on, up to the end of its list
    MH_FN Segment with_tail(Segment a, int place) const {
        if (place >= items()) return a;
        const int last = int(s.segment_ends(list(place)));
        if (P::lists_walk) return with_all(a, place, last, false);
        return problem.joined(a, Segment{kept(i64(problem.n) + place), place, last});
    }
    MH_FN Segment with(Segment a, int place) const { return problem.joined(a, problem.unit_of(place)); }
    // the places from ... to, turned
    MH_FN Segment turned(int from, int to) const {
        Segment found = problem.unit_of(from);
        while (from != to) {
            from = x[from];
            found = problem.joined(problem.unit_of(from), found);
        }
        return found;
    }
    // a, and the places from ... to, of which there are some
    MH_FN Segment with_all(Segment a, int from, int to, bool turn) const {
        if (turn && !P::lists_walk) return problem.joined(a, turned(from, to));
        if (turn)
            for (;; to = before(to)) {
                a = with(a, to);
                if (from == to) return a;
            }
        for (;; from = x[from]) {
            a = with(a, from);
            if (from == to) return a;
        }
    }
    MH_FN Cost closed(Segment a, int list) const { return Cost(problem.closed(a, items() + list)); }

    // what is `count` steps behind a place
    MH_FN int behind(int place, int count) const {
        for (; count > 0; --count) place = x[place];
        return place;
    }

    // the change of cost where one list costs a, and another one, or the same, costs b
    MH_FN Cost changed(int one, Cost a, int other, Cost b) const {
        if (!P::lists_longest) return one == other ? a - price(one) : a + b - price(one) - price(other);
        Cost after = one == other || b < a ? a : b, before = price(one);
        for (int k = 0; k < int(problem.lists_shape(1)); ++k) {
            const Cost own = price(k);
            if (before < own) before = own;
            if (k != one && k != other && after < own) after = own;
        }
        return after - before;
    }
    MH_FN Cost changed(int one, Cost a) const { return changed(one, a, one, a); }

    // a SegmentsMove
    template <class M> MH_FN auto delta(M m) const -> decltype(m.second + m.turned, Cost()) {
        if constexpr (P::lists_optional) {
            if (list(m.p) < 0) return inserted(m.p, m.q) - Cost(problem.left_out(m.p));
            if (m.first == 1 && m.second == 0 && x[m.p] == m.q) {
                const int from = list(m.p);
                return changed(from, closed(with_tail(ahead(m.p), x[m.q]), from)) + Cost(problem.left_out(m.q));
            }
        }
        const int one = list(m.p), other = list(m.q);
        const int last = behind(m.p, m.first), after = x[last], end = behind(m.q, m.second), beyond = x[end];
        const auto first = [&](Segment a) { return with_all(a, x[m.p], last, m.turned & 1); };
        const auto second = [&](Segment a) { return m.second ? with_all(a, x[m.q], end, m.turned & 2) : a; };
        if (one != other)
            return changed(one, closed(with_tail(second(ahead(m.p)), after), one), other,
                           closed(with_tail(first(ahead(m.q)), beyond), other));
        const bool forward = rank(m.p) < rank(m.q);  // the first segment comes before the second
        Segment a = forward ? second(ahead(m.p)) : first(ahead(m.q));
        a = with_all(a, forward ? after : beyond, forward ? m.q : m.p, false);
        a = forward ? first(a) : second(a);
        return changed(one, closed(with_tail(a, forward ? beyond : after), one));
    }
    // a TailsMove
    template <class M> MH_FN auto delta(M m) const -> decltype(m.p_end + m.q_end, Cost()) {
        const int one = list(m.p), other = list(m.q);
        return changed(one, closed(with_tail(ahead(m.p), x[m.q]), one), other,
                       closed(with_tail(ahead(m.q), x[m.p]), other));
    }
    // a ReversalMove
    template <class M> MH_FN auto delta(M m) const -> decltype(m.first + m.last, Cost()) {
        const int one = list(m.p);
        return changed(one, closed(with_tail(with_all(ahead(m.p), m.first, m.last, true), x[m.last]), one));
    }

    // the change of cost where two lists exchange all that they hold
    MH_FN Cost exchanged(int one, int other) const {
        return changed(one, with_head(one, other), other, with_head(other, one));
    }
    // what a list costs that holds what another one holds
    MH_FN Cost with_head(int list, int held) const {
        return closed(with_tail(problem.begun(items() + list), x[items() + held]), list);
    }

    // what a list costs once a pair is taken out, and put in again behind `first_to` and `second_to`
    MH_FN Cost without(int k, int first, int second, int first_to, int second_to) const {
        int at = items() + k;
        Segment a = problem.begun(at);
        for (;;) {
            if (at == first_to) a = with(a, first);
            if (at == second_to || (at == first_to && second_to == first)) a = with(a, second);
            int next = x[at];
            while (next == first || next == second) next = x[next];
            if (next >= items()) return closed(a, k);
            a = with(a, next);
            at = next;
        }
    }
    // a PairsMove
    template <class M> MH_FN auto delta(M m) const -> decltype(m.first_at + m.second_to, Cost()) {
        const int one = list(m.first_at), other = list(m.first_to), first = x[m.first_at], second = x[m.second_at];
        const Cost a = without(one, first, second, m.first_to, m.second_to);
        return one == other ? changed(one, a)
                            : changed(one, a, other, without(other, first, second, m.first_to, m.second_to));
    }

    // where a pair that is in no list goes in a list so that the change of cost is least; first = -1 for nowhere
    struct Pair {
        Cost cost;
        int first, second;
    };
    template <class F> MH_FN Pair best_pair(int k, int first, int second, F open) const {
        Pair best{0, -1, -1};
        for (int p = items() + k;; p = x[p]) {
            if (open(p)) {
                Segment a = with(ahead(p), first);
                int q = first, next = x[p];
                for (;;) {
                    if (open(q)) {
                        const Cost found = changed(k, closed(with_tail(with(a, second), next), k));
                        if (best.first < 0 || found < best.cost) best = {found, p, q};
                    }
                    if (next >= items()) break;
                    a = with(a, next);
                    if (P::lists_grow && best.first >= 0 && Cost(problem.price(a)) - price(k) >= best.cost) break;
                    q = next;
                    next = x[next];
                }
            }
            if (x[p] >= items()) return best;
        }
    }

    MH_FN void enter(int k) const {
        const int head = items() + k, n = problem.n;
        int at = head, place = 0;
        Segment a = problem.begun(head);
        for (;; ++place) {
            s.segment_places(at) = k;
            s.segment_places(n + at) = place;
            keep(at, a);
            const int next = x[at];
            if (next == head) break;
            s.segment_places(2 * n + next) = at;
            a = with(a, next);
            at = next;
        }
        s.segment_ends(k) = at;
        s.segment_prices(k) = closed(a, k);
        if (at == head || P::lists_walk) return;
        Segment b = problem.unit_of(at);
        for (;;) {
            keep(i64(n) + at, b);
            at = before(at);
            if (at == head) break;
            b = problem.joined(problem.unit_of(at), b);
        }
    }
    // keeps what changes where an item that was in no list went behind a place: ahead of the place all stays, and so
    // does what is from each place behind the item on
    MH_FN void entered(int item, int place) const {
        if (place == item) return leave(item);
        const int n = problem.n, k = list(place), head = items() + k;
        Segment a = ahead(place);
        int at = place, count = rank(place);
        for (;;) {
            const int next = x[at];
            if (next == head) break;
            s.segment_places(2 * n + next) = at;
            s.segment_places(next) = k;
            s.segment_places(n + next) = ++count;
            a = with(a, next);
            keep(next, a);
            at = next;
        }
        s.segment_ends(k) = at;
        s.segment_prices(k) = closed(a, k);
        if (P::lists_walk) return;
        Segment b = problem.unit_of(item);
        if (item != at) b = problem.joined(b, Segment{kept(i64(n) + x[item]), x[item], at});
        for (at = item;;) {
            keep(i64(n) + at, b);
            at = before(at);
            if (at == head) break;
            b = problem.joined(problem.unit_of(at), b);
        }
    }
    // the change of cost where an item that is in no list goes behind a place; behind itself, where it stays out
    MH_FN Cost inserted(int item, int place) const {
        if constexpr (P::lists_optional)
            if (place == item) return Cost(problem.left_out(item));
        return changed(list(place), closed(with_tail(with(ahead(place), item), x[place]), list(place)));
    }
    // the same; or no cost, where it is at least `least`, because segments grow and the first part alone costs as much
    MH_FN Cost inserted_below(int item, int place, Cost least) const {
        if constexpr (P::lists_optional)
            if (place == item) return Cost(problem.left_out(item));
        const int k = list(place);
        const Segment a = with(ahead(place), item);
        if (P::lists_grow && Cost(problem.price(a)) - price(k) >= least) return Never<Cost>::value;
        return changed(k, closed(with_tail(a, x[place]), k));
    }
    // the same of an item and of a visit, which is no longer left out, before it or behind it
    MH_FN Cost inserted_with(int item, int visit, int place, bool before, Cost least) const {
        const int k = list(place);
        const Segment a = with(with(ahead(place), before ? visit : item), before ? item : visit);
        Cost saved = 0;
        if constexpr (P::lists_optional) saved = Cost(problem.left_out(visit));
        if (P::lists_grow && Cost(problem.price(a)) - price(k) - saved >= least) return Never<Cost>::value;
        return changed(k, closed(with_tail(a, x[place]), k)) - saved;
    }
    MH_FN void renew(int place) const {
        if (!P::lists_optional || list(place) >= 0) enter(list(place));
    }
    MH_FN void leave(int item) const {
        if (x[item] == item) s.segment_places(item) = -1;
    }
    MH_FN void enter_both(Team team, int one, int other) const {
        team.sync();  // threads may still read which lists these are
        const Segments all = *this;
        team.for_each(one == other ? 1 : 2, [=](i64 k) { all.enter(k ? other : one); });
    }
    // of the lists of both places, or of one; with optional items by one thread, since a place may change its list
    template <class M> MH_FN auto commit(Team team, M m) const -> decltype(m.p + m.q, void()) {
        if (!P::lists_optional) return enter_both(team, list(m.p), list(m.q));
        if (team.rank != 0) return;
        const int one = list(m.p), other = list(m.q);
        if (m.q < items()) leave(m.q);
        if (one >= 0) enter(one);
        if (other != one) enter(other);
    }
    template <class M> MH_FN auto commit(Team team, M m) const -> decltype(m.first_at + m.second_to, void()) {
        enter_both(team, list(m.first_at), list(m.first_to));
    }
    template <class M> MH_FN auto commit(Team team, M m) const -> decltype(m.first + m.last, void()) {
        enter_both(team, list(m.p), list(m.p));
    }
};

template <class P, class S> MH_FN Segments<P> segments_of(const P& problem, const Item* x, S s) {
    return {problem, x, s};
}

// what a solution costs, by the price of each list
template <class P, class F> MH_FN Total segments_cost(const P& problem, Team team, const Item* x, F priced) {
    const int items = int(problem.lists_shape(0)), lists = int(problem.lists_shape(1));
    Total found = P::lists_longest ? priced(0) : team.sum(lists, priced);
    for (int k = 1; P::lists_longest && k < lists; ++k) {
        const Total own = priced(k);
        if (found < own) found = own;
    }
    if constexpr (P::lists_optional)
        found += team.sum(items, [&](int k) { return x[k] == k ? Total(problem.left_out(k)) : Total(0); });
    return found;
}

template <class P> MH_FN Total segments_cost(const P& problem, Team team, const Item* x) {
    const int items = int(problem.lists_shape(0));
    return segments_cost(problem, team, x, [&](int k) {
        auto a = problem.begun(items + k);
        for (int at = x[items + k]; at < items; at = x[at]) a = problem.joined(a, problem.unit_of(at));
        return Total(problem.closed(a, items + k));
    });
}
