import pytest

from metaheur.running.shown import per_cent


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0.0 %"),
        (0.5, "50.0 %"),
        (0.9996, "99.96 %"),
        (0.99995, "99.995 %"),
        (1 - 3e-7, "99.99997 %"),
        (1 - 1e-12, "99.999999 %"),
        (1.0, "100 %"),
    ],
)
def test_a_share_below_1_is_never_shown_as_100_per_cent(share: float, text: str) -> None:
    assert per_cent(share) == text
