struct InStrides : InStridesData {
    MH_FN Draw next(i64 size, Walk& walk) {
        i64 k = at + stride;
        k -= k >= size ? size : 0;
        if (left <= 0 || left >= size || k < 0 || k >= size) {  // a new sweep
            const Words words = walk.random(trial_stream).words(0);
            k = scaled(words.word[0], words.word[1], size);
            stride = coprime(1 + i64(high_word(u64(words.word[2]) << 32, u64(size - 1))), size);
            left = size;
        }
        at = k;
        left = left - 1;
        return {k, walk.shared_word(sweep_stream)};
    }

    // the largest number up to `most` that has no divisor in common with `size`
    MH_FN static i64 coprime(i64 most, i64 size) {
        for (;; --most) {
            i64 a = size, b = most;
            while (b) {
                const i64 rest = a % b;
                a = b;
                b = rest;
            }
            if (a == 1) return most;
        }
    }
};
