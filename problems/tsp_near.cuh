// The nearest cities of every city, on a CPU, by a grid. The cities come cell by cell; the cities of the cell c are
// starts(c) ... starts(c + 1) - 1. Around a city one square ring of cells after the other is searched, until no city
// farther away can be nearer than the cities found.
constexpr double SCALE = METRIC == 4 ? 0.3162 : 1;  // cities are no nearer than this times their difference in x or y

struct City {
    double x, y;
    i32 number, group;
};

// the cities found so far, the nearest first, equal ones by number
struct Nearest {
    double* apart;
    i32* number;
    int most, count;

    void offer(double distance, i32 other) {
        if (count == most && !before(distance, other, most - 1)) return;
        int place = count < most ? count++ : most - 1;
        for (; place && before(distance, other, place - 1); --place) {
            apart[place] = apart[place - 1];
            number[place] = number[place - 1];
        }
        apart[place] = distance;
        number[place] = other;
    }

    bool before(double distance, i32 other, int place) const {
        return distance < apart[place] || (distance == apart[place] && other < number[place]);
    }

    // whether cities at least so far away cannot be among them; distances are rounded by less than 1
    bool holds(double gap) const {
        return gap == FAR || (count == most && (!most || apart[most - 1] < gap * SCALE - 1));
    }

    bool has(i32 other) const {
        for (int k = 0; k < count; ++k)
            if (number[k] == other) return true;
        return false;
    }

    static constexpr double FAR = Never<double>::value;
};

struct Finder {
    const Arguments& a;
    Nearest all, part[4];
    bool open[4];  // quadrants in which cities may be found

    double apart(const City& p, const City& q) const { return distance<METRIC>(p.x - q.x, p.y - q.y); }

    // 0 ... 3 counterclockwise from the upper right one; -1 at the same place
    static int quadrant(const City& from, const City& to) {
        const double right = to.x - from.x, up = to.y - from.y;
        if (right >= 0 && up > 0) return 0;
        if (right < 0 && up >= 0) return 1;
        if (right <= 0 && up < 0) return 2;
        return right > 0 ? 3 : -1;
    }

    void look(const City& city, i64 column, i64 row) {
        const i64 cell = row * a.columns + column;
        for (i64 at = a.starts[cell], end = a.starts[cell + 1]; at < end; ++at) {
            const City& other = a.cities[at];
            if (other.group == city.group) continue;
            const double distance = apart(city, other);
            all.offer(distance, other.number);
            const int which = a.quarter ? quadrant(city, other) : -1;
            if (which >= 0) part[which].offer(distance, other.number);
        }
    }

    // Whether all is found once the cells up to `ring` around a cell are looked at. If not, quadrants in which nothing
    // can be found any more are closed, so that a city at the edge of all does not look at every other one.
    bool complete(const City& city, i64 column, i64 row, i64 ring) {
        const double far = Nearest::FAR;
        const double right =
            column + ring + 1 >= a.columns ? far : a.low[0] + double(column + ring + 1) * a.side - city.x;
        const double left = column - ring <= 0 ? far : city.x - a.low[0] - double(column - ring) * a.side;
        const double up = row + ring + 1 >= a.rows ? far : a.low[1] + double(row + ring + 1) * a.side - city.y;
        const double down = row - ring <= 0 ? far : city.y - a.low[1] - double(row - ring) * a.side;
        const double across = right < left ? right : left, along = up < down ? up : down;
        const bool whole = all.holds(across < along ? across : along);
        if (!a.quarter) return whole;
        const double gaps[4] = {right < up ? right : up, left < up ? left : up, left < down ? left : down,
                                right < down ? right : down};
        int found = 0;
        bool held = true;
        for (int k = 0; k < 4; ++k) {
            const bool holds = part[k].holds(gaps[k]);
            open[k] = !(whole && holds);
            held &= holds;
            found += part[k].count;
        }
        return held && (whole || found >= a.k);
    }

    void find(const City& city) {
        all.count = 0;
        for (Nearest& each : part) each.count = 0;
        for (bool& each : open) each = true;
        const i64 column = i64((city.x - a.low[0]) / a.side), row = i64((city.y - a.low[1]) / a.side);
        for (i64 ring = 0;; ++ring) {
            const i64 left = open[1] || open[2] ? column - ring : column, low = open[2] || open[3] ? row - ring : row;
            const i64 right = open[0] || open[3] ? column + ring : column, high = open[0] || open[1] ? row + ring : row;
            for (i64 y = low < 0 ? 0 : low; y <= high && y < a.rows; ++y) {
                const bool whole = y == row - ring || y == row + ring;
                if (left >= 0 && left < column && !whole) look(city, left, y);
                if (right < a.columns && right > column && !whole) look(city, right, y);
                for (i64 x = left < 0 ? 0 : left; whole && x <= right && x < a.columns; ++x) look(city, x, y);
            }
            if (complete(city, column, row, ring)) break;
        }
        if (a.quarter) choose();
        for (int k = 0; k < a.k; ++k) a.found[i64(city.number) * a.k + k] = k < all.count ? all.number[k] : -1;
    }

    // chooses from all cities found: the cities of the quadrants, and the nearest of the others
    void choose() {
        int left = all.most;
        for (const Nearest& each : part) left -= each.count;
        int kept = 0;
        for (int k = 0; k < all.count; ++k) {
            bool chosen = false;
            for (const Nearest& each : part) chosen |= each.has(all.number[k]);
            if (!chosen && left-- <= 0) continue;
            all.apart[kept] = all.apart[k];
            all.number[kept++] = all.number[k];
        }
        all.count = kept;
        for (const Nearest& each : part)
            for (int k = 0; k < each.count; ++k)
                if (!all.has(each.number[k])) all.offer(each.apart[k], each.number[k]);
    }
};

MH_ENTRY(near_cities) {
    const Arguments& a = *arguments;
    Finder finder{a, {a.apart, a.numbers, int(a.k), 0}, {}, {}};
    for (int k = 0; k < 4; ++k) {
        const i64 place = a.k + k * a.quarter;
        finder.part[k] = {a.apart + place, a.numbers + place, int(a.quarter), 0};
    }
    for (i64 i = 0; i < a.n; ++i) finder.find(a.cities[i]);
}
