// Chooses random members by the first steps of a shuffle.
struct RandomMembers : RandomMembersData {
    template <class Front> MH_FN i64 choose(Team team, const Front&, i64 free, i64* out, double*, Random random) const {
        const i64 chosen = count < free ? count : free;
        if (team.rank == 0) {
            for (i64 k = 0; k < chosen; ++k) {
                const i64 other = k + random.index(u32(k), free - k), held = out[k];
                out[k] = out[other];
                out[other] = held;
            }
        }
        team.sync();
        return chosen;
    }
};
