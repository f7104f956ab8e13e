// Items are taken out as RuinAndRecreate does; their pairs are noted in its `taken`, and come back one by one.
struct RuinAndRecreatePairs : RuinAndRecreatePairsData {
    static constexpr bool keeps_state = true;

    template <class Make> MH_FN i64 perturb(Walk& walk, Make) const {
        const Team team = walk.team;
        const Random random = walk.random(perturbation_stream);
        this->ruin.ruin(walk, random);
        auto noted = this->ruin.counts;
        if (team.rank == 0) noted(0) = complete(walk.x, int(noted(0)));
        team.sync();
        prepare_problem(walk.problem, team, walk.x, walk.state);
        team.sync();
        const int out = this->ruin.counts(0);
        u32 draw = u32(this->ruin.counts(1));
        i64 evaluated = 0;
        for (int k = 0; k < out; ++k) {
            put_back(walk, int(this->ruin.taken(k)), random.bits(draw++));
            evaluated += n - 2 * (out - k);
        }
        walk.cost = this->ruin.cost_by_lists(walk.problem, team, walk.x, walk.state);
        return evaluated;
    }
    MH_FN void go_back(Walk& walk, const Item* home) const { this->ruin.go_back(walk, home); }

    // notes the pairs of the items that are out, in order, and takes their other items out; returns how many there are
    MH_FN int complete(Item* x, int gone) const {
        auto out = this->ruin.taken;
        int found = 0;
        for (int k = 0; k < gone; ++k) {
            int pair = 0;
            while (pairs(pair, 0) != out(k) && pairs(pair, 1) != out(k)) ++pair;
            bool is_new = true;
            for (int p = 0; p < found; ++p) is_new = is_new && int(out(p)) != pair;
            if (!is_new) continue;
            for (int side = 0; side < 2; ++side) take_out(x, int(pairs(pair, side)));
            out(found++) = pair;
        }
        return found;
    }
    MH_FN static void take_out(Item* x, int item) {
        int before = item;
        while (x[before] != Item(item)) before = x[before];
        x[before] = x[item];
        x[item] = Item(item);
    }

    MH_FN void put_back(Walk& walk, int pair, u32 bits) const {
        const u64 overlooked = u64(this->ruin.blinks * 4294967296.0);
        const Problem& problem = walk.problem;
        const auto s = walk.state;
        Item* x = walk.x;
        const int one = int(pairs(pair, 0)), other = int(pairs(pair, 1)), items = pairs.rows * 2, last = n - 1;
        const auto open = [=](int place) {
            return place == last || place == one || u32(2 * place + 1) * bits >= overlooked;
        };
        const EvaluatedMove best = lowest(walk.team, n - items, [&](i64 list) {
            if (list != n - items - 1 && this->ruin.repeated(x, items + list)) return Never<Cost>::value;
            const auto found = problem.best_pair(x, s, int(list), one, other, open);
            return found.first < 0 ? Never<Cost>::value : found.cost;
        });
        walk.team.sync();
        if (walk.team.rank == 0) {
            const auto found = problem.best_pair(x, s, int(best.index), one, other, open);
            x[one] = x[found.first];
            x[found.first] = Item(one);
            x[other] = x[found.second];
            x[found.second] = Item(other);
            problem.renew(x, s, found.first);
        }
        walk.team.sync();
    }
};
