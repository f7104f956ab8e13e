#ifndef MH_TOUR_DESCENT
#define MH_TOUR_DESCENT
// Exchanges of edges until no item has an improving one; items wait in a queue. `Self` enumerates the exchanges of an
// item; `most_ends` is the most items that one of them names, four a reversal.
template <class Self, class Data> struct TourDescent : Data {
    using Data::ahead;
    using Data::candidates;
    using Data::home;
    using Data::lengths;
    using Data::n;
    using Data::positions;
    using Data::queue;
    using Data::takes_best;
    using Data::waits;
#ifdef __CUDACC__
    static constexpr bool tabulates = false;  // to read memory would take longer than to compute
#else
    static constexpr bool tabulates = true;
#endif

    // the best exchange that a thread has met, or the first one: its gain, and its number in the order of enumeration
    template <class Length> struct Found {
        Length gain;
        i64 number;
        int ends;          // number of ends; 0 if there is no exchange
        volatile int* at;  // in memory, to save registers
    };

    typedef typename decltype(Data::positions)::stored_type Place;

    // the tour of a walk, without a journal, with an empty queue
    template <class Guide> MH_FN auto tour(Walk& walk, Guide guide) const {
        return tour<const Problem&>(walk, walk.problem, candidates, guide);
    }

    // the same with other edges and candidates
    template <class Edges, class Candidates, class Guide>
    MH_FN Tour<Edges, Candidates, Place, tabulates, takes_best, Guide> tour(Walk& walk, Edges edges,
                                                                            const Candidates& near, Guide guide) const {
        return {edges,
                near,
                guide,
                lengths.data,
                lengths.stride,
                walk.team,
                walk.x,
                positions.data,
                queue.data,
                waits.data,
                ahead.data,
                n,
                0,
                0,
                0,
                0,
                0,
                nullptr,
                nullptr,
                0,
                0,
                true};
    }

    MH_FN void prepare(Walk& walk) const { prepare(tour(walk, Unguided{})); }

    template <class Here> MH_FN void prepare(Here here) const {
        here.place();
        u8* in = waits.data;
        here.team.for_each(n, [=](i64 k) { in[k] = 0; });
        if constexpr (tabulates) {
            const int width = here.width();
            here.team.for_each(i64(n) * width, [&](i64 k) {
                const int item = int(k / width), rank = int(k % width);
                lengths(item, rank) = here.problem.edge(item, here.candidate(item, rank));
            });
        }
        here.team.sync();
    }

    // costs of type float64 must fall by more than rounding, so that a descent ends
    MH_FN static Cost least(Total cost) {
        if constexpr (!IsDouble<Total>::value) return 0;
        const double size = cost < 0 ? -double(cost) : double(cost);
        return Cost(1e-9 * (size > 1.0 ? size : 1.0));
    }

    // A thread's part of the exchanges of an item: finds the first improving one, or the best, the first among equals.
    // If `until` is the number of an exchange, only counts the exchanges up to this one. Returns the count.
    template <class Here, class Length>
    MH_FN int look(Here& here, int item, Found<Length>& found, i64 until = Never<i64>::value) const {
        const bool counts = until != Never<i64>::value;
        int met = 0;
        here.stage = here.number = 0;
        static_cast<const Self*>(this)->exchanges(here, item, [&](Length gain, auto... items) {
            const i64 number = i64(here.stage) << 32 | here.number++;
            if (counts && number > until) return true;
            ++met;
            if (counts || gain <= found.gain || (!takes_best && found.ends)) return false;
            found.gain = gain;
            found.number = number;
            found.ends = 0;
            const auto keep = [&](auto... ends) { (void(found.at[found.ends++] = ends), ...); };
            if constexpr (sizeof...(items) == 1) (items(keep), ...);
            else keep(items...);
            return !takes_best;
        });
        return met;
    }

    // If it `breaks`, the host may ask to break the descent off: then the walk is cut. An item makes exchanges until it
    // has none. The results of crowds for the next items in the queue are valid as long as no item before makes an
    // exchange. When a team has found a first exchange, it enumerates again to count the exchanges that a single thread
    // would have met until then.
    template <class Here> MH_FN void descend(Here& here, Walk& walk, bool breaks = false) const {
        typedef typename Here::Length Length;
        const Length enough = least(walk.cost);
        const Team team = here.team;
        int held = 0, in_hand = 0;
        u32 evaluated = 0, rounds = 0;
        while (here.waiting + held > 0 && !(walk.cut = breaks && ++rounds % 64 == 0 && walk.stops())) {
            const int ready = here.waiting + held, looked = ready < here.crowds() ? ready : here.crowds();
            const int crowd = here.number_of_crowd(), mine = crowd < looked ? crowd : looked - 1;
            const int item = held && mine == 0 ? in_hand : here.in_line(mine - held);
            volatile int ends[Self::most_ends];
            Found<Length> found{enough, Never<i64>::value, 0, ends};
            const int met = look(here, item, found);
            const int first = here.first_crowd(found.ends && crowd < looked),
                      done = first < looked ? first + 1 : looked;
            if (crowd < (takes_best || first >= looked ? done : first)) evaluated += met;
            here.leave(team.rank % here.crowd() == 0 && crowd >= held && crowd < done, item, done - held);
            held = first < looked;
            if (!held) continue;
            const bool has = found.ends && crowd == first;
            const int by = team.leader(has && takes_best ? found.gain : enough, has ? found.number : Never<i64>::value);
            in_hand = team.told(item, by);
            if constexpr (!takes_best) {
                const i64 last = team.told(found.number, by);
                const int until = team.size > 1 ? look(here, in_hand, found, last) : met;
                if (crowd == 0) evaluated += until;
            }
            make(here, walk, found, by);
        }
        here.evaluated += evaluated;
    }

    // the exchange that a thread has found
    template <class Here, class Length>
    MH_FN void make(Here& here, Walk& walk, const Found<Length>& found, int by) const {
        const Team team = here.team;
        const Length gain = team.told(found.gain, by);
        const int ends = team.told(found.ends, by);
        Total dearer = 0;
        int own = 0;
        MH_ROLLED
        for (int e = 0; e < ends; e += 4) {
            int at[4];
            for (int k = 0; k < 4; ++k) at[k] = team.told(int(found.at[e + k]), by);
            const bool odd = team.rank & 1;
            const int mine = team.rank & 2 ? (odd ? at[3] : at[2]) : (odd ? at[1] : at[0]);
            own = team.rank / 4 == e / 4 ? mine : own;
            dearer += here.make(at[0], at[1], at[2], at[3]);
            if (team.size != 32) here.wait(at[0], at[1], at[2], at[3]);
        }
        if (team.size == 32) here.line_up(own, ends);
        walk.cost += Here::guided ? dearer : -Total(gain);
    }

    MH_FN Outcome step(Walk& walk) const {
        auto here = tour(walk, Unguided{});
        const Total before = walk.cost;
        copy_solution(walk.team, home.data, walk.x, walk.problem.n);
        here.wait_all();
        descend(here, walk, true);
        if (walk.cut) return walk.back_to(home.data, before);
        prepare_problem(walk.problem, walk.team, walk.x, walk.state);
        walk.team.sync();
        return {true, here.team.reduce(here.evaluated)};
    }

    // a move of a search around this one; the positions are not updated
    template <class O, class M> MH_FN bool join(Walk& walk, const O& other, M m, Cost delta, bool) const {
        walk.make_move(other, m, delta);
        prepare_neighborhood(other, walk.team, walk.x);
        walk.team.sync();
        return false;
    }
};
#endif
