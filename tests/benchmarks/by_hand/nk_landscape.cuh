struct NKLandscape : NKLandscapeData {
    MH_FN Cost delta(Team team, const Item* x, FlipMove<1> m) const {
        return team.sum(k + 1, [&](int back) -> Cost {
            const int i = m.at[0] < back ? m.at[0] - back + n : m.at[0] - back;
            int index = 0;
            for (int place = i; place <= i + k; ++place) index = 2 * index + x[place < n ? place : place - n];
            return table(i, index) - table(i, index ^ (1 << (k - back)));
        });
    }
};
