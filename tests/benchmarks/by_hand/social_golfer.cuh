struct SocialGolfer : SocialGolferData {
    MH_FN int meetings(const Item* x, int one, int other) const {
        int met = 0;
        for (int week = 0; week < weeks; ++week) met += x[week * golfers + one] == x[week * golfers + other];
        return met;
    }
    MH_FN Cost delta(Team team, const Item* x, SubstitutionMove m) const {
        const int week = m.at / golfers, golfer = m.at % golfers, before = x[m.at],
                  after = (before + m.shift) % m.values;
        return team.sum(golfers, [&](int other) -> Cost {
            const int group = x[week * golfers + other];
            Cost change = 0;
            if (group == after) change += 2 + int(meetings(x, golfer, other) > 0);
            else if (group == before && other != golfer) change -= 2 + int(meetings(x, golfer, other) > 1);
            return change;
        });
    }
};
