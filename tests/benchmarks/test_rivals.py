"""The page of rivals says what its records say."""

from tests.benchmarks.comparison import SEEDS
from tests.benchmarks.rivals import PAGE, TASKS, rendered, row, stored, summary


def test_the_page_is_rendered_from_the_records() -> None:
    assert PAGE.read_text(encoding="utf-8") == rendered(stored())


def test_a_line_has_each_seed() -> None:
    for record in stored():
        for line in record["lines"]:
            assert {len(line[side]["seconds"]) for side in ("ours", "theirs")} == {len(SEEDS)}


def test_every_task_has_a_record() -> None:
    assert len(stored()) == len(TASKS)


def test_who_is_ahead_with_every_seed_is_in_bold() -> None:
    record = {"instance": "all", "ours": {"seconds": [0.001, 0.002], "quality": []}}
    ahead = row({**record, "theirs": {"seconds": [0.003, 0.004], "quality": []}})
    level = row({**record, "theirs": {"seconds": [0.0015, 0.004], "quality": []}})
    assert ahead == "| all | **1.5 (1 – 2)** | 3.5 (3 – 4) |"
    assert level == "| all | 1.5 (1 – 2) | 2.75 (1.5 – 4) |"


def test_who_is_never_behind_is_in_bold() -> None:
    record = {"instance": "all", "best": "most", "ours": {"seconds": [1.0, 1.0], "quality": [100, 200]}}
    ahead = row({**record, "theirs": {"seconds": [2.0, 2.0], "quality": [100, 198]}})
    level = row({**record, "theirs": {"seconds": [2.0, 2.0], "quality": [100, 200]}})
    assert ahead == "| all | **0.000 (0.000 – 0.000) % in 1.0 s** | 0.500 (0.000 – 1.000) % in 2.0 s |"
    assert level == "| all | 0.000 (0.000 – 0.000) % in 1.0 s | 0.000 (0.000 – 0.000) % in 2.0 s |"


def test_the_summary_counts_who_is_ahead() -> None:
    fast, slow = ({"seconds": [seconds] * 2, "quality": []} for seconds in (0.001, 0.003))
    line = {"task": "sorting", "rival": "another", "instance": "all", "rival_version": "1"}
    lines = [
        {**line, "ours": fast, "theirs": slow},
        {**line, "ours": slow, "theirs": fast},
        {**line, "ours": fast, "theirs": fast},
    ]
    *_, found = summary([{"lines": lines}])
    assert found == "| [Sorting: beside another](#sorting-beside-another) | 3 | 1 | 1 | 1 | 1.0 |"
