// A tabu search over the ends of critical blocks (N6), written by hand: all times anew in each iteration, estimated
// makespans, a tabu list of arcs. Reads jobs, machines, then a machine and a time for each operation; then seconds.
// Prints iterations and moves for each second, and the best makespan.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

namespace {

struct Shop {
    int jobs, machines, count;
    std::vector<int> on, takes, before, behind, head, tail, at, waits;  // neighbors on the machine; -1 for none

    int job_before(int o) const { return o % machines ? o - 1 : -1; }
    int job_behind(int o) const { return (o + 1) % machines ? o + 1 : -1; }
    int end(int o) const { return o < 0 ? 0 : head[o] + takes[o]; }
    int path(int o) const { return o < 0 ? 0 : takes[o] + tail[o]; }

    // the times of all operations; returns the makespan, or -1 if they wait in a circle
    int schedule() {
        int done = 0, span = 0;
        for (int o = 0; o < count; ++o) {
            waits[o] = (job_before(o) >= 0) + (before[o] >= 0);
            if (!waits[o]) at[done++] = o;
        }
        for (int k = 0; k < done; ++k) {
            const int o = at[k];
            head[o] = std::max(end(job_before(o)), end(before[o]));
            span = std::max(span, end(o));
            for (int next : {job_behind(o), behind[o]})
                if (next >= 0 && !--waits[next]) at[done++] = next;
        }
        if (done < count) return -1;
        for (int k = count - 1; k >= 0; --k) tail[at[k]] = std::max(path(job_behind(at[k])), path(behind[at[k]]));
        return span;
    }

    void unlink(int o) {
        if (before[o] >= 0) behind[before[o]] = behind[o];
        if (behind[o] >= 0) before[behind[o]] = before[o];
    }
    void link(int o, int left, int right) {
        before[o] = left;
        behind[o] = right;
        if (left >= 0) behind[left] = o;
        if (right >= 0) before[right] = o;
    }
};

struct Found {
    int moved, other, estimate;
    bool forward;
};

// The longest path through a row of operations whose first comes behind `before`, and the last comes before `behind`.
int longest_through(const Shop& shop, int before, int behind, const std::vector<int>& row, std::vector<int>& heads) {
    heads.resize(row.size());
    int last = shop.end(before), worst = 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
        heads[k] = std::max(last, shop.end(shop.job_before(row[k])));
        last = heads[k] + shop.takes[row[k]];
    }
    int tail = shop.path(behind);
    for (std::size_t k = row.size(); k-- > 0;) {
        const int then = std::max(tail, shop.path(shop.job_behind(row[k])));
        worst = std::max(worst, heads[k] + shop.takes[row[k]] + then);
        tail = shop.takes[row[k]] + then;
    }
    return worst;
}

// u goes right behind v, as Balas and Vazacopoulos estimate it
int estimate_forward(const Shop& shop, int u, int v, std::vector<int>& row, std::vector<int>& heads) {
    row.clear();
    for (int o = shop.behind[u];; o = shop.behind[o]) {
        row.push_back(o);
        if (o == v) break;
    }
    row.push_back(u);
    return longest_through(shop, shop.before[u], shop.behind[v], row, heads);
}

// v goes right before u
int estimate_backward(const Shop& shop, int u, int v, std::vector<int>& row, std::vector<int>& heads) {
    row.assign(1, v);
    for (int o = u; o != v; o = shop.behind[o]) row.push_back(o);
    return longest_through(shop, shop.before[u], shop.behind[v], row, heads);
}

}  // namespace

int main() {
    Shop shop;
    double seconds;
    if (std::scanf("%d %d", &shop.jobs, &shop.machines) != 2) return 1;
    const int count = shop.count = shop.jobs * shop.machines;
    for (auto* each :
         {&shop.on, &shop.takes, &shop.before, &shop.behind, &shop.head, &shop.tail, &shop.at, &shop.waits})
        each->assign(count, -1);
    for (int o = 0; o < count; ++o)
        if (std::scanf("%d %d", &shop.on[o], &shop.takes[o]) != 2) return 1;
    if (std::scanf("%lf", &seconds) != 1) return 1;

    std::vector<int> last(shop.machines, -1);
    for (int k = 0; k < shop.machines; ++k)  // the first operation of each job, then the second ones, ...
        for (int j = 0; j < shop.jobs; ++j) {
            const int o = j * shop.machines + k;
            shop.link(o, last[shop.on[o]], -1);
            last[shop.on[o]] = o;
        }
    std::vector<std::int64_t> tabu(std::size_t(count) * count, 0);  // until when the arc a, b may not return
    std::vector<int> path, row, heads, ties;
    std::uint64_t random = 88172645463325252ull;
    const auto draw = [&](int n) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return int(random % unsigned(n));
    };
    int span = shop.schedule(), best = span;
    std::int64_t iterations = 0, moves = 0;
    const std::clock_t start = std::clock();  // of the processor
    double spent = 0;
    for (; spent < seconds; ++iterations) {
        if (iterations % 256 == 0) spent = double(std::clock() - start) / CLOCKS_PER_SEC;
        // a random longest path
        path.clear();
        ties.clear();
        for (int o = 0; o < count; ++o)
            if (shop.head[o] == 0 && shop.path(o) == span) ties.push_back(o);
        for (int o = ties[draw(int(ties.size()))]; o >= 0;) {
            path.push_back(o);
            const int a = shop.job_behind(o), b = shop.behind[o];
            const bool by_job = a >= 0 && shop.head[a] == shop.end(o) && shop.end(a) + shop.tail[a] == span;
            const bool by_row = b >= 0 && shop.head[b] == shop.end(o) && shop.end(b) + shop.tail[b] == span;
            o = by_job && by_row ? (draw(2) ? a : b) : by_job ? a : by_row ? b : -1;
        }
        Found chosen{-1, -1, 1 << 30, true}, any = chosen;
        int equal = 0;
        const auto offer = [&](int moved, int other, bool forward) {
            ++moves;
            const int then = forward ? estimate_forward(shop, moved, other, row, heads)
                                     : estimate_backward(shop, other, moved, row, heads);
            bool forbidden = false;
            for (int o = other; o != moved && !forbidden; o = forward ? shop.before[o] : shop.behind[o])
                forbidden = (forward ? tabu[std::size_t(o) * count + moved] : tabu[std::size_t(moved) * count + o]) >
                            iterations;
            if (!forbidden || then < best) {
                if (then < chosen.estimate) equal = 0;
                if (then < chosen.estimate || (then == chosen.estimate && draw(++equal) == 0))
                    chosen = {moved, other, then, forward};
            }
            if (draw(int(moves % 7) + 1) == 0) any = {moved, other, then, forward};
        };
        for (std::size_t first = 0, stop; first < path.size(); first = stop) {
            for (stop = first + 1; stop < path.size() && shop.on[path[stop]] == shop.on[path[first]];) ++stop;
            const int low = path[first], high = path[stop - 1];
            for (std::size_t k = first; k + 1 < stop; ++k) {
                const int u = path[k], v = path[k + 1];
                if (shop.path(high) >= shop.path(shop.job_behind(u))) offer(u, high, true);
                if ((k > first || stop - first > 2) && shop.end(low) >= shop.end(shop.job_before(v)))
                    offer(v, low, false);
            }
        }
        if (chosen.moved < 0) chosen = any;
        if (chosen.moved < 0) break;  // a single block, or none: the schedule is the best one
        const std::int64_t until = iterations + 10 + shop.jobs / shop.machines + draw(10);
        for (int o = chosen.other; o != chosen.moved; o = chosen.forward ? shop.before[o] : shop.behind[o])
            (chosen.forward ? tabu[std::size_t(chosen.moved) * count + o]
                            : tabu[std::size_t(o) * count + chosen.moved]) = until;
        shop.unlink(chosen.moved);
        if (chosen.forward) shop.link(chosen.moved, chosen.other, shop.behind[chosen.other]);
        else shop.link(chosen.moved, shop.before[chosen.other], chosen.other);
        span = shop.schedule();
        if (span < 0) return 2;
        best = std::min(best, span);
    }
    std::printf("%.0f %.0f %d\n", double(iterations) / spent, double(moves) / spent, best);
}
