struct Improving : ImprovingData {
    MH_FN bool accepts(Total delta, Total current, Total, u32) const {
        if constexpr (!IsDouble<Total>::value) return delta < 0;
        const double size = current < 0 ? -double(current) : double(current);
        return double(delta) < -(tolerance * (size > 1.0 ? size : 1.0));
    }
};
