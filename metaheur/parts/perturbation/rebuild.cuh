// The items that are taken out are stored behind the partial permutation, in the same array.
struct Rebuild : RebuildData {
    template <class Make> MH_FN i64 perturb(Walk& walk, Make) const {
        const Team team = walk.team;
        const Random random = walk.random(perturbation_stream);
        const int out = int(count < n - 1 ? count : n - 1), left = n - out;
        for (int draw = 0; draw < out; ++draw) {
            rotate(team, walk.x, int(random.index(u32(draw), n - draw)), n - 1 - draw);
            team.sync();
        }
        u32 draw = 0;
        i64 evaluated = improves ? improve(walk, left, draw) : 0;
        for (int length = left; length < n; ++length) {
            const EvaluatedMove best = place(walk, length, draw);
            rotate(team, walk.x, length, int(best.index));
            team.sync();
            evaluated += length + 1;
            walk.cost = best.delta;
        }
        return evaluated;
    }

    // The best place of the item behind the first `length` items, and the cost there: the first among equals, or the
    // first from a random place on.
    MH_FN EvaluatedMove place(Walk& walk, int length, u32& draw) const {
        evaluate_places(walk, length);
        const Cost* all = costs.data;
        const EvaluatedMove best = lowest(walk.team, length + 1, [=](i64 k) { return all[k]; });
        if (!random_ties) return best;
        const i64 first = walk.random(ties_stream).index(draw++, length + 1);
        EvaluatedMove later = lowest(walk.team, length + 1 - first, [=](i64 k) { return all[first + k]; });
        later.index += first;
        return later.delta == best.delta ? later : best;
    }

    MH_FN void evaluate_places(Walk& walk, int length) const {
        insertions_of(walk.problem, walk.team, walk.x, length, walk.state, costs.data);
        walk.team.sync();
    }

    // moves each of the first items to a better place, until no item has one
    MH_FN i64 improve(Walk& walk, int length, u32& draw) const {
        i64 evaluated = 0;
        for (int position = 0, refused = 0; refused < length; position = (position + 1) % length) {
            rotate(walk.team, walk.x, position, length - 1);
            walk.team.sync();
            const EvaluatedMove best = place(walk, length - 1, draw);
            const bool better = best.delta < costs(position);
            walk.team.sync();
            rotate(walk.team, walk.x, length - 1, better ? int(best.index) : position);
            walk.team.sync();
            refused = better ? 0 : refused + 1;
            evaluated += length;
        }
        return evaluated;
    }
};
