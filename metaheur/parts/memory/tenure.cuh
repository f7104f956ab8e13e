struct Tenure : TenureData {
    MH_FN i64 draw(u32 bits, i64 n) const {
        const i64 a = low.numerator * n, b = high.numerator * n + high.denominator - 1;
        i64 shortest, longest;
        if ((u64(a) | u64(b) | u64(low.denominator) | u64(high.denominator)) >> 32 == 0) {  // 32 bits divide sooner
            shortest = u32(a) / u32(low.denominator);
            longest = u32(b) / u32(high.denominator);
        } else {
            shortest = a / low.denominator;
            longest = b / high.denominator;
        }
        shortest += low_plus;
        longest += high_plus;
        return shortest + i64(high_word(u64(bits) << 32, u64(longest - shortest + 1)));
    }
};
