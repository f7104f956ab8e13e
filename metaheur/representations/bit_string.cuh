struct BitString : BitStringData {
    MH_FN void draw(Team team, Item* x, Random random) const { draw_values(team, x, n, 2, random); }
};
