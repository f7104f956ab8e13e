// Moves an array into the block's own memory if it is placed there, or to the block's own replica.
struct Settle {
    Team team;
    Arena arena;

    template <class A> MH_FN void read_only(A& array) {
        if constexpr (A::place == Shared) {
            auto* own = arena.take<typename A::stored_type>(array.stored());
            const auto* from = array.data;
            team.for_each(array.stored(), [&](i64 k) { own[k] = from[k]; });
            array.data = own;
        }
    }

    template <class A> MH_FN void kept(A& array, bool load) {
        typedef typename A::stored_type T;
        T* from = array.data;
        T* own = A::place == Shared ? arena.take<T>(array.stored()) : from + team.part * array.stored();
        if (own != from) team.for_each(array.stored(), [&](i64 k) { own[k] = load ? from[k] : T(0); });
        array.data = own;
    }

    template <class A> MH_FN void either(A& array) { read_only(array); }
    template <class T, int place> MH_FN void either(KeptVector<T, place>& array) { kept(array, false); }
    template <class T, int place> MH_FN void either(KeptMatrix<T, place>& array) { kept(array, false); }

    template <class T> MH_FN T* flat(T* from, i64 count, bool shared, bool load) {
        if (!shared) return from;
        T* own = arena.take<T>(count);
        if (load) team.for_each(count, [&](i64 k) { own[k] = from[k]; });
        return own;
    }
};

extern __shared__ __align__(16) char mh_arena[];

MH_ENTRY(scan) {
    __shared__ u64 epoch;
    __shared__ Chosen answer;
    Exchange* exchange = arguments->exchange;
    Team team{int(threadIdx.x), int(blockDim.x), int(blockIdx.x), int(gridDim.x), mh_slots, exchange, &epoch, &answer};
    Walker<Arguments> walker{*arguments, *arguments->control, team};
    Arguments& a = walker.a;
    Settle settle{team, {mh_arena}};
    if (team.rank == 0) epoch = 0;
    a.problem.each([&](auto& array) { settle.read_only(array); });
    a.state.each([&](auto& array) { settle.kept(array, false); });
    a.memory.each([&](auto& array) { settle.kept(array, true); });
    a.neighborhood.each([&](auto& array) { settle.either(array); });
    i64 size = a.neighborhood.size();
    bool fresh = walker.c.fresh;
    if (!MH_SHARED_SOLUTION && team.part) {
        team.for_each(a.problem.n, [&](i64 k) { a.x[i64(team.part) * a.problem.n + k] = arguments->x[k]; });
        a.x += i64(team.part) * a.problem.n;
    }
    a.x = settle.flat(a.x, a.problem.n, MH_SHARED_SOLUTION, true);
    a.table = settle.flat(a.table, size, MH_SHARED_TABLE, !fresh);
    a.until = settle.flat(a.until, size, MH_SHARED_UNTIL, !fresh);
    a.scratch += (i64(team.part) * team.size + team.rank) * a.problem.n;
    team.sync();
    prepare_state(a.problem, a.neighborhood, team, a.x, a.state);
    team.sync();
    if (fresh) walker.evaluate();

    walker.run();

    team.sync();
    if (MH_SHARED_TABLE) team.visit(a.neighborhood, [&](i64 k, auto) { arguments->table[k] = a.table[k]; });
    if (MH_SHARED_UNTIL && Memory::forbids)
        team.visit(a.neighborhood, [&](i64 k, auto) { arguments->until[k] = a.until[k]; });
    if (team.part == 0) {
        if (MH_SHARED_SOLUTION) team.for_each(a.problem.n, [&](i64 k) { arguments->x[k] = a.x[k]; });
        a.memory.each([&](auto& array) {
            if (array.data != array.home) team.for_each(array.stored(), [&](i64 k) { array.home[k] = array.data[k]; });
        });
        if (team.rank == 0) *arguments->control = walker.c;
    }
}
