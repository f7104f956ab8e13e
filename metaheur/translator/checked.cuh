// The operations of compiled methods in a check: the first error is remembered with its line, and results after it no
// longer matter.
struct PyFault {
    i64 line, value, bound;
    i64 kind;  // 1: an index, 2: a sum or product that is too large, 3: a number that does not fit, 4: division by zero
    const char *file, *what;
};
static PyFault mh_fault = {};

MH_FN bool py_sound() { return !mh_fault.kind; }
MH_FN void py_report(i64 kind, i64 value, i64 bound, const char* what, const char* file, i64 line) {
    if (!mh_fault.kind) mh_fault = PyFault{line, value, bound, kind, file, what};
}

MH_FN i64 py_checked_index(i64 k, i64 size, const char* what, const char* file, i64 line) {
    const i64 at = k < 0 ? k + size : k;
    if (0 <= at && at < size) return at;
    py_report(1, k, size, what, file, line);
    return 0;
}

MH_FN i64 py_divisor(i64 b, const char* file, i64 line) {
    if (b) return b;
    py_report(4, 0, 0, "", file, line);
    return 1;
}
MH_FN double py_divisor(double b, const char* file, i64 line) {
    if (b != 0) return b;
    py_report(4, 0, 0, "", file, line);
    return 1.0;
}
MH_FN i64 py_divisor(int b, const char* file, i64 line) { return py_divisor(i64(b), file, line); }

#define MH_CHECKING(name, builtin, sign)                                                     \
    template <class T> MH_FN T py_checked_##name(i64 a, i64 b, const char* file, i64 line) { \
        T made = 0;                                                                          \
        if (builtin(a, b, &made)) py_report(2, 8 * sizeof(T), a, sign, file, line);          \
        return made;                                                                         \
    }
MH_CHECKING(add, __builtin_add_overflow, "+")
MH_CHECKING(sub, __builtin_sub_overflow, "-")
MH_CHECKING(mul, __builtin_mul_overflow, "*")

template <class T> struct PyPlain { typedef T type; };
template <class T> struct PyPlain<T&> { typedef T type; };
template <class T> using py_plain = typename PyPlain<T>::type;

template <class T> MH_FN T py_checked_fit(i64 value, const char* file, i64 line) {
    if constexpr (!IsDouble<T>::value) {
        if (i64(T(value)) != value) py_report(3, value, 8 * sizeof(T), "", file, line);
    }
    return T(value);
}
