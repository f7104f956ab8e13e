// permuted(i, k) = b(x[i], x[k]); flow and distance are the differences of the two rows that the last swap exchanged.
struct QAP : QAPData {
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(i64(n) * n, [&](i64 k) { return Total(a(k / n, k % n)) * b(x[k / n], x[k % n]); });
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(i64(n) * n, [&](i64 k) { s.permuted(k / n, k % n) = b.row(x[k / n]).at[x[k % n]]; });
        if (!symmetric)
            team.for_each(i64(n) * n, [&](i64 k) { s.transposed(k % n, k / n) = b.row(x[k / n]).at[x[k % n]]; });
    }

    template <class A, class B> MH_FN Cost exchange(Team team, const A& a, const B& p, SwapMove m) const {
        auto ai = a.row(m.i), aj = a.row(m.j);
        auto pi = p.row(m.i), pj = p.row(m.j);
        return team.dot(ai - aj, pj - pi) - (Cost(ai[m.i]) - Cost(aj[m.i])) * (Cost(pj[m.i]) - Cost(pi[m.i])) -
               (Cost(ai[m.j]) - Cost(aj[m.j])) * (Cost(pj[m.j]) - Cost(pi[m.j]));
    }

    // symmetric, and each diagonal of one number: the two terms that do not belong to the sum are equal
    MH_FN Cost plain_delta(Team team, State s, SwapMove m) const {
        auto ai = a.row(m.i), aj = a.row(m.j);
        auto pi = s.permuted.row(m.i), pj = s.permuted.row(m.j);
        const Cost total =
            team.dot(ai - aj, pj - pi) - 2 * (Cost(ai[m.i]) - Cost(ai[m.j])) * (Cost(pi[m.j]) - Cost(pi[m.i]));
        return total + total;
    }

    MH_FN Cost delta(Team team, const Item*, State s, SwapMove m) const {
        if (plain) return plain_delta(team, s, m);
        const auto& p = s.permuted;
        Cost total = exchange(team, a, p, m);
        total += symmetric ? total : exchange(team, a_transposed, s.transposed, m);
        total += (Cost(a(m.i, m.i)) - Cost(a(m.j, m.j))) * (Cost(p(m.j, m.j)) - Cost(p(m.i, m.i)));
        if (symmetric) return total;
        return total + (Cost(a(m.i, m.j)) - Cost(a(m.j, m.i))) * (Cost(p(m.j, m.i)) - Cost(p(m.i, m.j)));
    }

    template <class Kept> MH_FN void permute(Team team, const Kept& p, SwapMove m) const {
        auto* pi = p.at(m.i);
        auto* pj = p.at(m.j);
        team.for_each(n, [=](i64 k) {
            auto held = pi[k];
            pi[k] = pj[k];
            pj[k] = held;
        });
        team.sync();
        team.for_each(n, [=](i64 k) {
            auto* row = p.at(k);
            auto held = row[m.i];
            row[m.i] = row[m.j];
            row[m.j] = held;
        });
    }

    template <class A, class Kept, class V>
    MH_FN void differ(Team team, const A& a, const Kept& p, V flow, V distance, SwapMove m) const {
        auto ai = a.row(m.i), aj = a.row(m.j);
        auto pi = p.row(m.i), pj = p.row(m.j);
        team.for_each(n, [=](i64 k) {
            flow(k) = Cost(ai[k]) - Cost(aj[k]);
            distance(k) = Cost(pj[k]) - Cost(pi[k]);
        });
    }

    MH_FN void commit(Team team, const Item*, State s, SwapMove m) const {
        permute(team, s.permuted, m);
        if (!symmetric) permute(team, s.transposed, m);
        team.sync();
        differ(team, a, s.permuted, s.flow, s.distance, m);
        if (!symmetric) differ(team, a_transposed, s.transposed, s.flow_back, s.distance_back, m);
    }

    // the delta of a swap m that shares no position with the swap just made (Taillard 1991)
    MH_FN Cost update(State s, SwapMove m, Cost delta, SwapMove) const {
        Cost change = (s.flow(m.i) - s.flow(m.j)) * (s.distance(m.i) - s.distance(m.j));
        if (symmetric) return delta + 2 * change;
        return delta + change + (s.flow_back(m.i) - s.flow_back(m.j)) * (s.distance_back(m.i) - s.distance_back(m.j));
    }
};
