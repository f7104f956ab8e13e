// Items are taken out and come back as RuinAndRecreate does; between both, a list that lost a string may change places
// with one of another kind, and at last each list that changed does if that costs less.
struct RuinAndRecreateKinds : RuinAndRecreateKindsData {
    static constexpr bool keeps_state = true;

    template <class Make> MH_FN i64 perturb(Walk& walk, Make) const {
        const Random random = walk.random(perturbation_stream);
        this->ruin.ruin(walk, random);
        if (walk.team.rank == 0) draw_change(walk.x, random);
        walk.team.sync();
        this->ruin.renew_touched(walk);
        i64 evaluated = this->ruin.recreate(walk, random);
        note_changed(walk);
        this->ruin.note_open(walk, false);
        for (int list = 0; list < lists(); ++list) {
            if (!this->ruin.touched(list) || walk.x[items() + list] == Item(items() + list)) continue;
            settle(walk, list);
            evaluated += lists();
        }
        walk.cost = this->ruin.cost_by_lists(walk.problem, walk.team, walk.x, walk.state);
        return evaluated;
    }
    MH_FN void go_back(Walk& walk, const Item* home) const { this->ruin.go_back(walk, home); }

    MH_FN int items() const { return this->ruin.candidates.rows; }
    MH_FN int lists() const { return n - items(); }
    MH_FN bool alike(int one, int other) const { return this->ruin.kinds(one) == this->ruin.kinds(other); }

    // one thread draws whether a list that lost a string, and which one, changes places with which list
    MH_FN void draw_change(Item* x, Random random) const {
        auto noted = this->ruin.counts;
        auto marked = this->ruin.touched;
        u32 draw = u32(noted(1));
        int lost = 0;
        for (int list = 0; list < lists(); ++list) lost += marked(list);
        if (lost && random.bits(draw++) < u64(changes * 4294967296.0)) {
            int rank = int(random.integer(draw++, 0, lost - 1)), one = -1;
            const int other = int(random.integer(draw++, 0, lists() - 1));
            while (rank >= 0) rank -= marked(++one);
            if (!alike(one, other)) {
                exchange(x, items() + one, items() + other);
                marked(other) = 1;
            }
        }
        noted(1) = int(draw);
    }
    // exchanges what the lists of two heads hold
    MH_FN static void exchange(Item* x, int one, int other) {
        int last = one, other_last = other;
        while (x[last] != Item(one)) last = int(x[last]);
        while (x[other_last] != Item(other)) other_last = int(x[other_last]);
        const Item first = x[one], other_first = x[other];
        x[last] = Item(other);
        x[other_last] = Item(one);
        x[one] = other_last == other ? Item(one) : other_first;
        x[other] = last == one ? Item(other) : first;
    }

    // marks the lists to which items came back, too
    MH_FN void note_changed(Walk& walk) const {
        const auto out = this->ruin.taken;
        auto marked = this->ruin.touched;
        if (walk.team.rank == 0)
            for (int k = 0; k < int(this->ruin.counts(0)); ++k) {
                int at = int(out(k));
                if (walk.x[at] == Item(at)) continue;  // it stays out
                while (at < items()) at = int(walk.x[at]);
                marked(at - items()) = 1;
            }
        walk.team.sync();
    }

    // a list changes places with the one of another kind where that saves most, if it saves anything
    MH_FN void settle(Walk& walk, int list) const {
        const Problem& problem = walk.problem;
        const auto s = walk.state;
        Item* x = walk.x;
        const EvaluatedMove best = lowest(walk.team, i64(this->ruin.counts(2)), [&](i64 k) {
            const int other = int(this->ruin.open(k)) - items();
            return alike(list, other) ? Never<Cost>::value : Cost(problem.exchanged(x, s, list, other));
        });
        if (best.index < 0 || best.score >= 0) return;
        const int one = items() + list, other = int(this->ruin.open(best.index));
        walk.team.sync();
        if (walk.team.rank == 0) {
            if (x[other] == Item(other)) this->ruin.opens(x, other);
            exchange(x, one, other);
        }
        walk.team.sync();
        walk.team.for_each(2, [=](i64 k) { problem.renew(x, s, k ? other : one); });
        walk.team.sync();
    }
};
