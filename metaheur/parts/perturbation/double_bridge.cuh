struct DoubleBridge : DoubleBridgeData {
    struct Lengths { int b, c, d; };

    MH_FN static int part_of(u32 word, i64 count) { return int(u64(word) * u64(count) >> 32); }

    // in one place
    MH_FN Lengths somewhere(Words words) const {
        const i64 third = (n - 2) / 3, most = length < third ? length : third;
        return {1 + part_of(words.word[0], most), 2 + part_of(words.word[1], most - 1),
                1 + part_of(words.word[2], most)};
    }

    // by three of n - 3 cuts, after which A and C get one more item each
    MH_FN Lengths anywhere(Words words) const {
        const int first = 1 + part_of(words.word[0], n - 3);
        int second = 1 + part_of(words.word[1], n - 4), third = 1 + part_of(words.word[2], n - 5);
        second += second >= first;
        const int low = first < second ? first : second, high = first < second ? second : first;
        third += third >= low;
        third += third >= high;
        if (third < low) return {low - third, high - low + 1, n - 2 - high};
        if (third < high) return {third - low, high - third + 1, n - 2 - high};
        return {high - low, third - high + 1, n - 2 - third};
    }

    template <class F> MH_FN void reversals(Random random, F f) const {
        const Words words = random.words(0);
        const bool global = length < 0 || (share > 0 && double(random.bits(1)) < share * 0x1p32);
        const Lengths s = global ? anywhere(words) : somewhere(words);
        const int all = s.b + s.c + s.d;
        int begin = 1 + part_of(words.word[3], n - all);
        MH_ROLLED
        for (int k = 0; k < 4; ++k) {  // B C D as a whole, then D, C and B
            const int length = k == 0 ? all : k == 1 ? s.d : k == 2 ? s.c : s.b;
            f(begin, begin + length - 1);
            if (k > 0) begin += length;
        }
    }

    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) { return reverse_segments(*this, walk, make); }
};
