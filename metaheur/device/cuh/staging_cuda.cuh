// Read-only data is copied into a block's memory, where it is placed there: by all its threads, whoever owns the walks.
struct Staging {
    Arena& common;

    template <class A> MH_FN void operator()(A&) const {}
    template <class V, class S> MH_FN void operator()(Vector<V, S, Shared>& array) const { stage(array); }
    template <class V, class S> MH_FN void operator()(Matrix<V, S, Shared>& array) const { stage(array); }

    template <class A> MH_FN void stage(A& array) const {
        typedef typename A::stored_type S;
        S* own = common.template take<S>(array.stored());
        const S* from = array.data.first;
        for (i64 k = threadIdx.x; k < array.stored(); k += MH_THREADS) own[k] = from[k];
        array.data.first = own;
    }
};
