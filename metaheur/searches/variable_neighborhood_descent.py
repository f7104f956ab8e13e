"""Variable neighborhood descent."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, final

from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.loops.loop import Composed, descends, unwrapped
from metaheur.loops.phases import Phases
from metaheur.neighborhood import Neighborhood
from metaheur.parts import BackToFirst, Cyclic, Limit, Pipe, SearchOrder, Shuffled
from metaheur.search import Search
from metaheur.searches.hill_climbing import HillClimbing
from metaheur.validate import choice_field, whole_field

__all__ = ["VariableNeighborhoodDescent"]


def _searches(value: Any) -> tuple[Search[Any], ...]:
    """A list of searches: a descent for each neighborhood, and the given searches."""
    if not isinstance(value, Iterable):
        raise InputError(
            f"`searches` must be a list of neighborhoods or searches, but is {value!r}.",
            "write [Swap(), Insertion()].",
        )
    return tuple(HillClimbing(each) if isinstance(each, Neighborhood) else each for each in value)


@final
@frozen
class VariableNeighborhoodDescent(Composed):
    """Descents in several neighborhoods in turn, until the solution is a local optimum of all of them.

    Parameters
    ----------
    searches : iterable of Neighborhood or Search
        Neighborhoods, for each of which a `HillClimbing` is made, or searches that descend.
    rule : {"basic", "pipe", "cyclic"}, default "basic"
        Which search follows an improvement: the first, the same again, or the next.
    order : {"forward", "backward", "random"}, default "forward"
        The order of the neighborhoods: as listed; from the last to the first; or each time a random one among those
        that have not failed since the last improvement (then `rule` must not be given).
    steps : int, optional
        The iterations of a phase: 1 for a single best move, as in the first paper; None, the default, for a whole
        descent to a local optimum.

    Raises
    ------
    InputError
        If the list is empty, a search does not descend, or a name is unknown.

    Notes
    -----
    N. Mladenović and P. Hansen, "Variable neighborhood search", Computers & Operations Research 24, 1997; the rules
    are those of P. Hansen, N. Mladenović, R. Todosijević and S. Hanafi, "Variable neighborhood search: basics and
    variants", EURO Journal on Computational Optimization 5, 2017.
    """

    searches: tuple[Search[Any], ...] = field(converter=_searches)
    rule: str = choice_field("basic", "pipe", "cyclic", default="basic", kw_only=True)
    order: str = choice_field("forward", "backward", "random", default="forward", kw_only=True)
    steps: int | None = whole_field(default=None, kw_only=True)

    @searches.validator
    def _descend(self, _: Attribute[Any], value: tuple[Any, ...]) -> None:
        for each in value:
            if not isinstance(each, Search) or not descends(unwrapped(each)):
                raise InputError(
                    f"`searches` must hold neighborhoods or searches that descend, but holds {each!r}.",
                    "use Sequence for searches that go up, too.",
                )

    def __attrs_post_init__(self) -> None:
        """Check the fields by making the loop once, and refuse a rule for a random order."""
        if self.order == "random" and self.rule != "basic":
            raise InputError(f'The rule "{self.rule}" needs an order, but `order` is "random".', "leave the rule out.")
        _ = self.loop

    @cached_property
    def loop(self) -> Phases:
        """Phases in the order of the rule."""
        ordered = self.searches[::-1] if self.order == "backward" else self.searches
        return Phases(ordered, (Limit(iterations=self.steps),) * len(ordered), self._rule())

    def _rule(self) -> SearchOrder:
        if self.order == "random" and self.searches:
            return Shuffled(len(self.searches))
        rules: dict[str, SearchOrder] = {"basic": BackToFirst(), "pipe": Pipe(), "cyclic": Cyclic()}
        return rules[self.rule]
