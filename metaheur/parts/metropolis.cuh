struct Metropolis : MetropolisData {
    // -ln((bits + 1) / 2**32): the leading one, a table and interpolation, all whole numbers
    MH_FN double exponential(u32 bits) const {
        const u64 word = u64(bits) + 1;
#ifdef __CUDACC__
        const int power = 63 - __clzll(i64(word));
#else
        const int power = 63 - __builtin_clzll(word);
#endif
        const u64 mantissa = word << (32 - power);
        const i64 place = i64(mantissa >> 24) - 256, rest = i64(mantissa & 0xFFFFFF);
        const i64 low = logarithms(place), logarithm = low + ((logarithms(place + 1) - low) * rest >> 24);
        return double(i64(32 - power) * ln2 - logarithm) * 0x1p-32;
    }

    // no exponential number exceeds 22.2: most deteriorations at a low temperature are refused without one
    MH_FN bool accepts(Total delta, Total, Total, u32 draw) const {
        if (delta <= 0) return true;
        return double(delta) <= cooling.level * 22.5 && double(delta) <= cooling.level * exponential(draw);
    }

    MH_FN void record(Team, bool accepted, Total, Total) { cooling.record(accepted); }

    MH_FN bool ended() const { return cooling.over(); }
};
