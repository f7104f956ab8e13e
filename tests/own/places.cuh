struct Places : PlacesData {
    MH_FN Total cost(Team team, const Item* x) const {
        Total most = weights(x[0], x[n - 1]) / 3;
        for (int k = 1; k < n; ++k) most = weights(x[k], x[k - 1]) / 3 > most ? weights(x[k], x[k - 1]) / 3 : most;
        return most + team.sum(n, [&](int k) { return weights(x[k], k) % 7; });
    }
};
