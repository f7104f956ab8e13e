// Keeps all members.
struct Unbounded : UnboundedData {
    template <class Costs> MH_FN i64 worst(Team, Costs, i64, double*) const { return -1; }
};
