struct NoCrossover : NoCrossoverData {
    MH_FN void cross(Team, Item*, const Item*, Random) const {}
};
