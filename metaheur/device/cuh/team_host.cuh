// Whether another thread waits for this one to stop: loops over moves then break off, and their results are not used.
static volatile i32* mh_cancel = nullptr;
MH_FN bool cancelled() { return mh_cancel && *mh_cancel; }

// the place of the lowest bit of a word that is not 0
MH_FN int lowest_bit(u32 word) { return __builtin_ctz(word); }

// Computes once the values that the moves of a group share; defined later.
template <class N, class F> MH_FN void with_row(const N& neighborhood, i64 group, F f);

template <class N, class M, class F> MH_FN void each_touched(const N& neighborhood, M move, F f);

#if defined(_OPENMP) && defined(MH_SHARES_SUMS)
// Terms of a sum from which several threads share it, and terms that they compute before one thread adds them.
constexpr i64 shared_sum_from = 64, shared_sum_terms = 1 << 15;

// The sum of f(k) over k < count by several threads, bit for bit that of one thread: whole numbers are added in any
// order; fractions are computed by all threads, and added by one of them from 0 on.
template <class T, class F> MH_FN T shared_sum(int threads, i64 count, F f) {
    T total = 0;
    const i64 chunk = (count < shared_sum_terms ? count : shared_sum_terms) / (16 * threads) + 1;
    if constexpr (!IsDouble<T>::value) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, chunk) reduction(+ : total)
        for (i64 k = 0; k < count; ++k) total += f(int(k));
    } else {
        static thread_local T buffer[shared_sum_terms];
        T* const terms = buffer;  // of this thread, for all
        for (i64 first = 0; first < count; first += shared_sum_terms) {
            const i64 left = count - first, some = left < shared_sum_terms ? left : shared_sum_terms;
#pragma omp parallel for num_threads(threads) schedule(dynamic, chunk)
            for (i64 k = 0; k < some; ++k) terms[k] = f(int(first + k));
            for (i64 k = 0; k < some; ++k) total += terms[k];
        }
    }
    return total;
}
template <class T> struct IsNumber {
    static constexpr bool value = Same<T, i32>::value || Same<T, i64>::value || IsDouble<T>::value;
};
#endif

// A team on the CPU is one thread. Several threads may share a neighborhood as a league: each takes its share.
struct Team {
    static constexpr int rank = 0, size = 1;
#ifdef _OPENMP
    int league_rank = 0, league_size = 1;
    int slot = 0;  // of the thread, if each thread has a walk
#ifdef MH_SHARES_SUMS
    int sharers = 1;  // threads that share each sum
#endif
#else
    static constexpr int league_rank = 0, league_size = 1, slot = 0;
#endif

    MH_FN void sync() const {}
    MH_FN Team alone() const { return *this; }
    MH_FN i64 worker() const { return league_rank + slot; }

    // f(k) for every k < count; the calls are independent of each other
    template <class F> MH_FN void for_each(i64 count, F f) const {
#pragma GCC ivdep
        for (i64 k = 0; k < count; ++k) f(k);
    }

    // the same, for threads with few rounds each
    template <class F> MH_FN void for_few(int count, F f) const {
#pragma GCC ivdep
        for (int k = 0; k < count; ++k) f(k);
    }

    // the sum of f(k) over k < count, in the type of changes of cost or f's own, if that is wider; an int counts to an
    // int, since a compiler then steps through memory
    template <class C, class F> MH_FN auto sum(C count, F f) const {
        typename SumOf<decltype(f(0))>::type total = 0;
#if defined(_OPENMP) && defined(MH_SHARES_SUMS)
        if constexpr (IsNumber<decltype(total)>::value)
            if (sharers > 1 && count >= shared_sum_from) return shared_sum<decltype(total)>(sharers, count, f);
#endif
        for (decltype(count + 0) k = 0; k < count; ++k) total += f(int(k));
        return total;
    }

    // the sum of the values of all threads; here there is one thread
    template <class T> MH_FN T reduce(T value) const { return value; }

    // the sum of the threads before this one, and in `total` the sum of all threads
    MH_FN i64 preceding(i64 mine, i64& total) const {
        total = mine;
        return 0;
    }

    // the least value of all threads
    template <class T> MH_FN T least(T value) const { return value; }

    // a k < count for which f(k) holds, or -1
    template <class F> MH_FN i64 some(i64 count, F f) const {
        for (i64 k = 0; k < count; ++k)
            if (f(k)) return k;
        return -1;
    }

    // f(team, lane) for each lane that asks for it
    template <class F> MH_FN void in_turn(bool asks, F f) const {
        if (asks) f(*this, 0);
    }

    // the bit k of `words` becomes `yes`; one after the other, from 0 on
    MH_FN static void mark(u32* words, i64 k, bool yes) {
        if (k % 32 == 0) words[k / 32] = 0;
        words[k / 32] |= u32(yes) << k % 32;
    }

    // f(team, k) for every k < count
    template <class F> MH_FN void by_warps(i64 count, F f) const {
        for (i64 k = 0; k < count; ++k) f(*this, k);
    }
    template <class F> MH_FN void by_last_warps(i64 count, F f) const { by_warps(count, f); }

    // whether a thread says yes; the value that precedes all others; the value of a thread
    MH_FN bool any(bool yes) const { return yes; }
    template <class T, class P> MH_FN T first_of(T mine, P) const { return mine; }
    template <class T> MH_FN T told(T mine, i64) const { return mine; }
    MH_FN int first(bool yes) const { return !yes; }
    template <class T> MH_FN int leader(T, i64) const { return 0; }
    MH_FN int place_in_line(bool asks, int, int& total) const {
        total = asks;
        return asks - 1;
    }

    // the inner product of two differences of rows, padding included
    template <class A, class B, class C, class D>
    MH_FN Number dot(RowDifference<A, B> left, RowDifference<C, D> right) const {
        typedef typename A::stored_type S;
        typedef typename C::stored_type T;
        const int shorter = left.a.padded < right.a.padded ? left.a.padded : right.a.padded;
        const int padded = shorter & ~31;  // longer rows are padded to whole vectors, which the compiler now knows
        const S* __restrict__ p = left.a.entries.first, * __restrict__ q = left.b.entries.first;
        const T* __restrict__ r = right.a.entries.first, * __restrict__ s = right.b.entries.first;
        Number total = 0;
        for (int k = padded; k < shorter; ++k) total += (Number(p[k]) - Number(q[k])) * (Number(r[k]) - Number(s[k]));
        if constexpr (sizeof(S) == 2 && sizeof(T) == 2 && Same<Number, i32>::value) {
            for (int k = 0; k < padded; ++k) {
                i16 x = i16(p[k] - q[k]), y = i16(r[k] - s[k]);
                total += i32(x) * y;
            }
        } else {
            for (int k = 0; k < padded; ++k) total += (Number(p[k]) - Number(q[k])) * (Number(r[k]) - Number(s[k]));
        }
        return total;
    }

    // f(index, move) for every move of the team's share, group by group
    template <class N, class F> MH_FN void visit(const N& neighborhood, F f) const {
        for (i64 g = 0, groups = neighborhood.groups(); g < groups && !cancelled(); ++g) {
            const i64 first = neighborhood.first(g);
            with_row(neighborhood, g, [=](const auto& row) {
                const i64 length = row.length();
                const int from = int(length * league_rank / league_size);
                const int to = int(length * (league_rank + 1) / league_size);
#pragma GCC ivdep
                for (int k = from; k < to; ++k) f(first + k, row.move(k));
            });
        }
    }

    // f(index, move) for the team's share of the indices from ... to - 1, as nested loops over groups
    template <class N, class F> MH_FN void enumerate(const N& neighborhood, i64 from, i64 to, F f) const {
        i64 k, end;
        if (!share(from, to, k, end)) return;
        const i64 begin = neighborhood.group(neighborhood.unrank(k));
        i64 first = neighborhood.first(begin);
        for (i64 g = begin; k < end && !cancelled(); ++g) {
            const int from = int(k - first);
            int stop = 0;
            with_row(neighborhood, g, [&](const auto& row) {
                const i64 left = end - first, base = first;
                const int length = row.length(), to = left < length ? int(left) : length;
#pragma GCC ivdep
                for (int at = from; at < to; ++at) f(base + at, row.move(at));
                stop = to;
            });
            first = k = first + stop;  // groups follow one another
        }
    }

    // f(team, group) for the team's share of the groups from ... to - 1
    template <class N, class F> MH_FN void groups(const N&, i64 from, i64 to, F f) const {
        for (i64 g = from + league_rank; g < to && !cancelled(); g += league_size) f(*this, g);
    }

    // f(team, run) for the team's share of the groups from ... to - 1, whole groups
    template <class N, class F> MH_FN void runs(const N& neighborhood, i64 from, i64 to, F f) const {
        groups(neighborhood, from, to, [&](Team, i64 g) { f(*this, Run{g, 0, neighborhood.length(g)}); });
    }

    // f(team) by the threads that share a group
    template <class F> MH_FN void one_tile(F f) const { f(*this); }

    // f(team, index, move) for every move that shares an attribute with a move
    template <class N, class Move, class F> MH_FN void around(const N& neighborhood, Move move, F f) const {
        each_touched(neighborhood, move, [&](i64 k, Move other) { f(*this, k, other); });
    }

    // the move of lowest score, the one of lowest index among equals, of the team's share; delta(index, move) is its
    // change of cost, score(index, delta) its score
    template <class N, class D, class S> MH_FN EvaluatedMove best(const N& neighborhood, D delta, S score) const {
        EvaluatedMove best = no_move();
        for (i64 g = 0, groups = neighborhood.groups(); g < groups && !cancelled(); ++g) {
            const i64 first = neighborhood.first(g);
            with_row(neighborhood, g, [&](const auto& row) {
                const i64 length = row.length();
                const int from = int(length * league_rank / league_size);
                best_of_run(row, first, from, int(length * (league_rank + 1) / league_size), delta, score, best);
            });
        }
        return best;
    }

    // the same where the changes of cost of all moves lie in a table
    template <class N, class S>
    MH_FN EvaluatedMove best_in_table(const N& neighborhood, const Cost* deltas, S score) const {
        return best(neighborhood, [=](i64 k, auto) { return deltas[k]; }, score);
    }

    // the same of the indices from ... to - 1
    template <class N, class D, class S>
    MH_FN EvaluatedMove best_of(const N& neighborhood, i64 from, i64 to, D delta, S score) const {
        EvaluatedMove best = no_move();
        i64 k, end;
        if (!share(from, to, k, end)) return best;
        const i64 begin = neighborhood.group(neighborhood.unrank(k));
        i64 first = neighborhood.first(begin);
        for (i64 g = begin; k < end && !cancelled(); ++g) {
            const int from = int(k - first);
            int stop = 0;
            with_row(neighborhood, g, [&](const auto& row) {
                const i64 left = end - first;
                const int length = row.length();
                stop = left < length ? int(left) : length;
                best_of_run(row, first, from, stop, delta, score, best);
            });
            first = k = first + stop;
        }
        return best;
    }

    // the admitted move of lowest score, among equals the one of lowest tag(index), of the team's share;
    // admits(index, move, delta) is called only for moves that would be chosen, so that it may take long
    template <class N, class D, class S, class T, class A>
    MH_FN EvaluatedMove best_admitted(const N& neighborhood, D delta, S score, T tag, A admits) const {
        EvaluatedMove best = no_move();
        for (i64 g = 0, groups = neighborhood.groups(); g < groups && !cancelled(); ++g) {
            const i64 first = neighborhood.first(g), length = neighborhood.length(g);
            const int from = int(length * league_rank / league_size),
                      to = int(length * (league_rank + 1) / league_size);
            const auto scored = [=](int k) {
                const auto move = neighborhood.move(g, k);
                return score(first + k, move, delta(first + k, move));
            };
            Cost low = Never<Cost>::value;
            for (int k = from; k < to; ++k) {
                const Cost s = scored(k);
                low = s < low ? s : low;
            }
            if (low > best.score || low == Never<Cost>::value) continue;
            for (int k = from; k < to; ++k) {
                const auto move = neighborhood.move(g, k);
                const Cost d = delta(first + k, move);
                const Cost s = score(first + k, move, d);
                if (s > best.score) continue;
                const EvaluatedMove other{s, d, tag(first + k)};
                if (precedes(other, best) && admits(first + k, move, d)) best = other;
            }
        }
        return best;
    }

    // the same
    template <class N, class D, class S, class T, class A>
    MH_FN EvaluatedMove best_by_formula(const N& neighborhood, D delta, S score, T tag, A admits) const {
        return best_admitted(neighborhood, delta, score, tag, admits);
    }

    // the best of all threads of the team; here there is one thread
    MH_FN EvaluatedMove reduce_best(EvaluatedMove found) const { return found; }

    // the best of the league that shares a walk; here a team has a walk alone
    MH_FN EvaluatedMove agree(EvaluatedMove best, u64&) const { return best; }
    MH_FN void meet(u64&) const {}

private:
    // the team's share of a range; false if it is empty
    MH_FN bool share(i64 from, i64 to, i64& begin, i64& end) const {
        const i64 each = (to - from) / league_size, rest = (to - from) % league_size;
        begin = from + each * league_rank + rest * league_rank / league_size;
        end = from + each * (league_rank + 1) + rest * (league_rank + 1) / league_size;
        return begin < end;
    }

    // the best move of a run in a group: its score, then its place, by two vector loops
    template <class R, class D, class S>
    MH_FN static void best_of_run(const R& row, i64 first, int from, int to, D delta, S score, EvaluatedMove& best) {
        auto scored = [=](int k) { return score(first + k, delta(first + k, row.move(k))); };
        Cost low = Never<Cost>::value;
        for (int k = from; k < to; ++k) {
            const Cost s = scored(k);
            low = s < low ? s : low;
        }
        if (low < best.score) {
            int k = from;
            while (scored(k) != low) ++k;
            best = {low, delta(first + k, row.move(k)), first + k};
        }
    }
};

MH_FN Team one_team() { return Team{}; }

// a value that all threads of a team need, read once
template <class T> MH_FN T fetch(Team, const T* from) { return *from; }

// f(team, number) for several teams, each with its share of a neighborhood, by any number of threads
template <class F> MH_FN void in_parallel(int teams, F f) {
#ifdef _OPENMP
    if (teams > 1) {
#pragma omp parallel for num_threads(teams) schedule(static, 1)
        for (int t = 0; t < teams; ++t) {
            Team team;
            team.league_rank = t;
            team.league_size = teams;
            f(team, i64(t));
        }
        return;
    }
#endif
    f(Team{}, i64(0));
}

// f(team, number) as above, and then g(team)
template <class F, class G> MH_FN void in_parallel(int teams, u32*, F f, G g) {
    in_parallel(teams, f);
    g(one_team());
}
