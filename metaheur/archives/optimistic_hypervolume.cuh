// Chooses the members around which the hypervolume might grow most, the oldest among equals.
struct OptimisticHypervolume : OptimisticHypervolumeData {
    template <class Front>
    MH_FN i64 choose(Team team, const Front& front, i64 free, i64* out, double* work, Random) const {
        team.for_each(front.count, [=](i64 i) { work[i] = -worth(front, i); });
        team.sync();
        return take_lowest(team, work, free, count, out);
    }

    template <class Front> MH_FN static double worth(const Front& front, i64 i) {
        i64 left = -1, right = -1;  // the neighbors: no two members are equal in the first of two objectives
        for (i64 j = 0; j < front.count; ++j) {
            const Number x = front.costs(j)[0];
            if (x < front.costs(i)[0] && (left < 0 || x > front.costs(left)[0])) left = j;
            if (x > front.costs(i)[0] && (right < 0 || x < front.costs(right)[0])) right = j;
        }
        const double worth = gap(front, left, i) + gap(front, i, right);
        return left < 0 || right < 0 ? worth * 2 : worth;
    }

    template <class Front> MH_FN static double gap(const Front& front, i64 a, i64 b) {
        if (a < 0 || b < 0) return 0;
        return (double(front.costs(b)[0]) - double(front.costs(a)[0])) *
               (double(front.costs(a)[1]) - double(front.costs(b)[1]));
    }
};
