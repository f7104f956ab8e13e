struct Metropolis : MetropolisData {
    MH_FN double exponential(u32 bits) const { return ::exponential(bits, logarithms, ln2); }

    // no exponential number exceeds 22.2: at a low temperature, most deteriorations are refused before one is computed
    MH_FN bool accepts(Total delta, Total, Total, u32 draw) const {
        if (delta <= 0) return true;
        return double(delta) <= cooling.level * 22.5 && double(delta) <= cooling.level * exponential(draw);
    }

    MH_FN void record(Team, bool accepted, Total, Total) { cooling.record(accepted); }

    MH_FN bool ended() const { return cooling.over(); }
};
