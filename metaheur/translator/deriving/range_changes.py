"""Terms that read arrays which a cost fills, where a move rearranges a range of positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metaheur.translator.deriving.affine import named
from metaheur.translator.deriving.array_changes import SEPARATE, ArrayChanges
from metaheur.translator.deriving.terms import NotDerived, Sums, Term

__all__ = ["changed_by_range"]


def changed_by_range(terms: Sequence[Term], sums: Sums, changes: ArrayChanges) -> Iterator[Term]:
    """The terms of which a move changes an array; refuses those with a look-up for each item of the range."""
    read = {id(term): {one for each in (term.value, *term.conditions) for one in named(each)} for term in terms}
    for name in sorted({name for each in read.values() for name in each & sums.arrays.keys()}):
        if any(each.sets for each in sums.arrays[name].fillings):
            raise NotDerived(
                f"the positions of all items between the moved ones change in {name}, and each would be looked up",
                "use Swap().",
            )
    if any(each & sums.leasts.keys() for each in read.values()):
        raise NotDerived(
            "the terms of all items between the moved ones change in a minimum, of which only the next ones are kept",
            "use Swap().",
        )
    for term in terms:
        names = read[id(term)]
        if "x" in names:
            raise NotDerived("a term reads the solution, and a list that the cost fills", SEPARATE)
        inside = {one for each in names & sums.extremes.keys() for one in named(sums.extremes[each].value)}
        if any(changes.pieces(sums.arrays[name]) for name in (names | inside) & sums.arrays.keys()):
            yield term
