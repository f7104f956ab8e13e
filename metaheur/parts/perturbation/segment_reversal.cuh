struct SegmentReversal : SegmentReversalData {
    template <class F> MH_FN void reversals(Random random, F f) const {
        const Words words = random.words(0);
        const u64 most = u64(length < n - 1 ? length : n - 1);
        const int items = 2 + int(words.word[0] * (most - 1) >> 32);
        const int begin = 1 + int(words.word[1] * u64(n - items) >> 32);
        f(begin, begin + items - 1);
    }

    template <class Make> MH_FN i64 perturb(Walk& walk, Make make) { return reverse_segments(*this, walk, make); }
};
