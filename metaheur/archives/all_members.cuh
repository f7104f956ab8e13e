// Chooses all members.
struct AllMembers : AllMembersData {
    template <class Front> MH_FN i64 choose(Team, const Front&, i64 free, i64*, double*, Random) const { return free; }
};
