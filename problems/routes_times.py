"""When vehicles are where on their routes."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["time_of"]


def time_of(ways: Sequence[int], takes: Sequence[int], opens: Sequence[int], closes: Sequence[int]) -> int | None:
    """How long a route takes whose vehicle leaves as late as it can without being later anywhere; None if it is late.

    `ways`: how long each way between two stops takes. `takes`: the service of each stop; `opens`, `closes`: its window.
    """
    latest, late = closes[-1], opens[-1] > closes[-1]
    for k in range(len(ways) - 1, -1, -1):
        latest = min(closes[k], latest - ways[k] - takes[k])
        late = late or latest < opens[k]
    now = latest
    for k, way in enumerate(ways):
        now = max(now + takes[k] + way, opens[k + 1])
    return None if late else now - latest
