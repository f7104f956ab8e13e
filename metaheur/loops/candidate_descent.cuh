// The exchanges that a neighborhood enumerates.
struct CandidateDescent : TourDescent<CandidateDescent, CandidateDescentData> {
    static constexpr int most_ends = 12;

    template <class Here, class Offer> MH_FN bool exchanges(Here& here, int item, Offer offer) const {
        return exchanges_of(neighborhood, here, item, offer);
    }
};
