struct Tenure : TenureData {
    MH_FN int draw(u32 bits, int n) const {
        i64 shortest = low.floor_times(n), longest = high.ceil_times(n);
        return int(shortest + i64(u64(bits) * u64(longest - shortest + 1) >> 32));
    }
};
