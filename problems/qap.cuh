// permuted(i, k) = b(x[i], x[k]); flow and distance are the differences of the two rows that the last swap exchanged.

// A row of the permuted matrix, or of its transpose, entry by entry from the solution.
template <class B, bool mirrored> struct PermutedRow {
    typedef typename B::stored_type stored_type;
    const B& b;
    const Item* x;
    int item;

    MH_FN Cost operator[](i64 k) const { return mirrored ? Cost(b(x[k], item)) : Cost(b(item, x[k])); }
    // four entries, of which none is behind the last one
    MH_FN u32 word(int k) const {
        u32 four = 0;
        for (int c = 0; c < 4; ++c) four |= u32((*this)[4 * k + c]) << 8 * c;
        return four;
    }
    MH_FN RowDifference<PermutedRow, PermutedRow> operator-(PermutedRow other) const { return {*this, other}; }
};

// The permuted matrix, or its transpose, where it is not kept.
template <class B, bool mirrored> struct Permuted {
    const B& b;
    const Item* x;

    MH_FN PermutedRow<B, mirrored> row(i64 i) const { return {b, x, int(x[i])}; }
    MH_FN Cost operator()(i64 i, i64 k) const { return row(i)[k]; }
};

struct QAP : QAPData {
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(i64(n) * n, [&](i64 k) { return Total(a(k / n, k % n)) * b(x[k / n], x[k % n]); });
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(i64(n) * n, [&](i64 k) { s.permuted(k / n, k % n) = b(x[k / n], x[k % n]); });
        if (!symmetric) team.for_each(i64(n) * n, [&](i64 k) { s.transposed(k % n, k / n) = b(x[k / n], x[k % n]); });
    }

    // the inner product of two differences of rows
    template <class L, class R> MH_FN Cost product(Team team, L left, R right) const { return team.dot(left, right); }
    // the same where a thread alone reads the second ones entry by entry
    template <class A, class B, bool mirrored>
    MH_FN Cost product(Team, RowDifference<A, A> left,
                       RowDifference<PermutedRow<B, mirrored>, PermutedRow<B, mirrored>> right) const {
        int k = 0;
        Cost total = 0;
#ifdef __CUDACC__
        if constexpr (Same<typename A::stored_type, u8>::value && Same<typename B::stored_type, u8>::value &&
                      Same<Cost, i32>::value) {
            u32 plus = 0, minus = 0;
#pragma unroll 2
            for (; 4 * k + 4 <= n; ++k) {
                const u32 x = left.a.word(k), y = left.b.word(k), z = right.a.word(k), w = right.b.word(k);
                plus = __dp4a(x, z, __dp4a(y, w, plus));
                minus = __dp4a(x, w, __dp4a(y, z, minus));
            }
            total = i32(plus - minus);
            k *= 4;
        }
#endif
        for (; k < n; ++k) total += (Cost(left.a[k]) - Cost(left.b[k])) * (right.a[k] - right.b[k]);
        return total;
    }

    template <class A, class B> MH_FN Cost exchange(Team team, const A& a, const B& p, SwapMove m) const {
        auto ai = a.row(m.i), aj = a.row(m.j);
        auto pi = p.row(m.i), pj = p.row(m.j);
        return product(team, ai - aj, pj - pi) - (Cost(ai[m.i]) - Cost(aj[m.i])) * (Cost(pj[m.i]) - Cost(pi[m.i])) -
               (Cost(ai[m.j]) - Cost(aj[m.j])) * (Cost(pj[m.j]) - Cost(pi[m.j]));
    }

    // symmetric, and each diagonal of one number: the two terms that do not belong to the sum are equal
    template <class P> MH_FN Cost plain_delta(Team team, const P& p, SwapMove m) const {
        auto ai = a.row(m.i), aj = a.row(m.j);
        auto pi = p.row(m.i), pj = p.row(m.j);
        const Cost total =
            product(team, ai - aj, pj - pi) - 2 * (Cost(ai[m.i]) - Cost(ai[m.j])) * (Cost(pi[m.j]) - Cost(pi[m.i]));
        return total + total;
    }

    MH_FN Cost delta(Team team, const Item*, State s, SwapMove m) const {
        return delta_by(team, s.permuted, s.transposed, m);
    }

    MH_FN Cost delta(Team team, const Item* x, SwapMove m) const {
        typedef decltype(b) B;
        return delta_by(team, Permuted<B, false>{b, x}, Permuted<B, true>{b, x}, m);
    }

    template <class P, class T> MH_FN Cost delta_by(Team team, const P& p, const T& transposed, SwapMove m) const {
        if (plain) return plain_delta(team, p, m);
        Cost total = exchange(team, a, p, m);
        total += symmetric ? total : exchange(team, a_transposed, transposed, m);
        total += (Cost(a(m.i, m.i)) - Cost(a(m.j, m.j))) * (Cost(p(m.j, m.j)) - Cost(p(m.i, m.i)));
        if (symmetric) return total;
        return total + (Cost(a(m.i, m.j)) - Cost(a(m.j, m.i))) * (Cost(p(m.j, m.i)) - Cost(p(m.i, m.j)));
    }

    // the differences of two rows, which then change places; those at the rows' own positions belong to moves that
    // nobody updates
    template <class A, class Kept, class F, class D>
    MH_FN void exchange_rows(Team team, const A& a, const Kept& p, F flow, D distance, SwapMove m) const {
        const auto ai = a.row(m.i), aj = a.row(m.j);
        auto* pi = p.at(m.i);
        auto* pj = p.at(m.j);
        team.for_each(n, [=](i64 k) {
            const auto held = pi[k], other = pj[k];
            flow(k) = Cost(ai[k]) - Cost(aj[k]);
            distance(k) = Cost(held) - Cost(other);
            pi[k] = other;
            pj[k] = held;
        });
    }

    template <class Kept> MH_FN void exchange_columns(Team team, const Kept& p, SwapMove m) const {
        team.for_each(n, [=](i64 k) {
            auto* row = p.at(k);
            const auto held = row[m.i];
            row[m.i] = row[m.j];
            row[m.j] = held;
        });
    }

    MH_FN void commit(Team team, const Item*, State s, SwapMove m) const {
        exchange_rows(team, a, s.permuted, s.flow, s.distance, m);
        if (!symmetric) exchange_rows(team, a_transposed, s.transposed, s.flow_back, s.distance_back, m);
        team.sync();
        exchange_columns(team, s.permuted, m);
        if (!symmetric) exchange_columns(team, s.transposed, m);
    }

    // the delta of a swap m that shares no position with the swap just made (Taillard 1991)
    MH_FN Cost update(State s, SwapMove m, Cost delta, SwapMove) const {
        Cost change = (s.flow(m.i) - s.flow(m.j)) * (s.distance(m.i) - s.distance(m.j));
        if (symmetric) return delta + 2 * change;
        return delta + change + (s.flow_back(m.i) - s.flow_back(m.j)) * (s.distance_back(m.i) - s.distance_back(m.j));
    }
};
