// Choose among a whole neighborhood. The scan keeps the change of cost of every move, where this pays, and, where the
// memory allows it, the last iteration in which each move is forbidden, minus `base`.
struct Scan : ScanData {
    typedef decltype(ScanData::neighborhood) N;
    typedef decltype(ScanData::memory) Memory;
    typedef Does<Problem, N> Offers;

    // whether the problem visits its feasible moves, so that no others are looked at
    static constexpr bool visits = Offers::visits && !MH_STATELESS;

    // whether an expiry is kept for each move: a move then changes the expiries of the moves that it touches, and no
    // others. Otherwise the memory is asked, and only about moves that would be chosen.
    static constexpr bool tracks =
        Memory::forbids && Memory::local && Offers::around && !random_ties && !Memory::penalises && !visits;

    // whether changes of cost stay valid after a move, or are read more than once
    static constexpr bool tabulates =
        !visits && (Offers::update || Offers::groups || !Offers::delta || tracks ||
                    (Memory::forbids && (decltype(ScanData::aspiration)::precedes || least_tabu)));

    // Whether the least expiry of all moves tells for a while that no move was absent for long. Only after this time a
    // step looks for moves that were. A move that leads to a new best solution is the best of all anyway.
    static constexpr bool foresees =
        KeepsOldest<ScanData, int>::value && ForeseesAbsence<decltype(ScanData::aspiration), int>::value &&
        ExpiriesRise<Memory, N>::value && TakesDeltas<decltype(ScanData::selection), int>::value &&
        !Memory::penalises && !N::partial && !HasWeighing<decltype(ScanData::acceptance), int>::value;

    // whether scores rise with changes of cost
    static constexpr bool rises =
        decltype(ScanData::selection)::monotone && !HasWeighing<decltype(ScanData::acceptance), int>::value;

    MH_FN i32 relative(i64 iteration, i64 to) const {
        const i64 r = iteration - to;
        return r < -2147483647 ? -2147483647 : r > 2147483646 ? 2147483646 : i32(r);
    }

    MH_FN void prepare(Walk& walk) {
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        arrive(memory, walk, true);
        walk.team.sync();
        if constexpr (!N::resamples) evaluate(walk);
    }

    // compute the whole table, and all expiries
    MH_FN void evaluate(Walk& walk) {
        forget(*this);
        if constexpr (tabulates)
            evaluate_all(walk.problem, neighborhood, walk.team, walk.x, walk.state, table.data, walk.scratch);
        if constexpr (tracks) remind(walk);
        walk.team.sync();
    }

    MH_FN void remind(Walk& walk) {
        base = walk.iteration;
        i32* expiry = expiries.data;
        walk.team.visit(neighborhood, [&](i64 k, auto m) {
            expiry[k] = relative(expiry_of(memory, neighborhood, walk, k, m), base);
        });
    }

    // what makes scores of changes of cost: the selection, or the weights of an acceptance
    template <class A = decltype(ScanData::acceptance)> MH_FN auto scores() const {
        if constexpr (HasWeighing<A, int>::value) return static_cast<const A&>(acceptance).weighing();
        else return selection;
    }

    MH_FN Outcome step(Walk& walk) {
        if constexpr (N::resamples) {
            resample(neighborhood, walk.random(sample_stream));
            evaluate(walk);
        } else if constexpr (tracks) {
            if (walk.iteration - base >= horizon) {  // the expiries would leave 32 bits
                walk.team.sync();
                remind(walk);
                walk.team.sync();
            }
        }
        made = -1;
        const i64 size = neighborhood.size();
        if (escaping(memory)) return escape(*this, walk, size);
        EvaluatedMove chosen = choose(walk, scores());
        if constexpr (!decltype(ScanData::selection)::monotone)
            if (ends_where_refused && chosen.index >= 0 && !accepts(acceptance, walk, chosen.delta, walk.cost))
                chosen = choose(walk, ByDelta());
        if constexpr (Memory::forbids && least_tabu)
            if (chosen.index < 0) chosen = soonest(walk);
        if (cancelled()) {
            walk.cut = true;
            return {false, 0};
        }
        if (chosen.index < 0) return {!Memory::forbids || size == 0, size};
        if (!accepted(walk, chosen.delta)) return {ends_where_refused, size};
        make(walk, chosen.index, chosen.delta);
        return {false, size};
    }

    // the score where a selection that is not monotone has chosen a move that is refused
    struct ByDelta {
        MH_FN Cost score(Cost delta) const { return delta; }
    };

    // the score of moves that lead to a new best solution, all of which are equally good; about other moves the memory
    // is not asked
    struct NewBests {
        Cost gap;
        MH_FN Cost score(Cost delta) const { return select(delta < gap, Cost(0)); }
    };

    MH_FN bool accepted(Walk& walk, Cost delta) {
        const bool yes = accepts(acceptance, walk, delta, walk.cost);
        record(acceptance, walk, yes, yes ? walk.cost + delta : walk.cost);
        return yes;
    }

    // the change of cost of a move, by its formula
    MH_FN auto formula(const Walk& walk) const {
        const auto problem = walk.problem;  // copies, which a compiler keeps in registers
        const auto state = walk.state;
        const auto moves = neighborhood;
        const Team one = walk.team.alone();
        const Item* x = walk.x;
        return [=](i64, auto m) { return delta_of(problem, moves, one, x, state, m); };
    }

    template <class S> MH_FN EvaluatedMove choose(Walk& walk, S selects) {
        const auto scored = [=](Cost delta) {
            if constexpr (N::partial) return delta == Never<Cost>::value ? delta : selects.score(delta);
            else return selects.score(delta);
        };
        if constexpr ((Memory::forbids && !tracks) || random_ties || visits) {
            return choose_admitted(walk, selects);
        } else if constexpr (!tabulates) {
            const auto delta = formula(walk);
            return agreed(walk, walk.team.best_of(neighborhood, 0, neighborhood.size(), delta,
                                                  [=](i64, Cost d) { return scored(d); }));
        } else {
            const auto best = [&](auto score) {
                return agreed(walk, walk.team.best_in_table(neighborhood, table.data, score));
            };
            if constexpr (!Memory::forbids) {
                return best([=](i64, Cost d) { return scored(d); });
            } else {
                const i32* expiry = expiries.data;
                const auto aspires = aspiration;
                const Cost gap = clamp(walk.best - walk.cost);
                const i32 now = relative(walk.iteration, base), began = relative(walk.began, base);
                const auto aspiring = [=](i64 k, Cost d) {
                    return aspires.aspires(d, gap, expiry[k] < began ? began : expiry[k], now);
                };
                if constexpr (foresees) return look(*this, walk, gap, now, best, scored);
                if constexpr (decltype(aspiration)::precedes) {
                    const auto first = best([=](i64 k, Cost d) {
                        return select(aspiring(k, d), aspires.takes_first ? NewBests{gap}.score(d) : scored(d));
                    });
                    if (first.index >= 0) return first;
                }
                return best([=](i64 k, Cost d) { return select((expiry[k] < now) | aspiring(k, d), scored(d)); });
            }
        }
    }

    // The best of the moves that are not forbidden; best(score) finds the move of lowest score. Where moves may have
    // been absent for long, first that of those that aspire; if there is none, `oldest` is counted anew before.
    template <class C, class B, class F>
    MH_FN static EvaluatedMove look(C& scan, Walk& walk, Cost gap, i32 now, B best, F scored) {
        const i32* expiry = scan.expiries.data;
        const auto least = [=](i64 k, Cost) { return Cost(expiry[k]); };
        const auto open = [=](i32 limit) {
            return [=](i64 k, Cost d) { return select((expiry[k] < limit) | (d < gap), scored(d)); };
        };
        bool absent = some_may_precede(scan, walk), counts = false;
        if constexpr (!one_code) {
            if (absent) {
                const EvaluatedMove first = best(open(scan.aspiration.absent_before(now)));
                if (first.index >= 0) return first;
                scan.oldest(0) = scan.oldest_of(walk, scan.base, best(least));
            }
            return best(open(now));
        }
        MH_ROLLED
        for (;;) {
            const auto admitted = open(absent ? scan.aspiration.absent_before(now) : now);
            const auto found = best([=](i64 k, Cost d) { return counts ? least(k, d) : admitted(k, d); });
            if (counts) scan.oldest(0) = scan.oldest_of(walk, scan.base, found);
            else if (!absent || found.index >= 0) return found;
            counts = absent;
            absent = false;
        }
    }

    // no move is absent for longer than the walk is where it is
    MH_FN static i64 since(const Walk& walk, i64 expiry) { return expiry < walk.began ? walk.began : expiry; }

    // whether moves that precede all others must be looked for
    template <class S> MH_FN static bool some_may_precede(const S& scan, const Walk& walk) {
        if constexpr (foresees) {
            const i64 before = scan.aspiration.absent_before(walk.iteration);
            return scan.oldest(0) < before && walk.began < before;
        } else {
            return true;
        }
    }

    // after this, a step must look for moves that were absent for long
    template <class S> MH_FN static void forget(S& scan) {
        if constexpr (foresees) scan.oldest(0) = 0;
    }

    // the least expiry, from the move that has it, less `from`; but at most the present iteration
    MH_FN static i64 oldest_of(const Walk& walk, i64 from, EvaluatedMove found) {
        const i64 least = found.index < 0 ? walk.iteration : from + i64(found.score);
        return least < walk.iteration ? least : walk.iteration;
    }

    // `foresee` where the memory is asked about each move, and no move was absent for long: from now on no expiry is
    // less than `oldest`, since the values that a move removes expire later
    template <class S> MH_FN static void foresee(S& scan, Walk& walk) {
        if constexpr (foresees) scan.oldest(0) = oldest_of(walk, walk.iteration, scan.soonest(walk));
    }

    // `choose` where the memory is asked about each move
    template <class S> MH_FN EvaluatedMove choose_admitted(Walk& walk, S selects) {
        const Cost gap = clamp(walk.best - walk.cost);
        const i64 now = walk.iteration;
        const auto expiry = [&](i64 k, auto move) { return expiry_of(memory, neighborhood, walk, k, move); };
        if constexpr (!Memory::forbids) {
            return admitted(walk, selects, [](i64, auto, Cost) { return true; });
        } else {
            if constexpr (decltype(aspiration)::precedes) {
                const auto aspires = [&](i64 k, auto move, Cost d) {
                    return aspiration.aspires(d, gap, since(walk, expiry(k, move)), now);
                };
                if (some_may_precede(*this, walk)) {
                    EvaluatedMove first;
                    if constexpr (decltype(aspiration)::takes_first) first = admitted(walk, NewBests{gap}, aspires);
                    else first = admitted(walk, selects, aspires);
                    if (first.index >= 0) return first;
                    foresee(*this, walk);
                }
            }
            return admitted(walk, selects, [&](i64 k, auto move, Cost d) {
                const i64 until = expiry(k, move);
                return until < now || aspiration.aspires(d, gap, since(walk, until), now);
            });
        }
    }

    // the admitted move of lowest score
    template <class S, class A> MH_FN EvaluatedMove admitted(Walk& walk, S selects, A admits) const {
        const Item* x = walk.x;
        return lowest(walk, [&](i64 k, auto move, Cost d) {
            if constexpr (Memory::penalises)
                if (d >= 0 && d < Cost(1 << 30)) d += Cost(penalty_of(memory, neighborhood, x, k, move));
            return selects.score(d);
        }, admits);
    }

    // where every move is forbidden, the move that is forbidden for the shortest time
    MH_FN EvaluatedMove soonest(Walk& walk) const {
        return lowest(walk, [&](i64 k, auto move, Cost) {
            return Cost(relative(expiry_of(memory, neighborhood, walk, k, move), walk.iteration));
        }, [](i64, auto, Cost) { return true; });
    }

    // the feasible move of lowest score(index, move, delta) that admits(index, move, delta)
    template <class S, class A> MH_FN EvaluatedMove lowest(Walk& walk, S score, A admits) const {
        const u32 bits = random_ties ? walk.random(ties_stream).bits(0) : 0;
        const auto tag = [=](i64 k) { return random_ties ? shuffled(k, bits) : k; };
        const auto scored = [&](i64 k, auto move, Cost d) {
            return N::partial && d == Never<Cost>::value ? d : Cost(score(k, move, d));
        };
        EvaluatedMove found;
        if constexpr (tabulates) {
            const Cost* deltas = table.data;
            found = walk.team.best_admitted(neighborhood, [=](i64 k, auto) { return deltas[k]; }, scored, tag, admits);
        } else if constexpr (visits) {
            found = lowest_visited<rises>(walk.problem, neighborhood, walk, score, tag, admits);
        } else {
            found = walk.team.best_by_formula(neighborhood, formula(walk), scored, tag, admits);
        }
        found = agreed(walk, found);
        if (random_ties && found.index >= 0) found.index &= (i64(1) << 39) - 1;
        return found;
    }

    MH_FN static EvaluatedMove agreed(Walk& walk, EvaluatedMove best) { return walk.team.agree(best, walk.turn); }

    // make the move with this index, and update the table and the expiries
    MH_FN void make(Walk& walk, i64 index, Cost change) {
        const auto m = neighborhood.unrank(index);
        made = index;
        remember(memory, neighborhood, walk, index, m);
        walk.make_move(neighborhood, m, change);
        visit(memory, walk);
        arrive(memory, walk, false);
        prepare_neighborhood(neighborhood, walk.team, walk.x);
        walk.team.sync();
        if constexpr (!N::resamples) follow(walk, m);
    }

    // make the move of a search around this one, which is not remembered; returns whether the table was updated
    template <class O, class M> MH_FN bool join(Walk& walk, const O& other, M m, Cost delta, bool stale) {
        walk.make_move(other, m, delta);
        arrive(memory, walk, true);
        prepare_neighborhood(other, walk.team, walk.x);
        walk.team.sync();
        forget(*this);  // the move is not remembered, so old expiries come back
        if constexpr (Same<O, N>::value && Offers::update) {
            if (stale) return false;
            follow(walk, m);
            return true;
        } else {
            return false;
        }
    }

    // update changes of cost and expiries after a move: first of all other moves at once, then of the moves it touched
    template <class M> MH_FN void follow(Walk& walk, M m) const {
        if constexpr (Offers::update) {
            update_all(walk.problem, neighborhood, walk.team, walk.state, table.data, m);
        } else if constexpr (tabulates) {
            evaluate_all(walk.problem, neighborhood, walk.team, walk.x, walk.state, table.data, walk.scratch);
        }
        walk.team.sync();
        if constexpr (Offers::update || tracks) refresh(walk, m);
        walk.team.sync();
    }

    // evaluate the moves that a move touched: the change of cost, if the table is only updated, and the expiry
    template <class M> MH_FN void refresh(Walk& walk, M m) const {
        walk.team.around(neighborhood, m, [&](Team tile, i64 k, auto other) {
            if constexpr (Offers::update) {
                const Cost delta = delta_of(walk.problem, neighborhood, tile, walk.x, walk.state, other);
                if (tile.rank == 0) table(k) = delta;
            }
            if constexpr (tracks)
                if (tile.rank == 0) expiries(k) = relative(expiry_of(memory, neighborhood, walk, k, other), base);
        });
    }
};
