// The places of a walk's arrays: with those of all walks in global memory, or in memory of the team.

// Kept arrays get their places; arrays in the team's memory have no contents yet.
struct Placing {
    Team team;
    i64 walk;
    Arena& own;

    template <class A> MH_FN void operator()(A&) const {}
    template <class T, int place, bool divided> MH_FN void operator()(KeptVector<T, place, divided>& array) const {
        put(array);
    }
    template <class T, int place, bool divided> MH_FN void operator()(KeptMatrix<T, place, divided>& array) const {
        put(array);
    }
    template <class T> MH_FN void operator()(ScratchMatrix<T>& array) const {
        if (MH_OWN_SCRATCH) array.data = own.template take<T>(i64(array.rows) * array.stride * (team.size / MH_LANES));
    }

    template <class A> MH_FN void put(A& array) const {
        typedef typename A::stored_type T;
        const bool divided = A::divided && A::place != Own;
        const i64 replica = divided ? walk : walk * team.league_size + team.league_rank;
        if (array.home) array.home += replica * array.stored();
        array.data = A::place == Own ? own.template take<T>(array.stored()) : array.home;
    }
};

// Kept numbers are loaded into registers, and stored again.
struct LoadingNumbers {
    i64 walk;

    template <class A> MH_FN void operator()(A&) const {}
    template <class T> MH_FN void operator()(Kept<T>& number) const { number.value = number.home[walk]; }
};

struct SavingNumbers {
    i64 walk;

    template <class A> MH_FN void operator()(A&) const {}
    template <class T> MH_FN void operator()(Kept<T>& number) const { number.home[walk] = number.value; }
};

// Arrays in the team's memory are copied from home, and back; a table that the loop does not use has no home.
template <bool saves> struct Carrying {
    Team team;

    template <class A> MH_FN void operator()(A&) const {}
    template <class T, bool divided> MH_FN void operator()(KeptVector<T, Own, divided>& array) const { carry(array); }
    template <class T, bool divided> MH_FN void operator()(KeptMatrix<T, Own, divided>& array) const { carry(array); }

    template <class A> MH_FN void carry(A& array) const {
        if (!array.home) return;
        auto* to = saves ? array.home : array.data;
        const auto* from = saves ? array.data : array.home;
        team.for_each(array.stored(), [=](i64 k) { to[k] = from[k]; });
    }
};
typedef Carrying<false> Loading;
typedef Carrying<true> Saving;
