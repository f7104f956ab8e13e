struct NewBest : NewBestData {
    template <class Count> MH_FN bool aspires(Cost delta, Cost gap, Count expiry, Count iteration) const {
        return (delta < gap) & (expiry < iteration);
    }
};
