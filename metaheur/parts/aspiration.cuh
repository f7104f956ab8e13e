struct Aspiration : AspirationData {
    MH_FN bool enabled() const { return long_term > 0; }
    MH_FN bool due(i64 expiry, i64 iteration) const { return enabled() & (expiry < iteration - long_term); }
};
