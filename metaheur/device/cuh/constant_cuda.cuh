// Data in constant memory, which is part of the unit: an address counts entries from its beginning.
template <class T> struct Address<T, Constant> {
    i64 first;

    MH_FN Address operator+(i64 k) const { return {first + k}; }
    MH_FN T operator[](i64 k) const { return reinterpret_cast<const T*>(mh_constants)[first + k]; }
    MH_FN u32 word(i64 k) const { return mh_constants[first * sizeof(T) / 4 + k]; }  // rows begin with whole words
};
