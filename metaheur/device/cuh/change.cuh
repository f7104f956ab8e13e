// Changes of cost: what is right, and how a wrong one is marked.

// A change of cost that is not a finite number becomes the lowest there is: the move is made at once, and Python sees
// it.
template <class T> MH_FN T as_number(T value) {
    if constexpr (IsDouble<T>::value) return value - value == 0 ? value : -Never<T>::value;
    else return value;
}

// The same of several objectives: all numbers become the lowest there is, so that no other cost covers this one.
template <class T, int K> MH_FN Objectives<T, K> as_number(Objectives<T, K> value) {
    if constexpr (IsDouble<T>::value)
        for (int k = 0; k < K; ++k)
            if (value.number[k] - value.number[k] != 0) return -Never<T>::value;
    return value;
}

// Whole costs lie between this and its negative, so that i64 holds every change of cost. Python knows the same.
constexpr i64 most_cost = i64(1) << 62;

// The change from one cost to another one. Where that is out of the range, or the type of a change of cost does not
// hold it, it becomes the lowest there is, as above: one of i64 leads to a cost out of the range.
template <class T> MH_FN Cost change_between(T before, T after) {
    if constexpr (Same<T, i64>::value) {
        const bool near = -most_cost < after && after < most_cost;
        const i64 change = (near ? after : -most_cost) - before;
        if constexpr (sizeof(Cost) == sizeof(i64)) return change;
        else return near && Cost(change) == change ? Cost(change) : -Never<Cost>::value - 1;
    } else {
        return as_number(Cost(after - before));
    }
}

// Of several objectives, all costs after the change become the lowest ones where one of them is out of the range.
template <class T, int K> MH_FN Objectives<T, K> change_between(Objectives<T, K> before, Objectives<T, K> after) {
    if constexpr (Same<T, i64>::value) {
        bool near = true;
        for (int k = 0; k < K; ++k) near &= -most_cost < after.number[k] && after.number[k] < most_cost;
        if (!near) after = -most_cost;
    }
    return as_number(after - before);
}
