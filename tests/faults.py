"""A neighborhood with planted faults in both halves, for the tests of the checks."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur import Array, Move, Neighborhood, Permutation, Representation
from metaheur.neighborhoods import Swap, SwapMove

CPP_FAULTS = (
    "none",
    "size_by_one",
    "length_of_group_3",
    "length_of_the_last_group",
    "unrank_late",
    "unrank_in_32_bits",
    "index_by_one",
    "index_in_32_bits",
    "move_of_group_1",
    "group_of_others",
    "first_in_32_bits",
    "apply_copies",
    "around_twice",
    "prepare_adds",
    "prepare_writes_beside",
)
"""Faults of the C++ half; those of the Python half have other names."""


@final
@frozen
class FaultySwap(Neighborhood):
    """Swap with a fault; those of the C++ half are numbers that it reads when it runs, so that it is compiled once."""

    fault: str = field(default="none", metadata={"python only": True})

    source: ClassVar[str] = f"""struct FaultySwap : FaultySwapData {{
    enum Fault {{ {", ".join(CPP_FAULTS)} }};
    typedef SwapMove Move;
    MH_FN i64 size() const {{ return i64(n) * (n - 1) / 2 + (fault == size_by_one); }}
    MH_FN i64 groups() const {{ return n - 1; }}
    MH_FN int length(i64 g) const {{
        const bool shorter = fault == length_of_group_3 && g == 3;
        const bool longer = fault == length_of_the_last_group && g == n - 2;
        return n - 1 - int(g) - shorter + longer;
    }}
    MH_FN i64 first(i64 g) const {{
        if (fault == first_in_32_bits) return i32(u32(g) * u32(2 * n - 1 - int(g))) / 2;
        return g * (2 * i64(n) - 1 - g) / 2;
    }}
    MH_FN Move move(i64 g, int k) const {{
        return {{int(g), int(g) + 1 + k - (fault == move_of_group_1 && g == 1 && k == 0)}};
    }}
    MH_FN i64 group(Move m) const {{ return m.i - (fault == group_of_others && m.i == 2); }}
    MH_FN i64 index(Move m) const {{
        const i64 k = m.i * (2 * i64(n) - 1 - m.i) / 2 + m.j - m.i - 1 + (fault == index_by_one);
        return fault == index_in_32_bits ? i32(k) : k;
    }}
    MH_FN Move unrank(i64 k) const {{
        if (fault == unrank_in_32_bits) k = i32(k) < 0 ? 0 : i32(k);
        const i64 after = i64(n) * (n - 1) / 2 - 1 - k;
        i64 row = i64((sqrt(8.0 * double(after) + 1.0) - 1.0) / 2.0);
        row -= row * (row + 1) / 2 > after;
        row += (row + 1) * (row + 2) / 2 <= after;
        const i64 g = n - 2 - row;
        return {{int(g), int(k - g * (2 * i64(n) - 1 - g) / 2 + g + 1) - (fault == unrank_late && k == 6)}};
    }}
    MH_FN void apply(Team team, Item* x, Move m) const {{
        if (team.rank || (fault == prepare_adds && items(m.i) != x[m.i])) return;
        const Item item = x[m.i];
        x[m.i] = x[m.j];
        x[m.j] = fault == apply_copies ? x[m.i] : item;
    }}
    MH_FN i64 touched() const {{ return 2 * i64(n); }}
    MH_FN bool around(Move m, i64 t, Move& other) const {{
        const int fixed = t < n ? m.i : m.j, free = int(t < n ? t : t - n);
        other = fixed < free ? Move{{fixed, free}} : Move{{free, fixed}};
        return fixed != free && (fault == around_twice || !(t >= n && free == m.i));
    }}
    MH_FN void prepare(Team team, const Item* x) const {{
        team.for_each(n, [&](i64 k) {{ items(k) = x[k] + (fault == prepare_adds ? items(k) : 0); }});
        if (team.rank == 0 && fault == prepare_writes_beside) items(n) = 1;
    }}
}};"""

    @property
    def writes(self) -> int:
        return 2

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        return (SwapMove,)

    def supports(self, representation: Representation) -> bool:
        return isinstance(representation, Permutation)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        return {"fault": CPP_FAULTS.index(self.fault) if self.fault in CPP_FAULTS else 0}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"items": Array((representation.length,), "int32")}

    def size(self, representation: Representation) -> int:
        return Swap().size(representation) - (self.fault == "python_size")

    def moves(self, representation: Representation) -> Iterator[SwapMove]:
        return Swap().moves(representation)

    def move(self, representation: Representation, k: int) -> SwapMove:
        return Swap().move(representation, 4 if self.fault == "python_move" and k == 3 else k)

    def index(self, representation: Representation, move: Any) -> int:
        return Swap().index(representation, move) + (self.fault == "python_index" and move.j == 4)

    def batch(self, representation: Representation, indices: np.ndarray) -> Any:
        moves = Swap().batch(representation, indices)
        return SwapMove(moves.i, moves.j + (moves.j == 3)) if self.fault == "python_batch" else moves
