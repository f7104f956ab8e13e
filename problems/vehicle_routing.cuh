// A solution has a list of customers for each vehicle: x[k] is what follows customer k or, from customers() on, the
// depot where a route begins. s.route is the route of each place, s.ahead what is loaded up to it, s.load all of it,
// s.price what a route costs.
struct VehicleRouting : VehicleRoutingData {
    MH_FN int customers() const { return int(demands.size); }
    MH_FN int place(int k) const { return k < customers() ? k : customers(); }
    MH_FN Cost between(int a, int b) const {
        const int from = place(a), to = place(b);
        if constexpr (tabulated) return Cost(distances(from, to));
        return Cost(distance<metric>(x_of(from) - x_of(to), y_of(from) - y_of(to)));
    }
    MH_FN double x_of(int k) const { return double(points(2 * i64(k))); }
    MH_FN double y_of(int k) const { return double(points(2 * i64(k) + 1)); }
    MH_FN Cost excess(Cost load) const {
        return load > Cost(capacity) ? (load - Cost(capacity)) * Cost(penalty(0)) : 0;
    }
    // the change of the excess where a load goes from one route to another one
    MH_FN Cost shifted(State s, int from, int to, Cost load) const {
        const Cost a = Cost(s.load(from)), b = Cost(s.load(to));
        return from == to ? 0 : excess(a - load) - excess(a) + excess(b + load) - excess(b);
    }

    MH_FN Total cost(Team team, const Item* x) const {
        const int c = customers();
        return team.sum(n, [=](int k) {
            Cost load = 0;
            if (k >= c)
                for (int at = x[k]; at < c; at = x[at]) load += Cost(demands(at));
            return Total(between(k, x[k])) + Total(excess(load));
        });
    }

    MH_FN Total kept_cost(Team team, const Item*, State s) const {
        return team.sum(vehicles, [=](int k) { return Total(s.price(k)); });
    }

    MH_FN void enter(const Item* x, State s, int k) const {
        Cost load = 0, length = 0;
        for (int at = customers() + k;;) {
            s.route(at) = k;
            s.ahead(at) = load;
            const int next = x[at];
            length += between(at, next);
            at = next;
            if (at >= customers()) break;
            load += Cost(demands(at));
        }
        s.load(k) = load;
        s.price(k) = length + excess(load);
    }
    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(vehicles, [=](i64 k) { enter(x, s, int(k)); });
    }

    // the items behind a place, as they arrive: the first and the last, what is behind them, and their load
    struct Segment {
        int first, last, behind;
        Cost load;
    };
    MH_FN Segment segment(const Item* x, int place, int count, bool turned) const {
        Segment found{x[place], place, x[place], 0};
        for (int k = 0; k < count; ++k) {
            found.last = found.behind;
            found.load += Cost(demands(found.last));
            found.behind = x[found.last];
        }
        return turned ? Segment{found.last, found.first, found.behind, found.load} : found;
    }

    MH_FN Cost delta(Team, const Item* x, State s, SegmentsMove m) const {
        const Segment one = segment(x, m.p, m.first, m.turned & 1);
        const Segment other = segment(x, m.q, m.second, m.turned & 2);
        Cost found = between(m.q, one.first) + between(one.last, other.behind) - between(m.p, x[m.p]) -
                     between(m.turned & 1 ? one.first : one.last, one.behind) - between(m.q, x[m.q]);
        if (m.second) {
            found += between(m.p, other.first) + between(other.last, one.behind) -
                     between(m.turned & 2 ? other.first : other.last, other.behind);
        } else {
            found += between(m.p, one.behind);
        }
        return found + shifted(s, int(s.route(m.p)), int(s.route(m.q)), one.load - other.load);
    }

    MH_FN Cost delta(Team, const Item* x, State s, TailsMove m) const {
        const int from = int(s.route(m.p)), to = int(s.route(m.q));
        const Cost tail = Cost(s.load(from)) - Cost(s.ahead(m.p)), other = Cost(s.load(to)) - Cost(s.ahead(m.q));
        return between(m.p, x[m.q]) + between(m.q, x[m.p]) - between(m.p, x[m.p]) - between(m.q, x[m.q]) +
               shifted(s, from, to, tail - other);
    }

    MH_FN Cost delta(Team, const Item* x, State, ReversalMove m) const {
        return between(m.p, m.last) + between(m.first, x[m.last]) - between(m.p, m.first) - between(m.last, x[m.last]);
    }

    // the change of cost where a customer that is left out goes behind a place
    MH_FN Cost inserted(const Item* x, State s, int item, int place) const {
        return detour(x, item, place) + overload(s, item, place);
    }
    // the same; or no cost, where the load alone makes it at least `least`
    MH_FN Cost inserted_below(const Item* x, State s, int item, int place, Cost least) const {
        const Cost more = overload(s, item, place);
        return more && more - Cost(longest(0)) >= least ? Never<Cost>::value : detour(x, item, place) + more;
    }
    MH_FN Cost detour(const Item* x, int item, int place) const {
        return between(place, item) + between(item, x[place]) - between(place, x[place]);
    }
    MH_FN Cost overload(State s, int item, int place) const {
        const Cost load = Cost(s.load(int(s.route(place))));
        return excess(load + Cost(demands(item))) - excess(load);
    }
    MH_FN void renew(const Item* x, State s, int place) const { enter(x, s, int(s.route(place))); }
    MH_FN void entered(const Item* x, State s, int item, int place) const {
        const int k = int(s.route(place));
        const Cost more = Cost(demands(item)), load = Cost(s.load(k)) + more;
        s.price(k) = Cost(s.price(k)) + between(place, item) + between(item, x[item]) - between(place, x[item]) +
                     excess(load) - excess(load - more);
        s.route(item) = k;
        s.ahead(item) = s.ahead(place);
        for (int at = item; at < customers(); at = x[at]) s.ahead(at) = Cost(s.ahead(at)) + more;
        s.load(k) = load;
    }

    MH_FN void enter_both(Team team, const Item* x, State s, int from, int to) const {
        team.sync();  // threads may still read which routes these are
        team.for_each(from == to ? 1 : 2, [=](i64 k) { enter(x, s, k ? to : from); });
    }
    MH_FN void commit(Team team, const Item* x, State s, SegmentsMove m) const {
        enter_both(team, x, s, int(s.route(m.p)), int(s.route(m.q)));
    }
    MH_FN void commit(Team team, const Item* x, State s, TailsMove m) const {
        enter_both(team, x, s, int(s.route(m.p)), int(s.route(m.q)));
    }
    MH_FN void commit(Team team, const Item* x, State s, ReversalMove m) const {
        enter_both(team, x, s, int(s.route(m.p)), int(s.route(m.p)));
    }
};
