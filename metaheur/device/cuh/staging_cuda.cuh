// All threads of a block copy the read-only data that is placed in its shared memory, whatever the owners of walks are.
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
