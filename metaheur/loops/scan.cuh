// The scan, resident: many iterations a launch. One team runs the walk; on a GPU several blocks may share it, each with
// a replica of the solution and what is kept beside it.
struct Control {
    i64 iteration, end, improved_at, base, stagnation;
    Total cost, best, target;
    u32 seed, walk;
    i32 has_target, on_improvement, fresh, optimum, improvements, room;
};

struct Improvement {
    i64 iteration;
    Total cost;
};

struct Arguments {
    Problem problem;
    Neighborhood neighborhood;
    Memory memory;
    Aspiration aspiration;
    Selection selection;
    Acceptance acceptance;
    Problem::State state;
    Item* x;  // a replica for each part
    Item* best;
    Cost* table;  // the change of cost of every move
    i32* until;   // the last iteration in which it is forbidden, less control->base
    Control* control;
    Improvement* improvements;
    Exchange* exchange;
    Item* scratch;
};
static_assert(sizeof(Arguments) == MH_ARGUMENTS, "Python and C++ disagree about the arguments");

MH_ENTRY(members) { arguments->control->cost = has_cost * 1 + has_delta * 2 + has_update * 4; }

template <class N> MH_FN void seek_to(N& neighborhood, Random moment) {
    if constexpr (has_seek) neighborhood.seek(moment);
}

// The scan's C++ half: the same decisions as loops/scan.py, in the same order.
template <class A> struct Walker {
    A a;
    Control c;
    Team team;

    MH_FN i32 relative(i64 iteration) const {
        i64 r = iteration - c.base;
        return r < -2147483647 ? -2147483647 : r > 2147483647 ? 2147483647 : i32(r);
    }

    MH_FN void evaluate() const {
        evaluate_all(a.problem, a.neighborhood, team, a.x, a.state, a.table, a.scratch);
        if constexpr (Memory::forbids)
            team.visit(a.neighborhood, [&](i64 k, auto m) { a.until[k] = relative(a.memory.expiry(a.x, m)); });
        team.sync();
    }

    MH_FN Chosen choose() const {
        const Cost* table = a.table;
        const i32* until = a.until;
        const Selection selection = a.selection;
        const Aspiration aspiration = a.aspiration;
        auto delta = [=](i64 k) { return table[k]; };
        if constexpr (!Memory::forbids) {
            return team.across(team.argmin(a.neighborhood, [=](i64 k, auto) { return score_of(selection, table[k]); }),
                               delta);
        } else {
            const Cost gap = clamp(c.best - c.cost);
            const i32 now = relative(c.iteration);
            if (aspiration.enabled()) {
                Chosen aspired = team.across(team.argmin(a.neighborhood,
                                                         [=](i64 k, auto) {
                    return select(aspiration.due(until[k], now) | (table[k] < gap), score_of(selection, table[k]));
                }),
                                             delta);
                team.sync();
                if (aspired.index >= 0) return aspired;
            }
            return team.across(team.argmin(a.neighborhood,
                                           [=](i64 k, auto) {
                Cost d = table[k];
                return select((until[k] < now) | (d < gap), score_of(selection, d));
            }),
                               delta);
        }
    }

    MH_FN void go(Move m) const {
        if constexpr (Memory::forbids) {
            a.memory.remember(team, a.x, m, Random{c.seed, c.walk, MH_MEMORY_STREAM, c.iteration});
            team.sync();
        }
        make(a.problem, a.neighborhood, team, a.x, a.state, m);
        if constexpr (has_update) {
            Cost* table = a.table;
            const auto problem = a.problem;
            const auto state = a.state;
            team.visit(a.neighborhood,
                       [=](i64 k, auto other) { table[k] = problem.update(state, other, table[k], m); });
            team.sync();
        } else if constexpr (!has_seek) {
            evaluate_all(a.problem, a.neighborhood, team, a.x, a.state, a.table, a.scratch);
        }
        if constexpr (Memory::forbids && !has_around && !has_seek)
            team.visit(a.neighborhood, [&](i64 k, auto other) { a.until[k] = relative(a.memory.expiry(a.x, other)); });
        if constexpr (has_around && (has_update || Memory::forbids))
            team.around(a.neighborhood, m, [&](Team tile, i64 k, auto other) {
                if constexpr (has_update) {
                    Cost delta = delta_of(a.problem, a.neighborhood, tile, a.x, a.state, other);
                    if (tile.rank == 0) a.table[k] = delta;
                }
                if constexpr (Memory::forbids)
                    if (tile.rank == 0) a.until[k] = relative(a.memory.expiry(a.x, other));
            });
        team.sync();
    }

    MH_FN bool ends() const {
        return c.iteration >= c.end || (c.has_target && c.best <= c.target) ||
               c.iteration - c.improved_at >= c.stagnation || (c.on_improvement && c.improved_at == c.iteration) ||
               c.improvements == c.room;
    }

    MH_FN void improve() {
        c.best = c.cost;
        c.improved_at = c.iteration;
        if (team.part == 0) {
            team.for_each(a.problem.n, [&](i64 k) { a.best[k] = a.x[k]; });
            if (team.rank == 0) a.improvements[c.improvements] = {c.iteration, c.cost};
        }
        ++c.improvements;
    }

    MH_FN void run() {
        do {
            ++c.iteration;
            if constexpr (has_seek) {
                seek_to(a.neighborhood, Random{c.seed, c.walk, MH_SAMPLE_STREAM, c.iteration});
                evaluate();
            }
            Chosen chosen = choose();
            if (chosen.index < 0) {
                c.optimum = !Memory::forbids || a.neighborhood.size() == 0;
            } else if (!a.acceptance.accepts(chosen.delta)) {
                c.optimum = 1;
            } else {
                go(a.neighborhood.unrank(chosen.index));
                c.cost += chosen.delta;
                if (c.cost < c.best) improve();
            }
        } while (!c.optimum && !ends());
    }
};
