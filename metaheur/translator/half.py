"""The C++ half made of compiled methods: a struct like one written by hand."""

from __future__ import annotations

from functools import lru_cache
from typing import final

from attrs import define, field

from metaheur.errors import CompileError
from metaheur.fields import is_word
from metaheur.marker import Compiled, compiled_members
from metaheur.move import Move
from metaheur.source import APPLY, GROUPS, MOVE_OF_GROUP
from metaheur.translator.emptied import text_of
from metaheur.translator.facts import ComponentFacts
from metaheur.translator.fold_half import add_fold
from metaheur.translator.functions import called, read_function
from metaheur.translator.kinds import Float, Kind, MatrixRow, MoveKind, Special, Truth, Vector, Whole, cpp
from metaheur.translator.known import require_known
from metaheur.translator.lists import is_local
from metaheur.translator.members import NEIGHBORHOODS, PARTS, PROBLEMS, REPRESENTATIONS, Signature, declared, kind_of
from metaheur.translator.names import Names
from metaheur.translator.overloads import MoveOf, move_class
from metaheur.translator.pair_half import add_pair
from metaheur.translator.printer import printed
from metaheur.translator.reading import Text, local_names, read
from metaheur.translator.results import require_return
from metaheur.translator.scope import Function, Unit
from metaheur.translator.segment_half import add_segments
from metaheur.translator.tree import Helper, Scalar, Write, nodes

__all__ = ["Half", "made_half"]


@final
@define(eq=False)
class Half:
    """A C++ half while it is made.

    `facts`: what is known of the instance. `checked`: whether overflow and indices are checked as it runs. `mapped`:
    whether `#line` names the lines of the Python text.
    """

    facts: ComponentFacts
    checked: bool = False
    mapped: bool = True
    unit: Unit = field(init=False)
    members: list[list[str]] = field(factory=list)
    functions: list[Function] = field(factory=list)
    notes: list[str] = field(factory=list)
    named: dict[int, Names] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.unit = Unit(self.facts, called)

    @property
    def text(self) -> str:
        """The struct."""
        name, begin = self.facts.owner.__name__, ""
        if self.facts.family == "move":
            fields = ", ".join(name for name, _ in self.facts.members)
            begin = f"    int {fields};\n" if fields else ""
            return f"struct {name} {{\n{begin}{''.join(self._all())}}};\n"
        return f"struct {name} : {name}Data {{\n{''.join(self._all())}}};\n"

    def _all(self) -> list[str]:
        """The helpers that members call, in the order of their first calls, and then the members."""
        called = self._called()
        helpers = [
            self.printed(function, self.head_of(function), shares=True)
            for function in self.unit.helpers.values()
            if function.name in called and function.name != "init"  # which is a member
        ]
        return ["\n".join(each) + "\n" for each in (*helpers, *self.members)]

    def _called(self) -> set[str]:
        """The names of the helpers that are called; other helpers were read for preliminary kinds of variables."""
        helpers = {function.name: function for function in self.unit.helpers.values()}
        found: set[str] = set()
        pending = list(self.functions)
        while pending:
            names = {each.name for each in nodes(pending.pop().body) if isinstance(each, Helper)} - found
            found |= names
            pending += [helpers[name] for name in names]
        return found

    def add(self, head: str, function: Function, *, shares: bool, begin: tuple[str, ...] = ()) -> None:
        """Add a member: its declaration, and lines to begin with, each only where the body uses its variable."""
        self.members.append(self.printed(function, head, shares=shares, begin=begin))
        self.functions.append(function)

    def printed(self, function: Function, head: str, *, shares: bool, begin: tuple[str, ...] = ()) -> list[str]:
        """The lines of a function."""
        body = printed(
            function,
            answers=head.split("MH_FN ")[1].split(" ", maxsplit=1)[0],
            names=self.names(function),
            arranges=self.facts.arranges,
            shares=shares,
            checked=self.checked,
            mapped=self.mapped,
        )
        self.notes += [note for note in body.notes if note not in self.notes]
        lines = [f'#line {function.text.first} "{function.text.path}"'] if self.mapped else []
        needed = [line for line in begin if any(_named(line) in each for each in body.lines)]
        inside = (line if line.startswith("#") else f"    {line}" for line in body.lines)
        return [*lines, f"    {head} {{", *(f"        {line}" for line in needed), *inside, "    }"]

    # ---- declarations

    def names(self, function: Function) -> Names:
        """The C++ names of a function's variables, the same where it is declared and in its body."""
        if id(function) not in self.named:
            members = {name for name, _ in (*self.facts.members, *self.facts.kept)}
            helpers = {each.name for each in self.unit.helpers.values()}
            found = self.named[id(function)] = Names(
                {"n"} | members | helpers | set(compiled_members(self.facts.owner))
            )
            for name in local_names(function.text.function.__code__):
                found.of(name)
        return self.named[id(function)]

    def parameter(self, function: Function, name: str, kind: Kind, given: str = "") -> str:
        """A parameter that is a number or a move."""
        names = self.names(function)
        own = names.given(name) if name in function.variables else names.of(name)
        if isinstance(kind, MoveKind):
            return f"{kind.of.__name__}{'<flips>' if kind.of.__name__ == 'FlipMove' else ''} {own}"
        return f"{given or cpp(kind, function.cost)} {own}"

    def head_of(self, function: Function) -> str:
        """The declaration of a helper."""
        given = ["Team team"]
        if "x" in function.takes:
            given.append("const Item* x" if "x" not in function.writes else "Item* x")
        if "s" in function.takes:
            given.append("State s")
        templates = ["int flips"] if any(_flips(kind) for _, kind in function.parameters) else []
        for name, kind in function.parameters:
            if isinstance(kind, MatrixRow):
                names = self.names(function)
                row = names.fresh("Row")
                templates.append(f"class {row}")
                given.append(f"{row} {names.of(name)}")
            elif is_local(kind):
                given.append(f"{cpp(kind, function.cost)} {self.names(function).of(name)}")
            elif isinstance(kind, Whole | Float | Truth | MoveKind) or (
                isinstance(kind, Special) and kind.what == "random"
            ):
                given.append(self.parameter(function, name, kind))
        before = f"template <{', '.join(templates)}> " if templates else ""
        constant = "" if _writes_numbers(function) else " const"
        return f"{before}MH_FN {cpp(function.returns, function.cost)} {function.name}({', '.join(given)}){constant}"


_ALONE = ("const Team team = one_team().alone();",)
_START = ("const Team team = walk.team;", "const Total start_cost = walk.cost;", "const Item* start_x = walk.x;")
"""The first lines of functions that are given no team, and of the `init` of parts."""


def _named(line: str) -> str:
    """The variable that a line declares."""
    return line.partition(" =")[0].rpartition(" ")[2]


def _flips(kind: Kind) -> bool:
    return isinstance(kind, MoveKind) and kind.of.__name__ == "FlipMove"


def _writes_numbers(function: Function) -> bool:
    """Whether a function writes a number that a part keeps."""
    stores = (each for each in nodes(function.body) if isinstance(each, Write))
    return any(isinstance(place, Scalar) for each in stores for place in each.places)


# ---- problems


def _problem(half: Half) -> None:
    members = compiled_members(half.facts.owner)
    if half.facts.folds:
        add_fold(half)
        return
    if half.facts.segment:
        add_segments(half)
    for name in PROBLEMS:
        for function in members[name].overloads if name in members else ():
            text = text_of(function, half.facts)
            for move in _moves_for(text, name) if name not in ("cost", "violations", "init") else (None,):
                _problem_member(half, name, text, move)
    for each in half.facts.derivation.methods:
        if each.beside is not None and each.move is not None:
            add_pair(half, each.text, (MoveOf(each.beside[1], each.beside[0]), MoveOf(each.move, each.part)))
            continue
        move = None if each.move is None else MoveOf(each.move, each.part)
        _problem_member(half, each.name, each.text, move, one_flip=not each.several, derived=True)


_RETURNS = {"cost": "Total", "delta": "Cost", "update": "Cost", "feasible": "bool", "violations": "i64"}


def _moves_for(text: Text, name: str) -> tuple[MoveOf, ...]:
    found = move_class(text.function)
    if found is None:
        last = text.parameters[-1] if name != "update" else text.parameters[min(2, len(text.parameters) - 1)]
        raise text.refusal(
            text.tree,
            f"{name} does not name the class of its moves.",
            f"write {last}: SwapMove, or another class of moves.",
        )
    return found


def _problem_member(  # noqa: PLR0913 - keyword-only
    half: Half, name: str, text: Text, move: MoveOf | None, *, one_flip: bool = False, derived: bool = False
) -> None:
    """Add a member of a problem, of all classes of moves with flips; or of those with one flip only."""
    given, forms = text.parameters, PROBLEMS[name]
    roles = next((form for form in forms if len(form) == len(given) - 1), None)
    if roles is None:
        wanted = " or ".join(f"({', '.join(('self', *form))})" for form in forms)
        raise text.refusal(text.tree, f"{name} has the parameters ({', '.join(given)}).", f"write {wanted}.")
    kinds: dict[str, Kind] = {given[0]: Special("self")}
    arguments, lifted = list[str](), list[str]()
    for parameter, role in zip(given[1:], roles, strict=True):
        kinds[parameter] = _role(half, role, move.kind if move is not None else None)
    part = _part_of(half, text, move)
    several = 0 if derived or name in ("feasible", "violations") else half.facts.objectives
    if name == "update" and several:
        what = "levels" if half.facts.levels else "several objectives"
        raise text.refusal(text.tree, f"update is not translated for {what}.", "leave update out.")
    number = several and not half.facts.levels
    cost = "Number" if number else "Total" if name in ("cost", "violations") else "Cost"
    function = read_function(half.unit, text, kinds, cost)
    returns = _RETURNS.get(name, "void")
    require_return(text, function, returns, floating=half.facts.floating, objectives=several)
    if name != "update":
        arguments.append("Team team")
    for parameter, role in zip(given[1:], roles, strict=True):
        if role == "x":
            arguments.append("const Item* x")
        elif role == "state":
            arguments.append("State s")
        elif role == "move" and part is not None:
            declared_as, _, own = half.parameter(function, parameter, kinds[parameter]).rpartition(" ")
            arguments.append(f"PartMove<{part}, {declared_as}> mh_{own}")
            lifted.append(f"const {declared_as} {own} = mh_{own}.move;")
        else:
            arguments.append(half.parameter(function, parameter, kinds[parameter], "Cost" if role == "delta" else ""))
    before = "template <int flips> " if move is not None and move.kind.__name__ == "FlipMove" else ""
    head = f"{before}MH_FN {returns} {name}({', '.join(arguments)}) const"
    if one_flip:
        head = head.removeprefix(before).replace("<flips>", "<1>")
        lifted = [each.replace("<flips>", "<1>") for each in lifted]
    begin = (*(_ALONE if name == "update" else ()), *(("constexpr int flips = 1;",) if one_flip else ()))
    half.add(head, function, shares=name != "update", begin=(*begin, *lifted))


def _part_of(half: Half, text: Text, move: MoveOf | None) -> int | None:
    """The number of the part that a formula's move changes; None for moves of the whole solution."""
    names = [name for name, _ in half.facts.parts]
    if move is None or not (names or move.part):
        return None
    if move.part not in names:
        kind = move.kind.__name__
        raise text.refusal(
            text.tree,
            f"{text.name} takes a {kind} of {move.part or 'the whole solution'}, but its moves are those of a part: "
            f"{', '.join(names) or 'solutions have none'}.",
            f'write {text.parameters[-1]}: Annotated[{kind}, "{names[0]}"].' if names else f"write {kind}.",
        )
    return names.index(move.part)


def _role(half: Half, role: str, move: type[Move] | None) -> Kind:
    match role:
        case "x" | "child" | "other":
            name = "mh_other" if role == "other" else "x"
            return Vector(name, half.facts.items, form="items", written=role == "child")
        case "delta":
            return kind_of("Cost", floating=half.facts.floating)
        case "move":
            assert move is not None
            return MoveKind(move)
        case "kept":
            return Special("state")
    return Special(role)


# ---- parts


_ITEMS = {"child": "Item* x", "other": "const Item* mh_other"}
"""The parents of a crossover, the first of which becomes the child."""


def _part(half: Half) -> None:
    for name, member in compiled_members(half.facts.owner).items():
        signature = (PARTS if half.facts.family == "part" else REPRESENTATIONS).get(name)
        for function in member.overloads if signature is not None else ():
            assert signature is not None
            text = read(function)
            for move in _moves_for(text, name) if "move" in signature.before else (None,):
                _part_member(half, name, text, signature, None if move is None else move.kind)


def _part_member(half: Half, name: str, text: Text, signature: Signature, move: type[Move] | None) -> None:
    given = text.parameters
    wanted = len(signature.before) + len(signature.numbers) + len(signature.after)
    if len(given) != wanted + 1:
        raise text.refusal(
            text.tree,
            f"{name} has {len(given) - 1} parameters besides self, but must have {wanted}.",
            "look at the class it derives from.",
        )
    kinds: dict[str, Kind] = {given[0]: Special("self")}
    arguments = ["Team team"] if signature.team and name != "init" else []
    roles = (*signature.before, *signature.numbers, *signature.after)
    for parameter, role in zip(given[1:], roles, strict=True):
        number = role in signature.numbers and role not in signature.before
        kinds[parameter] = kind_of(role, floating=half.facts.floating) if number else _role(half, role, move)
    function = read_function(half.unit, text, kinds, signature.cost)
    require_return(text, function, signature.returns or "void", floating=half.facts.floating)
    for parameter, role in zip(given[1:], roles, strict=True):
        if role == "x":
            arguments.append("const Item* x")
        elif role in _ITEMS:
            arguments.append(_ITEMS[role])
        elif role == "start":
            arguments.append("Walk& walk")
        elif role in signature.numbers or role in ("move", "random"):
            arguments.append(
                half.parameter(
                    function, parameter, kinds[parameter], declared(role) if role in signature.numbers else ""
                )
            )
    constant = "" if signature.writes or _writes_numbers(function) else " const"
    before = "template <int flips> " if move is not None and move.__name__ == "FlipMove" else ""
    half.add(
        f"{before}MH_FN {signature.returns or 'void'} {name}({', '.join(arguments)}){constant}",
        function,
        shares=signature.team,
        begin=_START if name == "init" else () if signature.team else _ALONE,
    )


# ---- neighborhoods


def _neighborhood(half: Half) -> None:
    owner = half.facts.owner
    members = compiled_members(owner)
    for name in ("size", "move", "index"):
        if name not in members:
            raise CompileError(
                f"{owner.__name__} has compiled methods ({', '.join(members)}), but {name} is not one of them.",
                f"write @compiled above def {name}, too.",
            )
    text = read(members["move"].overloads[0])
    function = _numbered(half, "move", text, None)
    if not isinstance(function.returns, MoveKind):
        raise text.refusal(
            text.tree, "move must return a move.", "end it with return SwapMove(i, j), or a class of your own."
        )
    kind = function.returns.of
    half.members.append(f"    typedef {kind.__name__} Move;".splitlines())
    for name, member in members.items():
        if name in NEIGHBORHOODS:
            _neighborhood_member(half, name, member, kind)
    own = {name for name in ("groups", "length", "first", "group") if name in members}
    if own and len(own) < 4:
        missing = sorted({"groups", "length", "first", "group"} - own)
        raise CompileError(
            f"{owner.__name__} describes its groups by {', '.join(sorted(own))}, but has no compiled "
            f"{' and '.join(missing)}.",
            "write all four, or none: groups are then ranges of indices.",
        )
    half.members.append((MOVE_OF_GROUP if own else GROUPS).splitlines())
    if "apply" not in members:
        if not applies(kind):
            raise CompileError(
                f"{owner.__name__} does not say what a {kind.__name__} does in C++.",
                f"write @compiled above def apply of {kind.__name__}; or def apply(self, x, m) in {owner.__name__}.",
            )
        half.members.append(APPLY.splitlines())


def applies(kind: type[Move]) -> bool:
    """Whether a class of moves has `apply` in C++: metaheur's simple moves have it, and moves that compile it."""
    shipped = {"FlipMove", "SubstitutionMove", "SwapMove", "InsertionMove", "TwoOptMove"}
    return (kind.__module__.startswith("metaheur.") and kind.__name__ in shipped) or "apply" in compiled_members(kind)


def _numbered(half: Half, name: str, text: Text, kind: type[Move] | None) -> Function:
    signature, given = NEIGHBORHOODS[name], text.parameters
    roles = (*signature.before, *signature.numbers)
    if len(given) != len(roles) + 1:
        raise text.refusal(
            text.tree,
            f"{name} has {len(given) - 1} parameters besides self, but must have {len(roles)}.",
            f"write {name}(self, {', '.join(signature.before)}, ...).",
        )
    kinds: dict[str, Kind] = {given[0]: Special("self")}
    for parameter, role in zip(given[1:], roles, strict=True):
        if role in signature.numbers:
            kinds[parameter] = kind_of(role, floating=False)
        elif role == "x":
            kinds[parameter] = Vector("x", half.facts.items, form="items", written=True)
        else:
            kinds[parameter] = _role(half, role, kind)
    return read_function(half.unit, text, kinds, "i64", "unrank" if name == "move" else name)


def _neighborhood_member(half: Half, name: str, member: Compiled, kind: type[Move]) -> None:
    text, signature = read(member.overloads[0]), NEIGHBORHOODS[name]
    function = _numbered(half, name, text, kind)
    if name != "move":
        require_return(text, function, signature.returns or "void", floating=False)
    arguments = ["Team team", "Item* x"] if name == "apply" else []
    for (parameter, given), role in zip(function.parameters, (*signature.before, *signature.numbers), strict=True):
        if role in signature.numbers:
            arguments.append(half.parameter(function, parameter, given, declared(role)))
        elif role == "move":
            arguments.append(half.parameter(function, parameter, given).replace(kind.__name__, "Move", 1))
    half.add(
        f"MH_FN {signature.returns or 'void'} {function.name}({', '.join(arguments)}) const",
        function,
        shares=signature.team,
        begin=() if signature.team else _ALONE,
    )


# ---- moves


def _move(half: Half) -> None:
    members = compiled_members(half.facts.owner)
    if "apply" in members:
        text = read(members["apply"].overloads[0])
        if len(text.parameters) != 2:
            raise text.refusal(text.tree, "apply has one parameter besides self.", "write apply(self, x).")
        own, x = text.parameters
        kinds: dict[str, Kind] = {own: Special("self"), x: Vector("x", Whole(0, 2**31 - 2), form="items", written=True)}
        function = read_function(half.unit, text, kinds, "i64")
        require_return(text, function, "void", floating=False)
        half.add("MH_FN void apply(Team team, Item* x) const", function, shares=True)


# ---- from outside

_MAKERS = {
    "problem": _problem,
    "part": _part,
    "representation": _part,
    "neighborhood": _neighborhood,
    "move": _move,
}


def _require_names(facts: ComponentFacts) -> None:
    """Refuse members that C++ cannot tell from the functions beside them, or that no class of moves can have."""
    functions = set(compiled_members(facts.owner)) | (
        {*NEIGHBORHOODS, "unrank"} if facts.family == "neighborhood" else set()
    )
    if facts.family == "move":
        functions |= {"placements", "edges"}
    names = [name for name, _ in facts.members] + [name for name, _ in facts.kept if facts.family != "problem"]
    where = "field" if facts.family == "move" else "field, constant, table or kept array"
    for name in names:
        if name in functions:
            reason = "which is also the name of a function of its C++ half"
        elif facts.family == "move" and not is_word(name):
            reason = "a name that its C++ half cannot use"
        else:
            continue
        raise CompileError(f"{facts.owner.__name__} has a {where} called {name!r}, {reason}.", "give it another name.")


@lru_cache(maxsize=256)
def made_half(facts: ComponentFacts, *, checked: bool = False, mapped: bool = True) -> tuple[str, tuple[str, ...]]:
    """The text of a half, and notes for its reader."""
    _require_names(facts)
    require_known(facts)
    half = Half(facts, checked, mapped)
    _MAKERS[facts.family](half)
    text = half.text
    return text, tuple(half.notes)
