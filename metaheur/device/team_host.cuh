// A team on the CPU is one thread. Several threads share a neighborhood by parts: each walks its share of every group.
struct Exchange;

struct Team {
    static constexpr int rank = 0, size = 1;
#ifdef _OPENMP
    int part = 0, parts = 1;
#else
    static constexpr int part = 0, parts = 1;
#endif

    MH_FN void sync() const {}
    MH_FN Team alone() const { return *this; }
    MH_FN i64 worker() const { return part; }

    // f(k) for every k < count; the calls are independent of each other
    template <class F> MH_FN void for_each(i64 count, F f) const {
#pragma GCC ivdep
        for (i64 k = 0; k < count; ++k) f(k);
    }

    template <class F> MH_FN auto sum(i64 count, F f) const {
        decltype(f(0)) total = 0;
        for (i64 k = 0; k < count; ++k) total += f(int(k));
        return total;
    }

    // the sum of (a[k] - b[k]) (c[k] - d[k]) over whole rows, padding included
    template <class A, class B> MH_FN Cost dot_of_differences(A a, A b, B c, B d) const {
        typedef typename A::stored_type S;
        typedef typename B::stored_type T;
        int padded = (a.padded < c.padded ? a.padded : c.padded) &
                     ~31;  // rows are padded to whole vectors, which the compiler now knows
        const S* __restrict__ p = a.at, * __restrict__ q = b.at;
        const T* __restrict__ r = c.at, * __restrict__ s = d.at;
        Cost total = 0;
        if constexpr (sizeof(S) == 2 && sizeof(T) == 2 && Same<Cost, i32>::value) {
            for (int k = 0; k < padded; ++k) {
                i16 x = i16(p[k] - q[k]), y = i16(r[k] - s[k]);
                total += i32(x) * y;
            }
        } else {
            for (int k = 0; k < padded; ++k) total += (Cost(p[k]) - Cost(q[k])) * (Cost(r[k]) - Cost(s[k]));
        }
        return total;
    }

    // f(index, move) for every move of the team's part, group by group
    template <class N, class F> MH_FN void visit(const N& neighborhood, F f) const {
        for (i64 g = 0, groups = neighborhood.groups(); g < groups; ++g) {
            i64 first = neighborhood.first(g), length = neighborhood.length(g);
            i64 from = length * part / parts, to = length * (part + 1) / parts;
#pragma GCC ivdep
            for (i64 k = from; k < to; ++k) f(first + k, neighborhood.move(g, int(k)));
        }
    }

    // f(index, move) for the team's part of the indices from ... to - 1, as nested loops over groups
    template <class N, class F> MH_FN void enumerate(const N& neighborhood, i64 from, i64 to, F f) const {
        i64 count = to - from;
        i64 k = from + count / parts * part + (count % parts) * part / parts;
        i64 end = part + 1 == parts ? to : from + count / parts * (part + 1) + (count % parts) * (part + 1) / parts;
        if (k >= end) return;
        for (i64 g = neighborhood.group(neighborhood.unrank(k)); k < end; ++g) {
            const i64 first = neighborhood.first(g), left = end - first;
            const int length = neighborhood.length(g), stop = left < length ? int(left) : length;
#pragma GCC ivdep
            for (int at = int(k - first); at < stop; ++at) f(first + at, neighborhood.move(g, at));
            k = first + stop;
        }
    }

    // the move of lowest score and lowest index of the team's part: a minimum for each group, then its place
    template <class N, class D, class S> MH_FN Found best(const N& neighborhood, D delta, S score) const {
        Best best = argmin(neighborhood, [=](i64, auto m) { return score(delta(m)); });
        if (best.index < 0) return {Never<Cost>::value, 0, -1};
        return {best.score, delta(neighborhood.unrank(best.index)), best.index};
    }

    // f(team, group) for the team's part of the groups from ... to - 1
    template <class N, class F> MH_FN void groups(const N&, i64 from, i64 to, F f) const {
        for (i64 g = from + part; g < to; g += parts) f(*this, g);
    }

    // f(team, index, move) for every move that shares an attribute with a move
    template <class N, class Move, class F> MH_FN void around(const N& neighborhood, Move move, F f) const {
        for (i64 t = 0, touched = neighborhood.touched(); t < touched; ++t) {
            Move other;
            if (neighborhood.around(move, t, other)) f(*this, neighborhood.index(other), other);
        }
    }

    // the move of lowest score and lowest index: a minimum for each group, then its place, two vector loops
    template <class N, class F> MH_FN Best argmin(const N& neighborhood, F score) const {
        Best best{Never<Cost>::value, -1};
        for (i64 g = 0, groups = neighborhood.groups(); g < groups; ++g) {
            const i64 first = neighborhood.first(g), length = neighborhood.length(g);
            const int from = int(length * part / parts), to = int(length * (part + 1) / parts);
            Cost low = Never<Cost>::value;
            for (int k = from; k < to; ++k) {
                const Cost s = score(first + k, neighborhood.move(g, k));
                low = s < low ? s : low;
            }
            if (low < best.score) {
                int k = from;
                while (score(first + k, neighborhood.move(g, k)) != low) ++k;
                best = {low, first + k};
            }
        }
        return best;
    }

    MH_FN Found lowest(Found found) const { return found; }

    // the best of all parts of a walk: here a walk is one part
    template <class F> MH_FN Chosen across(Best best, F delta) const {
        return {best.index, best.index < 0 ? Cost(0) : delta(best.index)};
    }
};

MH_FN Team one_team() { return Team{}; }

// f(team, thread) in several threads, each with its part of the neighborhood
template <class F> MH_FN void in_parallel(int parts, F f) {
#ifdef _OPENMP
    if (parts > 1) {
#pragma omp parallel num_threads(parts)
        {
            Team team;
            team.part = omp_get_thread_num();
            team.parts = omp_get_num_threads();
            f(team, i64(team.part));
        }
        return;
    }
#endif
    f(Team{}, i64(0));
}
