// Activities are scheduled in the order of x, each as early as the activities before it and the resources let it
// begin. What is left of the resources at a time is packed into `words` words: a field for each resource, with a bit
// above it, which stays 1 as long as the field does not become negative. s.start(a) is when an activity begins.
struct RCPSP : RCPSPData {
    struct AsTheyAre {
        const Item* x;
        MH_FN int operator()(int k) const { return x[k]; }
    };
    struct Inserted {
        const Item* x;
        int from, to;
        MH_FN int operator()(int k) const {
            if (k == to) return x[from];
            if (from < to) return x[k + (k >= from && k < to)];
            return x[k - (k > to && k <= from)];
        }
    };

    // what is left at each time, up to the last one that was asked for
    struct Profile {
        i64 left[horizon][words];
        int known;
    };

    MH_FN void reach(Profile& profile, int end) const {
        for (; profile.known < end; ++profile.known)
            for (int w = 0; w < words; ++w) profile.left[profile.known][w] = i64(room(w));
    }
    MH_FN bool fits(const Profile& profile, int activity, int time) const {
        for (int w = 0; w < words; ++w)
            if (((profile.left[time][w] - i64(needs(activity, w))) & i64(guards(w))) != i64(guards(w))) return false;
        return true;
    }
    MH_FN void place(Profile& profile, int activity, int start) const {
        const int end = start + int(lasts(activity));
        reach(profile, end);
        for (int time = start; time < end; ++time)
            for (int w = 0; w < words; ++w) profile.left[time][w] -= i64(needs(activity, w));
    }
    // from `ready` on the first time at which the activity fits as long as it lasts
    MH_FN int earliest(Profile& profile, int activity, int ready) const {
        const int length = int(lasts(activity));
        for (int time = ready, end = ready + length; time < end; ++time) {
            if (time == profile.known) break;  // behind it everything is left
            if (!fits(profile, activity, time)) {
                ready = time + 1;
                end = ready + length;
            }
        }
        return ready;
    }
    template <class Starts> MH_FN int ready(const Starts& starts, int activity) const {
        int when = 0;
        for (int e = int(ahead_from(activity)); e < int(ahead_from(activity + 1)); ++e) {
            const int before = int(ahead(e)), end = starts[before] + int(lasts(before));
            when = end > when ? end : when;
        }
        return when;
    }

    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(1, [&](int) {
            int starts[activities];
            return Total(schedule(AsTheyAre{x}, starts));
        });
    }
    template <class At> MH_FN int schedule(At at, int* starts) const {
        Profile profile;
        profile.known = 0;
        int last = 0;
        for (int a = 0; a < activities; ++a) starts[a] = 0;
        for (int k = 0; k < activities; ++k) {
            const int a = at(k), start = earliest(profile, a, ready(starts, a)), end = start + int(lasts(a));
            place(profile, a, start);
            starts[a] = start;
            last = end > last ? end : last;
        }
        return last;
    }

    MH_FN Total violations(Team team, const Item* x) const { return wrong_pairs(*this, team, x); }
    template <class M> MH_FN bool feasible(Team, const Item* x, State s, M m) const {
        return keeps_order(*this, x, s, m);
    }

    MH_FN void init(Team team, const Item* x, State s) const {
        keep_places(*this, team, x, s);
        team.for_each(1, [&](int) {
            int starts[activities];
            s.span(0) = schedule(AsTheyAre{x}, starts);
            for (int a = 0; a < activities; ++a) s.start(a) = starts[a];
        });
        team.sync();
    }

    // The activities before the first changed place begin when they did; if those up to the last changed place do, too,
    // so do all others.
    MH_FN Cost delta(Team, const Item* x, State s, InsertionMove m) const {
        const Inserted at{x, m.i, m.j};
        const int first = m.i < m.j ? m.i : m.j, behind = m.i < m.j ? m.j : m.i;
        Profile profile;
        profile.known = 0;
        int starts[activities], last = 0;
        bool same = true;
        for (int a = 0; a < activities; ++a) starts[a] = int(s.start(a));
        for (int k = 0; k < activities; ++k) {
            if (k == behind + 1 && same) return 0;
            const int a = at(k), start = k < first ? starts[a] : earliest(profile, a, ready(starts, a));
            place(profile, a, start);
            same = same && start == starts[a];
            starts[a] = start;
            last = start + int(lasts(a)) > last ? start + int(lasts(a)) : last;
        }
        return Cost(last) - Cost(s.span(0));
    }
};
