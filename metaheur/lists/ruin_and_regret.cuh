// costs(k, list) is the lowest change of cost of the k-th item that is out in a list, best(k, list) the place; behind
// the lists, where the item stays out. Items that are back are -1 in `taken` of the ruin.
struct RuinAndRegret : RuinAndRegretData {
    static constexpr bool keeps_state = true;

    template <class Make> MH_FN i64 perturb(Walk& walk, Make) const {
        const Team team = walk.team;
        const Random random = walk.random(perturbation_stream);
        this->ruin.ruin(walk, random);
        const int out = this->ruin.counts(0);
        const u32 bits = random.bits(u32(this->ruin.counts(1)));
        i64 evaluated = 0;
        int changed = -1;
        for (int left = out; left > 0; --left) {
            look(walk, out, sums(walk.problem) ? changed : -1, bits);
            evaluated += i64(left) * (n - left);
            const int k = regretted(out);
            const int list = lowest_list(k, -1), item = int(this->ruin.taken(k)), place = int(best(cell(k, list)));
            team.sync();
            if (team.rank == 0) {
                auto taken = this->ruin.taken;
                taken(k) = -1;
                walk.x[item] = walk.x[place];
                walk.x[place] = Item(item);
                this->ruin.entered(walk.problem, walk.x, walk.state, item, place);
            }
            team.sync();
            changed = list;
        }
        walk.cost = this->ruin.cost_by_lists(walk.problem, team, walk.x, walk.state);
        return evaluated;
    }
    MH_FN void go_back(Walk& walk, const Item* home) const { this->ruin.go_back(walk, home); }

    MH_FN int items() const { return this->ruin.candidates.rows; }
    MH_FN int columns() const { return n - items() + 1; }
    MH_FN i64 cell(int k, int list) const { return i64(k) * columns() + list; }

    // whether a change in a list leaves the changes of cost in other lists as they are
    template <class P> MH_FN static auto sums(const P&) -> decltype(!P::lists_longest) { return !P::lists_longest; }
    template <class... P> MH_FN static bool sums(const P&...) { return true; }

    // notes the best places of all items that are out, in the list that changed and its empty neighbors; -1 for all
    MH_FN void look(Walk& walk, int out, int changed, u32 bits) const {
        const int wide = columns();
        const RuinAndRegret* self = this;
        Walk* here = &walk;
        walk.team.for_each(i64(out) * wide, [=](i64 k) {
            const int list = int(k % wide);
            if (changed < 0 || list == changed || list == changed + 1) self->look_at(*here, int(k / wide), list, bits);
        });
        walk.team.sync();
    }
    MH_FN void look_at(Walk& walk, int k, int list, u32 bits) const {
        const int item = int(this->ruin.taken(k)), end = items() + list;
        const Item* x = walk.x;
        Cost lowest = Never<Cost>::value;
        int found = -1;
        if (item >= 0 && end == n) {
            if (this->ruin.optional && !this->ruin.overlooked(item, bits)) {
                lowest = Cost(walk.problem.inserted(x, walk.state, item, item));
                found = item;
            }
        } else if (item >= 0) {
            int place = end;
            do {
                if (!this->ruin.overlooked(place, bits) && !(place == end && this->ruin.repeated(x, place))) {
                    const Cost cost = this->ruin.inserted(walk.problem, x, walk.state, item, place, lowest);
                    if (found < 0 || cost < lowest) lowest = cost, found = place;
                }
                place = int(x[place]);
            } while (place != end);
        }
        auto each = costs;
        auto where = best;
        each(cell(k, list)) = lowest;
        where(cell(k, list)) = found;
    }

    // the list in which an item costs least, but not `other`; -1 if there is none
    MH_FN int lowest_list(int k, int other) const {
        int found = -1;
        for (int list = 0; list < columns(); ++list)
            if (list != other && best(cell(k, list)) >= 0 &&
                (found < 0 || costs(cell(k, list)) < costs(cell(k, found))))
                found = list;
        return found;
    }
    // the first item of the largest regret
    MH_FN int regretted(int out) const {
        int found = -1;
        Cost most = 0;
        for (int k = 0; k < out; ++k) {
            if (int(this->ruin.taken(k)) < 0) continue;
            const int list = lowest_list(k, -1), second = lowest_list(k, list);
            const Cost regret = second < 0 ? Never<Cost>::value : costs(cell(k, second)) - costs(cell(k, list));
            if (found < 0 || regret > most) found = k, most = regret;
        }
        return found;
    }
};
