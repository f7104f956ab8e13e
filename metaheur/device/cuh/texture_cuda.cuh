// Data behind a texture object: each entry is a fetch.
template <class T> struct Address<T, Texture> {
    u64 object;
    i64 first;

    MH_FN Address operator+(i64 k) const { return {object, first + k}; }

    MH_FN T operator[](i64 k) const {
        const int at = int(first + k);
        if constexpr (sizeof(T) == 8) {  // textures have no entries of 64 bits, but pairs of 32 bits
            const int2 halves = tex1Dfetch<int2>(object, at);
            const u64 bits = u64(u32(halves.y)) << 32 | u32(halves.x);
            return reinterpret_cast<const T&>(bits);
        } else {
            return T(tex1Dfetch<typename Either<Same<T, bool>::value, u8, T>::type>(object, at));
        }
    }

    MH_FN u32 word(i64 k) const {
        static_assert(sizeof(T) <= sizeof(u32), "words are made of whole numbers of up to 32 bits");
        constexpr int each = sizeof(u32) / sizeof(T), bits = 8 * sizeof(T);
        u32 found = 0;
        for (int c = 0; c < each; ++c) found |= (u32((*this)[each * k + c]) & ~u32(0) >> (32 - bits)) << bits * c;
        return found;
    }
};
