"""The space of configurations of a search: which values its fields may have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from random import Random
from statistics import NormalDist
from typing import Any, final

import attrs
import numpy as np

from metaheur.door.expression import written
from metaheur.errors import InputError
from metaheur.fields import Factor, OneOf, Range
from metaheur.search import Search
from metaheur.searches.recommendation import Recommendation
from metaheur.tuning.parameter import Parameter, Value

__all__ = ["Configuration", "Space"]

Configuration = dict[str, Value]
"""A value for each parameter that exists, by its name."""

Rule = Range | Factor | OneOf

SEARCH = "search"
"""The name of the choice among whole searches."""

TRIES = 100
"""So often a configuration is drawn again if no search can be made of it."""


@final
@attrs.frozen(eq=False)
class Space:
    """The configurations of a search.

    The search that is given has the default configuration. Fields declare which other values they may have: those of
    shipped searches and parts do, and fields of your own do by ``metadata={"tune": Range(5, 200)}``. A parameter is
    named after the fields that lead to it: "perturbation.count" is the field `count` of the field `perturbation`. A
    value outside the declared range, such as None, stays as it is.

    Parameters
    ----------
    search : Search, Recommendation or OneOf
        The search; ``OneOf(first, second)`` for a choice among searches.
    ranges : mapping of str to Range, Factor or OneOf, optional
        Values of further fields, or other values than those that a field declares, by the name of the parameter. None
        leaves a field, and all below it, as it is in the search: ``{"limit": None}``.

    Raises
    ------
    InputError
        If a name is unknown, the value that the search has is outside a given range, or nothing can be tuned.

    Examples
    --------
    >>> from metaheur import TabuSearch
    >>> from metaheur.neighborhoods import Swap
    >>> space = Space(TabuSearch(Swap()), {"random_ties": None, "long_term": None})
    >>> space.default
    {'tenure.low': 0.9, 'tenure.high': 1.1}
    >>> space.make({"tenure.low": 0.5}).tenure
    Tenure(low=1/2, high=11/10, low_plus=0, high_plus=0)
    """

    search: Search[Any] | Recommendation | OneOf
    ranges: Mapping[str, Rule | None] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Find all parameters, and refuse ranges of fields that do not exist."""
        for option in self.search.values if isinstance(self.search, OneOf) else (self.search,):
            if not isinstance(option, Search | Recommendation):
                raise InputError(f"A Space is made of searches, not of {option!r}.", "write Space(TabuSearch(Swap())).")
        unknown = sorted(set(self.ranges) - self._names(self.search, ""))
        if unknown:
            names = ", ".join(sorted(self._names(self.search, "")))
            raise InputError(f"`ranges` names {unknown[0]!r}, which is not a field of the search.", f"one of {names}.")
        if not self.parameters:
            raise InputError(f"No field of {self.search!r} can be tuned.", "name one in `ranges`.")

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """All parameters; a parameter comes after the parameter on which it depends."""
        if isinstance(self.search, OneOf):
            return tuple(self._choices(SEARCH, _named(self.search.values), "", "", ""))
        return tuple(self._within(self.search, "", "", ""))

    @cached_property
    def default(self) -> Configuration:
        """The configuration of the search that was given."""
        return self.read({})

    def read(self, values: Mapping[str, Any]) -> Configuration:
        """The configuration with these values; parameters that are not given have their defaults.

        Parameters
        ----------
        values : mapping of str to object
            Numbers, names of choices, or texts of them. Values of parameters that do not exist beside the others are
            left out.

        Raises
        ------
        InputError
            If a name or a value is unknown.
        """
        known = {each.name for each in self.parameters}
        unknown = next((name for name in values if name not in known), None)
        if unknown is not None:
            raise InputError(f"{unknown!r} is not a parameter of this space.", f"one of {', '.join(sorted(known))}.")
        found: Configuration = {}
        for each in self.parameters:
            if each.exists(found):
                found[each.name] = each.read(values[each.name]) if each.name in values else each.default
        return found

    def make(self, values: Mapping[str, Any]) -> Any:
        """The search of a configuration; a Recommendation if the space was made of one.

        Raises
        ------
        InputError
            If a name or a value is unknown, or values do not fit together.
        """
        configuration = self.read(values)
        if isinstance(self.search, OneOf):
            return self._chosen(SEARCH, _named(self.search.values), "", configuration)
        return self._made(self.search, "", configuration)

    def sample(self, random: Random, parent: Configuration | None = None, spread: float = 1.0) -> Configuration | None:
        """Draw a configuration of which a search can be made; None if none is found.

        Parameters
        ----------
        random : random.Random
            The source of randomness.
        parent : dict, optional
            Numbers are drawn near its numbers, choices are mostly its choices; by default all values are equally
            likely.
        spread : float, default 1.0
            How far from the parent: the standard deviation, as a share of half a range, and the probability that a
            choice is drawn anew.
        """
        for _ in range(TRIES):
            drawn: Configuration = {}
            for each in self.parameters:
                if each.exists(drawn):
                    drawn[each.name] = _drawn(each, random, (parent or {}).get(each.name), spread)
            try:
                self.make(drawn)
            except InputError:
                continue
            return drawn
        return None

    def _children(self, value: Any, path: str) -> Iterator[tuple[str, str, Any, Rule | None]]:
        """The fields of a value: name, name of the parameter, value, and the values that it may have."""
        for field, child, declared in _fields(value):
            name = f"{path}{field}"
            if self.ranges.get(name, declared) is not None or name not in self.ranges:
                yield field, name, child, self.ranges.get(name, declared)

    def _names(self, value: Any, path: str) -> set[str]:
        """The names of all fields below a value, whether they are tuned or not."""
        if isinstance(value, OneOf):
            return set().union(*(self._names(each, f"{SEARCH}.{key}.") for key, each in _named(value.values).items()))
        if isinstance(value, Recommendation):
            return self._names(value.search, path)
        found: set[str] = set()
        for field, child, declared in _fields(value):
            name = f"{path}{field}"
            rule = self.ranges.get(name, declared)
            found.add(name)
            if isinstance(rule, OneOf):
                for key, option in _options(rule, child).items():
                    found |= self._names(option, f"{name}.{key}.")
            else:
                found |= self._names(child, f"{name}.")
        return found

    def _within(self, value: Any, path: str, parent: str, needs: str) -> Iterator[Parameter]:
        """The parameters below a value."""
        if isinstance(value, Recommendation):
            yield from self._within(value.search, path, parent, needs)
            return
        for _, name, child, rule in self._children(value, path):
            if isinstance(rule, OneOf):
                yield from self._choices(name, _options(rule, child), _key(_options(rule, child), child), parent, needs)
            elif rule is None:
                yield from self._within(child, f"{name}.", parent, needs)
            elif self._varies(name, rule, child):
                numbers, default = (rule.factors, 1.0) if isinstance(rule, Factor) else (rule, _number(child))
                yield Parameter(name, default, numbers, parent=parent, needs=needs)

    def _choices(
        self, name: str, options: Mapping[str, Any], default: str, parent: str, needs: str
    ) -> Iterator[Parameter]:
        several = len(options) > 1
        if several:
            yield Parameter(name, default or next(iter(options)), None, tuple(options), parent, needs)
        for key, option in options.items():
            yield from self._within(option, f"{name}.{key}.", *((name, key) if several else (parent, needs)))

    def _varies(self, name: str, rule: Range | Factor, value: Any) -> bool:
        """Whether a number is tuned; a number outside a range that the class declares is not."""
        number = _number(value)
        if number is not None and (number > 0 if isinstance(rule, Factor) else _inside(rule, number)):
            return True
        if name in self.ranges:
            raise InputError(
                f"`{name}` is {value!r} in the search, which is outside {rule!r}.", "begin with a value inside."
            )
        return False

    def _made(self, value: Any, path: str, configuration: Configuration) -> Any:
        """A value with the configured values below it."""
        if isinstance(value, Recommendation):
            return attrs.evolve(value, search=self._made(value.search, path, configuration))
        changed: dict[str, Any] = {}
        for field, name, child, rule in self._children(value, path):
            if isinstance(rule, OneOf):
                made = self._chosen(name, _options(rule, child), _key(_options(rule, child), child), configuration)
            elif rule is None:
                made = self._made(child, f"{name}.", configuration)
            else:
                made = _value(rule, child, configuration[name]) if name in configuration else child
            if made is not child:
                changed[field] = made
        if not changed:
            return value
        if isinstance(value, tuple):
            return tuple(changed.get(str(i), each) for i, each in enumerate(value))
        aliases = {each.name: each.alias or each.name for each in attrs.fields(type(value))}
        return attrs.evolve(value, **{aliases[name]: made for name, made in changed.items()})

    def _chosen(self, name: str, options: Mapping[str, Any], default: str, configuration: Configuration) -> Any:
        key = str(configuration.get(name, default or next(iter(options))))
        return self._made(options[key], f"{name}.{key}.", configuration)


def _fields(value: Any) -> Iterator[tuple[str, Any, Rule | None]]:
    """The names and values of the fields of a part, or of the items of a tuple, and the values that they may have."""
    if isinstance(value, tuple):
        yield from ((str(i), each, None) for i, each in enumerate(value))
    elif attrs.has(type(value)):
        for each in attrs.fields(type(value)):
            declared = each.metadata.get("tune")
            if "choices" in each.metadata:
                declared = OneOf(*each.metadata["choices"])
            if each.init:
                yield each.name, getattr(value, each.name), declared


def _options(rule: OneOf, value: Any) -> dict[str, Any]:
    """The choices of a field by their names, with the value that the field has."""
    own = written(value)
    values = tuple(value if written(each) == own else each for each in rule.values)
    return _named(values if any(each is value for each in values) else (value, *values))


def _key(options: Mapping[str, Any], value: Any) -> str:
    """The name of the choice that is the value."""
    return next(key for key, option in options.items() if option is value)


def _named(values: tuple[Any, ...]) -> dict[str, Any]:
    """Names of choices: the class, or the text of a number; numbered where two are alike."""
    found: dict[str, Any] = {}
    for value in values:
        inner = value.search if isinstance(value, Recommendation) else value
        plain = type(inner).__name__ if attrs.has(type(inner)) else re.sub(r"[^\w.+-]", "_", str(value))
        number = 1 + sum(re.fullmatch(rf"{re.escape(plain)}\d*", each) is not None for each in found)
        found[plain if number == 1 else f"{plain}{number}"] = value
    return found


def _number(value: Any) -> Any:
    """A number of a field; None if the field has another value."""
    if isinstance(value, Fraction):
        return float(value)
    is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return (value.item() if isinstance(value, np.generic) else value) if is_number else None


def _inside(rule: Range, number: float) -> bool:
    return rule.low <= number <= rule.high and (not rule.whole or float(number).is_integer())


def _value(rule: Range | Factor, value: Any, number: Any) -> Any:
    """The value of a field that a number of a configuration means; the same object if nothing changes."""
    if isinstance(rule, Factor):
        if number == 1:
            return value
        product = _number(value) * number
        return max(1, round(product)) if isinstance(_number(value), int) else float(f"{product:.6g}")
    if number == _number(value):
        return value
    return number if isinstance(number, int) else float(f"{number:.6g}")


def _drawn(parameter: Parameter, random: Random, near: Value | None, spread: float) -> Value:
    """A value of a parameter, near another one."""
    if parameter.range is None:
        anew = near is None or random.random() < spread
        return parameter.choices[int(random.random() * len(parameter.choices))] if anew else str(near)
    if near is None:
        return parameter.at(random.random())
    normal = NormalDist(parameter.share(near), max(spread / 2, 1e-6))
    low, high = normal.cdf(0.0), normal.cdf(1.0)
    share = normal.inv_cdf(min(max(low + random.random() * (high - low), 1e-12), 1 - 1e-12))
    return parameter.at(min(max(share, 0.0), 1.0))
