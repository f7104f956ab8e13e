// The first items of x are open. first(v), second(v) = the positions of the nearest and the second nearest of them.
struct PMedian : PMedianData {
    MH_FN static bool exchanges(SwapMove m) { return m.i < open && m.j >= open; }

    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n, [&](int v) {
            Total least = Total(distances(v, x[0]));
            for (int a = 1; a < open; ++a)
                least = least < Total(distances(v, x[a])) ? least : Total(distances(v, x[a]));
            return least;
        });
    }

    MH_FN void look(const Item* x, State s, int v) const {
        int first = 0, second = -1;
        for (int a = 1; a < open; ++a) {
            if (distances(v, x[a]) < distances(v, x[first])) {
                second = first;
                first = a;
            } else if (second < 0 || distances(v, x[a]) < distances(v, x[second])) {
                second = a;
            }
        }
        s.first(v) = first;
        s.second(v) = second;
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(n, [&](int v) { look(x, s, v); });
        team.sync();
    }

    MH_FN Cost delta(Team team, const Item* x, State s, SwapMove m) const {
        if (!exchanges(m)) return 0;
        const int opened = x[m.j];
        return team.sum(n, [&](int v) {
            const int first = int(s.first(v)), second = int(s.second(v));
            const Cost now = Cost(distances(v, x[first])), there = Cost(distances(v, opened));
            const bool closes = first == m.i;
            const Cost other = !closes ? now : second < 0 ? there : Cost(distances(v, x[second]));
            return (there < other ? there : other) - now;
        });
    }

    // the opened place is at the position of the closed one
    MH_FN void commit(Team team, const Item* x, State s, SwapMove m) const {
        if (!exchanges(m)) {
            init(team, x, s);
            return;
        }
        team.for_each(n, [&](int v) {
            const int first = int(s.first(v)), second = int(s.second(v));
            if (first == m.i || second == m.i) {
                look(x, s, v);
            } else if (distances(v, x[m.i]) < distances(v, x[first])) {
                s.second(v) = first;
                s.first(v) = m.i;
            } else if (second < 0 || distances(v, x[m.i]) < distances(v, x[second])) {
                s.second(v) = m.i;
            }
        });
        team.sync();
    }
};
