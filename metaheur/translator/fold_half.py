"""The C++ half of a problem whose cost is a fold."""

from __future__ import annotations

from typing import Any, Protocol

from metaheur.errors import CompileError
from metaheur.marker import compiled_members
from metaheur.translator.facts import ComponentFacts
from metaheur.translator.functions import read_function
from metaheur.translator.joins import back_lines, joins, kinds_of
from metaheur.translator.kinds import Kind, Vector
from metaheur.translator.lanes import Unlike, lane_functions
from metaheur.translator.names import Names
from metaheur.translator.reading import read
from metaheur.translator.results import require_return
from metaheur.translator.scope import Function, Unit
from metaheur.translator.team import same
from metaheur.translator.tree import Binary, Scalar, Write, nodes

__all__ = ["add_fold"]


class Declares(Protocol):
    """A C++ half while it is made, as folds add to it."""

    facts: ComponentFacts
    unit: Unit
    members: list[list[str]]
    checked: bool
    notes: list[str]

    def names(self, function: Function) -> Names:
        """The C++ names of a function's variables."""

    def add(self, head: str, function: Function, *, shares: bool, begin: tuple[str, ...] = ()) -> None:
        """Add a function that was translated."""

    def parameter(self, function: Function, name: str, kind: Kind, given: str = "") -> str:
        """The declaration of a parameter."""


_ALONE = ("const Team team = one_team().alone();",)

_MEMBERS = """    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(1, [&](int) { return Total(fold_cost(*this, x)); });
    }
    MH_FN void init(Team team, const Item* x, State s) const { fold_init(*this, team, x, s); }
    template <class M> MH_FN void commit(Team team, const Item* x, State s, M m) const {
        fold_commit(*this, team, x, s, m);
    }
    template <class M, class = typename FoldMove<M>::type>
    MH_FN Word delta(Team, const Item* x, State s, M m) const {
        return fold_delta(*this, x, s, m);
    }
    template <class N, class = typename FoldGroups<N>::type>
    MH_FN void deltas(Team team, const Item* x, State s, const N& neighborhood, i64 group, Word* out) const {
        fold_deltas(*this, team, x, s, neighborhood, group, out);
    }"""


_ONE_BY_ONE = """#ifndef __CUDACC__
    typedef FoldLanes<Word, words> Lanes;
    MH_FN static int of_lane(int item, int) { return item; }
    MH_FN static int of_lane(Lanes::Numbers items, int lane) { return int(items[lane]); }
    static constexpr bool together = false;
    template <class I> MH_FN void step_lanes(Lanes& lanes, I item, I previous) const {
        for (int l = 0; l < Lanes::count; ++l) {
            Fold state = lanes.of(l);
            step(state, of_lane(item, l), of_lane(previous, l));
            lanes.put(l, state);
        }
    }
#endif"""


def add_fold(half: Declares) -> None:
    """Add the state of a fold, `step` and `finish`, and what follows from them."""
    members = compiled_members(half.facts.owner)
    name = half.facts.owner.__name__
    also = [each for each in ("delta", "init", "commit", "update", "feasible") if each in members]
    if also:
        raise CompileError(
            f"{name} is a fold, and has a compiled {also[0]}, too.",
            f"leave {also[0]} out: it follows from step and finish; or write cost(self, x).",
        )
    step = _read(half, "step", ("state", "item", "previous"))
    finish = _read(half, "finish", ("state", "last"))
    half.members.append(_state(half, step).splitlines())
    half.add(f"MH_FN void step(Fold& s, {_given(half, step, 2)}) const", step, shares=False, begin=_ALONE)
    half.add(f"MH_FN Word finish(Fold s, {_given(half, finish, 1)}) const", finish, shares=False, begin=_ALONE)
    half.members.append(_lanes(half, step).splitlines())
    half.members.append(_back(half, step, finish))
    half.members.append(_MEMBERS.splitlines())


def _read(half: Declares, name: str, roles: tuple[str, ...]) -> Function:
    """Read `step` or `finish`; the last parameter may be left out."""
    text = read(compiled_members(half.facts.owner)[name].overloads[0])
    given = text.parameters
    if len(given) - 1 not in (len(roles), len(roles) - 1):
        raise text.refusal(
            text.tree,
            f"{name} has the parameters ({', '.join(given)}).",
            f"write (self, {', '.join('s' if each == 'state' else each for each in roles)}).",
        )
    function = read_function(half.unit, text, kinds_of(half.facts, given, roles), "Cost")
    require_return(text, function, "void" if name == "step" else "Cost", floating=half.facts.floating)
    return function


def _given(half: Declares, function: Function, wanted: int) -> str:
    """The parameters behind the state; one that Python leaves out has no name."""
    found = [half.parameter(function, *each) for each in function.parameters[1:]]
    return ", ".join(found + ["int"] * (wanted - len(found)))


def _lanes(half: Declares, step: Function) -> str:
    """`step` for eight states: together, or where that is not possible one by one."""
    if half.checked:
        return _ONE_BY_ONE
    try:
        lines = [*lane_functions(step, half.names(step), half.facts, _ALONE)]
    except Unlike as reason:
        half.notes.append(f"{step.text.path}:{step.text.first}: step takes the lanes of a CPU one by one: {reason}.")
        return _ONE_BY_ONE
    if not any("team" in line for line in lines if line.strip() not in _ALONE):
        lines = [line for line in lines if line.strip() not in _ALONE]
    return "\n".join(
        [
            "#ifndef __CUDACC__",
            "    typedef FoldLanes<Word, words> Lanes;",
            "    static constexpr bool together = true;",
            *lines,
            "#endif",
        ]
    )


def _back(half: Declares, step: Function, finish: Function) -> list[str]:
    """`step` and `finish` backwards, if they only add and take maxima."""
    if half.checked or not joins(half.facts):
        return ["    static constexpr bool joins = false;"]
    lines = [
        "    static constexpr bool joins = true;",
        "    typedef FoldState<Word, words + 1> Tails;  // the last one is that of constants",
    ]
    heads = {"step_back": (step, f", {half.parameter(step, *step.parameters[1])}"), "finish_back": (finish, "")}
    for name, (function, item) in heads.items():
        body = back_lines(function, half.names(function)) or []
        team = [*_ALONE] if any("team" in line for line in body) else []
        lines += [
            f"    MH_FN void {name}(Tails& s{item}) const {{",
            *(f"        {line}" for line in (*team, *body)),
            "    }",
        ]
    return lines


def _state(half: Declares, step: Function) -> str:
    """The places of the state's numbers, lists entry by entry, and which of them only collect a sum."""
    places, at = [], 0
    for name, kind in half.facts.kept:
        places.append((name, at, kind.size.low if isinstance(kind, Vector) else 1))
        at += places[-1][2]
    added = [f"w == {at}" for name, at, _ in places if name in collected(half.facts, step)]
    lines = [
        "    typedef Cost Word;",
        f"    enum FoldPlaces {{ {', '.join(f'at_{name} = {at}' for name, at, _ in places)}, words = {at} }};",
        "    typedef FoldState<Word, words> Fold;",
        f"    static constexpr bool looks_back = {str(len(step.parameters) == 3).lower()};  // at the item before",
        "    // whether step only adds to a number, and reads it for nothing else",
        f"    MH_FN static constexpr bool collects(int w) {{ return {' || '.join(added) or 'w < 0'}; }}",
    ]
    return "\n".join(lines)


def collected(facts: ComponentFacts, step: Function) -> set[str]:
    """The numbers to which `step` adds and that it reads for nothing else; not floats, whose order counts."""
    if facts.floating:
        return set()
    found = {}
    for name, kind in facts.kept:
        place = f"s.word[at_{name}]"
        if isinstance(kind, Vector):
            continue
        uses = sum(isinstance(each, Scalar) and each.name == place for each in nodes(step.body))
        adds = sum(_adds(each, place) for each in nodes(step.body))
        found[name] = uses == 2 * adds  # each addition names the number twice
    return {name for name, only in found.items() if only}


def _adds(node: Any, place: str) -> bool:
    """Whether a statement is `s.name += ...` or `-=`."""
    if not isinstance(node, Write) or len(node.places) != 1 or getattr(node.places[0], "name", "") != place:
        return False
    value = node.values[0]
    return isinstance(value, Binary) and value.operation in ("+", "-") and same(value.left, node.places[0])
