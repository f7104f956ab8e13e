struct RandomParents : RandomParentsData {
    template <class Costs> MH_FN i64 parent(Team, const Costs&, i64 size, Random random, u32 number) const {
        return random.index(number << 16, size);
    }
};
