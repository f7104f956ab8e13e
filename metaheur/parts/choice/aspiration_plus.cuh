struct AspirationPlus : AspirationPlusData {
    MH_FN bool good(Cost delta) const { return delta < threshold; }
    MH_FN i64 end(i64 first, i64 size) const {
        const i64 all = most > 0 && most < size ? most : size;
        if (first < 0) return all;
        const i64 some = first + 1 > all - plus ? all : first + 1 + plus;
        const i64 fewest = least < all ? least : all;
        return some > fewest ? some : fewest;
    }
};
