struct NearParents : NearParentsData {
    template <class Costs> MH_FN i64 parent(Team, const Costs&, i64 size, Random random, u32 number) const {
        const i64 first = random.index(0, size);
        return number == 0 ? first : i64(neighbors(first, random.index(number << 16, neighbors.columns)));
    }
};
