// Items are taken out as RuinAndRecreate does; each that is no visit comes back alone, or with a visit that is out.
struct RuinAndRecreateVisits : RuinAndRecreateVisitsData {
    static constexpr bool keeps_state = true;

    template <class Make> MH_FN i64 perturb(Walk& walk, Make) const {
        const Random random = walk.random(perturbation_stream);
        this->ruin.ruin(walk, random);
        if (this->ruin.beside) this->ruin.note_places(walk);
        const int out = this->ruin.counts(0);
        u32 draw = u32(this->ruin.counts(1));
        i64 evaluated = 0;
        for (int k = 0; k < out; ++k) evaluated += put_back(walk, int(this->ruin.taken(k)), random.bits(draw++));
        walk.cost = this->ruin.cost_by_lists(walk.problem, walk.team, walk.x, walk.state);
        return evaluated;
    }
    MH_FN void go_back(Walk& walk, const Item* home) const { this->ruin.go_back(walk, home); }

    MH_FN int first_visit() const { return this->ruin.candidates.rows - int(visits.size); }
    MH_FN bool near_only(int item) const { return this->ruin.beside && item < first_visit(); }

    // the place of a rank; -1 if it is not tried
    MH_FN int place_of(const Item* x, int item, i64 rank) const {
        if (!near_only(item)) {
            const int place = int(rank);
            const bool out = place < this->ruin.candidates.rows && x[place] == Item(place) && place != item;
            return out || this->ruin.repeated(x, place) ? -1 : place;
        }
        if (rank < this->ruin.tried()) return this->ruin.place_of(x, item, rank);
        const i64 behind = rank - this->ruin.tried();
        const int visit = first_visit() + int(behind / 2);
        return x[visit] == Item(visit) ? -1 : behind % 2 ? visit : int(this->ruin.previous(visit));
    }

    // notes the first visit of each kind that is out
    MH_FN void note_free(Walk& walk) const {
        auto noted = free;
        const Item* x = walk.x;
        walk.team.for_each(visit_kinds, [=](i64 kind) {
            int found = -1;
            for (int k = 0; k < int(visits.size) && found < 0; ++k) {
                const int visit = first_visit() + k;
                if (int(visits(k)) == int(kind) && x[visit] == Item(visit)) found = visit;
            }
            noted(kind) = found;
        });
        walk.team.sync();
    }

    // puts an item where it costs least; returns how many options are counted
    MH_FN i64 put_back(Walk& walk, int item, u32 bits) const {
        const Problem& problem = walk.problem;
        const auto s = walk.state;
        const Item* x = walk.x;
        note_free(walk);
        const i64 options = item < first_visit() ? 1 + 2 * visit_kinds : 1;
        const i64 further = 2 * visits.size;
        const i64 tried = near_only(item) ? this->ruin.tried() + further : i64(n);
        EvaluatedMove best = no_move();
        this->ruin.offer_each(best, walk.team, 0, tried * options, [&](i64 index, Cost least) {
            const int place = place_of(x, item, index / options), option = int(index % options);
            if (place < 0 || this->ruin.overlooked(place, bits)) return Never<Cost>::value;
            if (option == 0) return this->ruin.inserted(problem, x, s, item, place, least);
            const int visit = int(free((option - 1) / 2));
            if (visit < 0 || place == item) return Never<Cost>::value;
            return Cost(problem.inserted_with(x, s, item, visit, place, option % 2, least));
        });
        best = walk.team.reduce_best(best);
        const int place = place_of(x, item, best.index / options), option = int(best.index % options);
        const int visit = option ? int(free((option - 1) / 2)) : -1;
        this->ruin.put_back(walk, option % 2 ? visit : item, place);
        if (option) this->ruin.put_back(walk, option % 2 ? item : visit, option % 2 ? visit : item);
        return (near_only(item) ? this->ruin.ranks() + further : i64(n)) * options;
    }
};
