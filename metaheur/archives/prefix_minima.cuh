// Tells which costs of three whole numbers a member of an unbounded archive weakly dominates, mostly by one read. The
// two objectives with the smallest ranges are divided into cells; a cell has the least value of the third objective
// among the members in it and in all lower cells. Values outside of all cells belong to the first or the last cell.
// Members that have left the archive do no harm: the members that replaced them cover the same costs.
enum Verdict { Free, Covered, Unknown };  // Unknown: the members of the same cell must be compared

struct Window {
    i64 built, appended;             // the number of members when the table was built, 0 for no table; of members since
    i64 axis[3];                     // two objectives, and the third
    i64 low[2], shift[2], count[2];  // of the rows of cells, and of the columns

    MH_FN static i64 most(int side) { return side == 0 ? MH_ROWS : MH_COLUMNS; }
    MH_FN static i64 within(u64 cell, i64 last) { return cell < u64(last) ? i64(cell) : last; }
    // the distance of a value from the begin of the window, if it is not below: u64, as values may be far apart
    MH_FN u64 above(int side, i64 value) const { return u64(value) - u64(low[side]); }

    MH_FN i64 cell(int side, const Cost& cost) const {
        const i64 value = i64(cost[int(axis[side])]);
        return value < low[side] ? 0 : within(above(side, value) >> shift[side], count[side] - 1);
    }
    // the last cell of which no value is larger, or -1
    MH_FN i64 below(int side, const Cost& cost) const {
        const i64 value = i64(cost[int(axis[side])]);
        const u64 cells = value < low[side] ? 0 : (above(side, value) + 1) >> shift[side];
        return cells ? within(cells - 1, count[side] - 2) : -1;
    }
    MH_FN i64 value(const Cost& cost) const { return i64(cost[int(axis[2])]); }
};

struct PrefixMinima {
    static constexpr int K = sizeof(Cost) / sizeof(Number);
    static constexpr bool fits = K == 3 && Same<Number, i64>::value;

    Window window;
    i64* cells;

    MH_FN i64& at(i64 row, i64 column) const { return cells[column * MH_ROWS + row]; }

    MH_FN Verdict judge(const Cost& cost) const {
        if (!fits || !window.built) return Unknown;
        const i64 value = window.value(cost);
        if (at(window.cell(0, cost), window.cell(1, cost)) > value) return Free;
        const i64 row = window.below(0, cost), column = window.below(1, cost);
        return row >= 0 && column >= 0 && at(row, column) <= value ? Covered : Unknown;
    }

    // true if the members from `first` on must still be entered into the table; false if the table was built anew, of
    // all members; the window is written to `to`, where other threads read it
    template <class Costs> MH_FN bool follows(Team team, Costs costs, i64 first, i64 count, Window* to) {
        window.appended += count - first;
        const bool few = window.appended < 2 * window.built + FEW;
        if (!few) {
            window = around(team, costs, count);
            if (window.built) build(team, costs, count);
        }
        team.sync();  // all threads have read the window
        if (team.rank == 0) *to = window;
        return few && window.built;
    }

    // The table follows a new member: in each row, cells are lowered from the member's own cell on, up to a cell that
    // is as low. All cells after it are as low, too, or the lane that has lowered it goes on. Several lanes may lower a
    // row at a time. A lane of the warp takes a row.
    MH_FN void follow(Team warp, const Cost& cost) const {
        const int rows = int(window.count[0]), columns = int(window.count[1]);
        const int low = int(window.cell(0, cost)), left = int(window.cell(1, cost));
        const i64 value = window.value(cost);
        warp.for_each(rows - low, [&](int r) {
            bool higher = true;
            for (int begin = left; begin < columns && higher; begin += several) {
                i64 values[several];
                for (int c = 0; c < several; ++c)
                    values[c] = at(low + r, begin + c < columns ? begin + c : columns - 1);
                for (int c = 0; c < several; ++c) {
                    higher &= begin + c < columns && values[c] > value;
                    if (higher) lower(at(low + r, begin + c), value);
                }
            }
        });
    }

private:
    static constexpr i64 FEW = 32;                 // members that enter before the table is built
    static constexpr int several = 8;              // cells that are loaded at a time
    static constexpr i64 farthest = i64(1) << 60;  // from 0, if there is a table

    // several threads may lower a cell
    MH_FN static void lower(i64& cell, i64 value) {
#ifdef __CUDACC__
        atomicMin(&cell, value);
#else
        cell = value < cell ? value : cell;
#endif
    }

    // the least value of each cell's members; then also of the cells below it in its column, and in its row
    template <class Costs> MH_FN void build(Team team, Costs costs, i64 count) const {
        const i64 rows = window.count[0], columns = window.count[1];
        team.for_each(columns * MH_ROWS, [&](i64 k) { cells[k] = Never<i64>::value; });
        team.sync();
        team.for_each(count, [&](i64 i) {
            const Cost cost = costs(i);
            lower(at(window.cell(0, cost), window.cell(1, cost)), window.value(cost));
        });
        team.sync();
        team.for_each(columns, [&](i64 column) { accumulate(&at(0, column), 1, rows); });
        team.sync();
        team.for_each(rows, [&](i64 row) { accumulate(&at(row, 0), MH_ROWS, columns); });
    }

    // each of `count` cells becomes the least of all cells up to it
    MH_FN static void accumulate(i64* cell, i64 stride, i64 count) {
        i64 least = Never<i64>::value;
        MH_LOOP for (i64 begin = 0; begin < count; begin += several) {
            i64 values[several];
            for (int k = 0; k < several; ++k) values[k] = cell[(begin + k < count ? begin + k : count - 1) * stride];
            for (int k = 0; k < several && begin + k < count; ++k)
                cell[(begin + k) * stride] = least = values[k] < least ? values[k] : least;
        }
    }

    // a window for all members and an eighth of their range around them; none if they are far from 0
    template <class Costs> MH_FN static Window around(Team team, Costs costs, i64 count) {
        i64 low[3] = {}, range[3] = {};
        bool near = true;
        for (int k = 0; k < 3 && k < K; ++k) {
            i64 least = Never<i64>::value, most = least;  // `most` with its bits inverted, which never overflows
            MH_LOOP for (i64 i = team.rank; i < count; i += team.size) {
                const i64 value = i64(costs(i)[k]);
                least = value < least ? value : least;
                most = ~value < most ? ~value : most;
            }
            low[k] = team.least(least);
            const i64 high = ~team.least(most);
            near &= low[k] > -farthest && high < farthest;
            range[k] = near ? high - low[k] : 0;
        }
        Window window = {near ? count : 0, 0, {0, 1, 2}, {}, {}, {}};
        if (!near) return window;
        for (int pass = 0; pass < 2; ++pass)
            for (int k = 0; k < 2; ++k)
                if (range[window.axis[k]] > range[window.axis[k + 1]]) {
                    const i64 other = window.axis[k];
                    window.axis[k] = window.axis[k + 1];
                    window.axis[k + 1] = other;
                }
        for (int side = 0; side < 2; ++side) {
            const i64 axis = window.axis[side], margin = range[axis] / 8 + 1;
            window.low[side] = low[axis] - margin;
            i64& shift = window.shift[side];
            while ((range[axis] + 2 * margin) >> shift >= Window::most(side) - 1) ++shift;
            window.count[side] = ((range[axis] + 2 * margin) >> shift) + 2;
        }
        return window;
    }
};
