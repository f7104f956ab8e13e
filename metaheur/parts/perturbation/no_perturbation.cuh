struct NoPerturbation : NoPerturbationData {
    template <class Make> MH_FN i64 perturb(Walk&, Make) const { return 0; }
};
