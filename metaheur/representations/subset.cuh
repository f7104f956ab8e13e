struct Subset : SubsetData {
    MH_FN void draw(Team team, Item* x, Random random) const { draw_permutation(team, x, n, random); }
};
