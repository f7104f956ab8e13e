// A solution lists customers, and items from customers() on, each of which is a return to the depot between two routes.
struct CVRP : CVRPData {
    MH_FN int customers() const { return int(demands.size); }
    MH_FN bool returns(Item item) const { return item >= customers(); }

    // where the vehicle is at a position of x, and before and behind them
    MH_FN int place(const Item* x, int length, int p) const {
        return p < 0 || p >= length || returns(x[p]) ? customers() : int(x[p]);
    }
    MH_FN Cost between(int from, int to) const { return Cost(distances(from, to)); }

    MH_FN Cost excess(Cost load) const {
        return load > Cost(capacity) ? (load - Cost(capacity)) * Cost(penalty(0)) : 0;
    }

    // whether a route begins at a position
    MH_FN bool begins(const Item* x, int p) const { return p == 0 || returns(x[p - 1]); }

    MH_FN Cost load(const Item* x, int length, int p) const {
        Cost sum = 0;
        for (; p < length && !returns(x[p]); ++p) sum += Cost(demands(x[p]));
        return sum;
    }

    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n + 1, [=](int p) {
            const Cost edge = between(place(x, n, p - 1), place(x, n, p));
            return Total(edge) + (begins(x, p) ? excess(load(x, n, p)) : 0);
        });
    }

    // In `out`, route by route: what the item adds to the excess, less the edge that is cut; then the edges to its
    // neighbors.
    MH_FN void insertions(Team team, const Item* x, int length, Item item, State s, Cost* out) const {
        const Cost whole = team.sum(
            length + 1, [=](int first) { return begins(x, first) ? enter(x, length, first, item, s, out) : Cost(0); });
        team.sync();
        const auto from = distances.row(returns(item) ? customers() : int(item));
        team.for_each(length + 1, [=](i64 p) {
            out[p] += whole + Cost(from[place(x, length, int(p) - 1)]) + Cost(from[place(x, length, int(p))]);
        });
    }

    // the cost of the route that begins at a position
    MH_FN Cost enter(const Item* x, int length, int first, Item item, State s, Cost* out) const {
        const bool cuts = returns(item);
        Cost sum = 0, edges = 0;
        int p = first;
        for (int before = customers();; ++p) {
            const int here = place(x, length, p);
            const Cost edge = between(before, here);
            edges += edge;
            out[p] = -edge;
            if (cuts) s.ahead(p) = sum;
            if (here == customers()) break;
            sum += Cost(demands(here));
            before = here;
        }
        const Cost over = excess(sum), more = cuts ? 0 : excess(sum + Cost(demands(item))) - over;
        for (; p >= first; --p) out[p] += cuts ? excess(s.ahead(p)) + excess(sum - s.ahead(p)) - over : more;
        return edges + over;
    }
};
