struct InSweeps : InSweepsData {
    MH_FN Draw next(i64 size, Walk& walk) {
        const i64 k = at < size ? i64(at) : 0;
        at = k + 1;
        return {k, walk.shared_word(sweep_stream)};
    }
};
