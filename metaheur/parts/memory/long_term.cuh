struct LongTerm : LongTermData {
    // moves that expired before this iteration were absent for long
    template <class Count> MH_FN Count absent_before(Count iteration) const { return iteration - Count(longest); }

    template <class Count> MH_FN bool aspires(Cost delta, Cost gap, Count expiry, Count iteration) const {
        return (delta < gap) | (expiry < absent_before(iteration));
    }
};
