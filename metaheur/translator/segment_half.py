"""The C++ half of a problem whose lists are made of joined segments."""

from __future__ import annotations

from metaheur.marker import compiled_members
from metaheur.translator.fold_half import Declares
from metaheur.translator.functions import read_function
from metaheur.translator.kinds import Kind, Objectives, Special
from metaheur.translator.reading import read
from metaheur.translator.results import require_return
from metaheur.translator.scope import Function
from metaheur.translator.segments import walks

__all__ = ["add_segments"]

_ALONE = ("const Team team = one_team().alone();",)

_HEADS = """    MH_FN Segment begun(int head) const { return unit_of(head); }
    MH_FN Cost closed(Segment a, int head) const { return price(joined(a, unit_of(head))); }"""
"""A list begins with its head, and ends with it."""

_BEGINS = """    MH_FN Segment begun(int head) const { return {begin(head - int(lists_shape(0))), head, head}; }
    MH_FN Cost closed(Segment a, int) const { return price(a); }"""
"""A list begins with numbers of its own."""

_MEMBERS = """    MH_FN Segment unit_of(int place) const { return {unit(place), place, place}; }
    MH_FN Segment joined(Segment a, Segment b) const { return {join(a, b), a.first, b.last}; }
    MH_FN Total cost(Team team, const Item* x) const { return segments_cost(*this, team, x); }
    MH_FN Total kept_cost(Team team, const Item* x, State s) const {
        return segments_cost(*this, team, x, [=](int k) { return Total(s.segment_prices(k)); });
    }
    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(lists_shape(1), [=](i64 k) { segments_of(*this, x, s).enter(int(k)); });
        if (lists_optional) team.for_each(lists_shape(0), [=](i64 k) { segments_of(*this, x, s).leave(int(k)); });
    }
    MH_FN Cost inserted(const Item* x, State s, int item, int place) const {
        return segments_of(*this, x, s).inserted(item, place);
    }
    template <class F> MH_FN auto best_pair(const Item* x, State s, int list, int first, int second, F open) const {
        return segments_of(*this, x, s).best_pair(list, first, second, open);
    }
    MH_FN Cost inserted_below(const Item* x, State s, int item, int place, Cost least) const {
        return segments_of(*this, x, s).inserted_below(item, place, least);
    }
    MH_FN Cost inserted_with(const Item* x, State s, int item, int visit, int place, bool before, Cost least) const {
        return segments_of(*this, x, s).inserted_with(item, visit, place, before, least);
    }
    MH_FN Cost exchanged(const Item* x, State s, int one, int other) const {
        return segments_of(*this, x, s).exchanged(one, other);
    }
    MH_FN void renew(const Item* x, State s, int place) const {
        segments_of(*this, x, s).renew(place);
    }
    MH_FN void entered(const Item* x, State s, int item, int place) const {
        segments_of(*this, x, s).entered(item, place);
    }
    template <class M> MH_FN auto delta(Team, const Item* x, State s, M m) const
        -> decltype(segments_of(*this, x, s).delta(m)) {
        return segments_of(*this, x, s).delta(m);
    }
    template <class M> MH_FN auto commit(Team team, const Item* x, State s, M m) const
        -> decltype(segments_of(*this, x, s).commit(team, m)) {
        segments_of(*this, x, s).commit(team, m);
    }"""


def add_segments(half: Declares) -> None:
    """Add the numbers of a segment, `unit`, `join` and `price`, and what follows from them."""
    optional = half.facts.optional
    numbers = " ".join(f"{'double' if half.facts.floating else 'Cost'} {name};" for name in half.facts.segment)
    half.members.append(
        [
            f"    struct Numbers {{ {numbers} }};",
            "    struct Segment : Numbers { int first, last; };",
            f"    static constexpr bool lists_longest = {half.facts.longest:d}, lists_optional = {optional:d}, "
            f"lists_grow = {half.facts.grows:d}, lists_walk = {walks(half.facts.owner):d};",
        ]
    )
    begins = "begin" in compiled_members(half.facts.owner)
    if begins:
        begin = _read(half, "begin", "place")
        given = half.parameter(begin, *begin.parameters[0], "int")
        half.add(f"MH_FN Numbers begin({given}) const", begin, shares=False, begin=_ALONE)
    unit, join, price = (_read(half, *each) for each in (("unit", "place"), ("join", "a", "b"), ("price", "a")))
    place = half.parameter(unit, *unit.parameters[0], "int")
    half.add(f"MH_FN Numbers unit({place}) const", unit, shares=False, begin=_ALONE)
    both = ", ".join(f"Segment {half.names(join).of(name)}" for name, _ in join.parameters)
    half.add(f"MH_FN Numbers join({both}) const", join, shares=False, begin=_ALONE)
    one = half.names(price).of(price.parameters[0][0])
    half.add(f"MH_FN Cost price(Segment {one}) const", price, shares=False, begin=_ALONE)
    if optional:
        left_out = _read(half, "left_out", "place")
        item = half.parameter(left_out, *left_out.parameters[0], "int")
        half.add(f"MH_FN Cost left_out({item}) const", left_out, shares=False, begin=_ALONE)
    half.members.append([*(_BEGINS if begins else _HEADS).splitlines(), *_MEMBERS.splitlines()])


def _read(half: Declares, name: str, *roles: str) -> Function:
    text = read(compiled_members(half.facts.owner)[name].overloads[0])
    given = text.parameters
    if len(given) != len(roles) + 1:
        raise text.refusal(
            text.tree, f"{name} has the parameters ({', '.join(given)}).", f"write (self, {', '.join(roles)})."
        )
    kinds: dict[str, Kind] = {given[0]: Special("self")}
    for parameter, role in zip(given[1:], roles, strict=True):
        kinds[parameter] = half.facts.items if role == "place" else Special("segment")
    function = read_function(half.unit, text, kinds, "Cost")
    if name in ("price", "left_out"):
        require_return(text, function, "Cost", floating=half.facts.floating, objectives=half.facts.objectives)
    elif not isinstance(function.returns, Objectives):
        raise text.refusal(
            text.tree,
            f"{name} must return the numbers of a segment.",
            f"end it with return {', '.join(half.facts.segment)}" + ("," if len(half.facts.segment) == 1 else "."),
        )
    return function
