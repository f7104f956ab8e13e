// Chooses the first members: they are in the order in which they entered.
struct OldestMembers : OldestMembersData {
    template <class Front> MH_FN i64 choose(Team, const Front&, i64 free, i64*, double*, Random) const {
        return count < free ? count : free;
    }
};
