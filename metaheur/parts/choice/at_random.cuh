struct AtRandom : AtRandomData {
    MH_FN Draw next(i64 size, Walk& walk) const {
        const Words words = walk.random(trial_stream).words(0);
        return {scaled(words.word[0], words.word[1], size), words.word[2]};
    }
};
