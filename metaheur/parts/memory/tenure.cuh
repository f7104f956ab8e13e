struct Tenure : TenureData {
    MH_FN i64 draw(u32 bits, i64 n) const {
        const i64 shortest = low.floor_times(n) + low_plus, longest = high.ceil_times(n) + high_plus;
        return shortest + i64(high_word(u64(bits) << 32, u64(longest - shortest + 1)));
    }
};
