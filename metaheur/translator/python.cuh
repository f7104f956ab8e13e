// Python's operators, as far as those of C++ have another meaning.
template <class A, class B> MH_FN auto py_min(A a, B b) { return b < a ? b : a; }
template <class A, class B> MH_FN auto py_max(A a, B b) { return b > a ? b : a; }
template <class A> MH_FN auto py_abs(A a) {
    if constexpr (IsDouble<A>::value) return fabs(a);
    else return a < 0 ? -a : +a;
}

// the cost of several objectives
template <class C, class... N> MH_FN C py_several(N... numbers) {
    C made;
    int k = 0;
    ((made[k++] = numbers), ...);
    return made;
}

// an index; a negative one counts from the end; without a branch, so that loops become vector code
template <class A> MH_FN A py_index(A k, int size) { return A(k + (size & (k >> (8 * sizeof(A) - 1)))); }

// an end of a slice: a negative one counts from the end; it is limited to the array
template <class A> MH_FN int py_end(A k, int size) {
    const A end = k < 0 ? A(k + size) : k;
    return end < 0 ? 0 : end > size ? size : int(end);
}

// division rounds down; the remainder has the sign of the divisor
MH_FN double py_mod(double a, double b) {
    const double rest = fmod(a, b);
    if (rest == 0) return copysign(0.0, b);
    return (b < 0) != (rest < 0) ? rest + b : rest;
}
MH_FN double py_div(double a, double b) {
    double rest = fmod(a, b), quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1.0;
    if (quotient == 0) return copysign(0.0, a / b);
    const double down = floor(quotient);
    return quotient - down > 0.5 ? down + 1.0 : down;
}
template <class A, class B> MH_FN auto py_div(A a, B b) {
    const auto quotient = a / b;
    return quotient - ((a % b != 0) & ((a < 0) != (b < 0)));
}
template <class A, class B> MH_FN auto py_mod(A a, B b) {
    const auto rest = b == -1 ? 0 : a % b;  // dividing the least number by -1 overflows
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
// the remainder of a positive divisor: most are of indices that go around, and need no division
template <class A, class B> MH_FN auto py_around(A a, B b) {
    const decltype(a % b) near = a < 0 ? a + b : a;
    if (0 <= near && near < b) return near;
    const decltype(a % b) rest = a % b;
    return rest < 0 ? rest + b : rest;
}

MH_FN i64 py_left(i64 a, i64 by) { return by > 63 ? 0 : i64(u64(a) << by); }
MH_FN i64 py_right(i64 a, i64 by) { return a >> (by > 63 ? 63 : by); }

MH_FN i64 py_floor(double a) { return i64(floor(a)); }
MH_FN i64 py_ceil(double a) { return i64(ceil(a)); }
MH_FN i32 py_isqrt(i32 a) {
    const i32 root = i32(sqrtf(float(a)) - 0.01f);  // right, or one too small: the error of the float is below 0.005
    return root + (a - root * root > 2 * root);
}
MH_FN i64 py_isqrt(i64 a) {
    i64 root = i64(sqrt(double(a)));
    root -= root > 3037000499LL || root * root > a;
    root += root < 3037000499LL && (root + 1) * (root + 1) <= a;
    return root;
}

// int(math.sqrt(a) + 0.5), TSPLIB's rounding, of whole numbers: the error of the float root is below 0.005, so that the
// root, rounded down a little early, is right or one too small
MH_FN i32 py_rounded_root(i32 a) {
    const u32 root = u32(i32(sqrtf(float(a)) + 0.49f));
    return i32(root + (u32(a) > root * root + root));
}
MH_FN i64 py_rounded_root(i64 a) { return i64(sqrt(double(a)) + 0.5); }

// compares a whole number with a float exactly: -1, 0 or 1; 2 if the float is not a number
MH_FN int py_compare(i64 a, double b) {
    if (b != b) return 2;
    if (b >= 9223372036854775808.0) return -1;
    if (b < -9223372036854775808.0) return 1;
    const i64 whole = i64(b);
    if (a != whole) return a < whole ? -1 : 1;
    const double rest = b - double(whole);
    return rest > 0 ? -1 : rest < 0 ? 1 : 0;
}
MH_FN bool py_within(int a, int low, int high) { return low <= a && a <= high; }

// the length of range(low, high, step)
MH_FN u64 py_count(i64 low, i64 high, i64 step) {
    if (step > 0) return high > low ? (u64(high) - u64(low) - 1) / u64(step) + 1 : 0;
    return low > high ? (u64(low) - u64(high) - 1) / (0 - u64(step)) + 1 : 0;
}

// the k-th number of a range; if k has 32 bits, only the last 32 bits are right so far
MH_FN i64 py_counted(i64 low, i64 k, i64 step) { return i64(u64(low) + u64(k) * u64(step)); }

// the sum of f(k) over low <= k < high without k = a and k = b: one thread skips these, a team tests each k
template <class T, class F> MH_FN T py_sum_without(Team team, i64 low, i64 high, i64 a, i64 b, F f) {
    if (team.size > 1)
        return team.sum(high - low,
                        [&](int k) -> T { return low + k == a || low + k == b ? T(0) : T(f(int(low) + k)); });
    const i64 first = py_min(py_max(py_min(a, b), low - 1), high), second = py_min(py_max(py_max(a, b), first), high);
    const i64 middle = first + 1, last = second + 1;
    T total = team.sum(first - low, [&](int k) -> T { return f(int(low) + k); });
    total += team.sum(second - middle, [&](int k) -> T { return f(int(middle) + k); });
    return total + team.sum(high - last, [&](int k) -> T { return f(int(last) + k); });
}

// an inner product over 0 <= k < n without its terms a and b
template <class T, class F> MH_FN T py_less(T product, i64 n, i64 a, i64 b, F f) {
    if (0 <= a && a < n) product -= f(int(a));
    if (0 <= b && b < n && b != a) product -= f(int(b));
    return product;
}

// sum() of floats: from left to right, and since Python 3.12 with Neumaier's compensation (ZAMM 54, 1974)
template <bool compensated> struct PyFloatSum {
    double total = 0.0, lost = 0.0;

    MH_FN void add(double x) {
        const double next = total + x;
        if (compensated) lost += fabs(total) >= fabs(x) ? (total - next) + x : (x - next) + total;
        total = next;
    }
    MH_FN double value() const { return compensated && lost != 0 && lost - lost == 0 ? total + lost : total; }
};

// the greatest number of a signed type
template <class T> MH_FN constexpr T py_greatest() { return T((u64(1) << (8 * sizeof(T) - 1)) - 1); }

// min() and max() of a generator of floats, and in a check: the first of equals; the result of an empty one is
// undefined
template <class T, bool least> struct PyLeast {
    T found{};
    bool any = false;

    MH_FN void offer(T next) {
        if (!any || (least ? next < found : next > found)) found = next;
        any = true;
    }
};

// a list of a function: its entries lie in the memory of each thread, and its length does not change
template <class T> struct PyList {
    T* cells;
    int size;

    MH_FN T& operator()(i64 k) const { return cells[k]; }
    MH_FN void fill(T value) const {
        for (int k = 0; k < size; ++k) cells[k] = value;
    }
};
template <class T> struct PyTable {
    T* cells;
    int rows, columns;

    MH_FN T* at(i64 i) const { return cells + i * columns; }
    MH_FN const T* row(i64 i) const { return at(i); }
    MH_FN T& operator()(i64 i, i64 k) const { return at(i)[k]; }
    MH_FN void fill(T value) const {
        for (int k = 0; k < rows * columns; ++k) cells[k] = value;
    }
};
template <class T> MH_FN void py_swap(T& a, T& b) {
    const T before = a;
    a = b;
    b = before;
}

// heap sort of whole numbers: equal ones cannot be told apart
template <class T> MH_FN void py_sink(const PyList<T>& list, int at, int end) {
    for (int child; (child = 2 * at + 1) < end; at = child) {
        if (child + 1 < end && list(child) < list(child + 1)) ++child;
        if (!(list(at) < list(child))) return;
        py_swap(list(at), list(child));
    }
}
template <class T> MH_FN void py_sort(const PyList<T>& list) {
    for (int at = list.size / 2; at-- > 0;) py_sink(list, at, list.size);
    for (int end = list.size; end-- > 1;) {
        py_swap(list(0), list(end));
        py_sink(list, 0, end);
    }
}

// the place that another one follows in its list
MH_FN int py_previous(const Item* x, i64 place) {
    int before = int(place);
    while (x[before] != place) before = x[before];
    return before;
}
