struct SegmentShuffle : SegmentShuffleData {
    // Fisher and Yates' shuffle, from the top: two items change places by two reversals
    template <class F> MH_FN void reversals(Random random, F f) const {
        const int items = int(length < n - 1 ? length : n - 1);
        const int begin = 1 + int(random.integer(0, 0, n - items - 1));
        for (int k = items - 1; k > 0; --k) {
            const int other = int(random.integer(u32(k), 0, k));
            if (other < k) f(begin + other, begin + k);
            if (other + 1 < k - 1) f(begin + other + 1, begin + k - 1);
        }
    }

    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) { return reverse_segments(*this, walk, make); }
};
