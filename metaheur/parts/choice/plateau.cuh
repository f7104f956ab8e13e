struct Plateau : PlateauData {
    MH_FN void init(Walk& walk) { present = walk.cost; }
    MH_FN bool accepts(Total delta, Total, Total, u32) const { return delta < 0 || (delta == 0 && level < limit); }
    MH_FN void record(Team, bool accepted, Total cost, Total) {
        level = cost < present ? 0 : level + accepted;
        present = cost;
    }
};
