"""The page of rivals says what its records say."""

from pathlib import Path

import pytest

from metaheur.problems.formats.cvrplib import write_routes
from tests.benchmarks import comparison, routing
from tests.benchmarks.comparison import SEEDS, fitted
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


def test_who_took_longer_is_not_in_bold() -> None:
    ours, theirs = {"seconds": [1.0, 2.03], "quality": [9, 9]}, {"seconds": [1.0, 2.0], "quality": [10, 10]}
    line = row({"instance": "all", "best": "least", "ours": ours, "theirs": theirs})
    assert line == "| all | 0.000 (0.000 – 0.000) % in 1.5 s | 11.111 (11.111 – 11.111) % in 1.5 s |"


def test_who_takes_longer_is_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, limits = [0.0], list[float]()

    def late(data: str, seconds: float) -> str:
        limits.append(seconds)
        clock[0] += seconds + 0.5
        return data

    monkeypatch.setattr(comparison, "process_time", lambda: clock[0])
    assert fitted(late, "result", 2.0) == (2.0, "result")
    assert limits == [2.0, 1.5]
    with pytest.raises(RuntimeError, match=r"took 0.500 processor seconds, not 0.250"):
        fitted(late, "result", 0.25)


def test_routes_are_compared_on_some_cores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    instance, record = tmp_path / "small.vrp", tmp_path / "record.json"
    places = "".join(f"{k} {k * k % 17} {k * k % 13}\n" for k in range(1, 10))
    demands = "".join(f"{k} {int(k > 1)}\n" for k in range(1, 10))
    instance.write_text(
        "NAME: small\nTYPE: CVRP\nDIMENSION: 9\nEDGE_WEIGHT_TYPE: EUC_2D\nCAPACITY: 3\n"
        f"NODE_COORD_SECTION\n{places}DEMAND_SECTION\n{demands}DEPOT_SECTION\n1\n-1\nEOF\n"
    )
    write_routes(tmp_path / "small.sol", [[0, 1, 2], [3, 4, 5], [6, 7]], 60)
    programs = ("--programs", "metaheur", "giant tours", "--save", str(record))
    for seeds in ("1", "2", "2"):
        routing.main([str(instance), "--seconds", "0.2", "--seeds", seeds, *programs])
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 4  # a line for each program and seed: the rows of the first are kept, and none is made anew
    routing.main(["--save", str(record)])
    row, of_all, of_set = (line.split(" | ") for line in capsys.readouterr().out.splitlines())
    assert row[0] == "| small, 0.2 s"
    assert row[3] == "2 |"
    assert of_set[0].startswith("| median of 1, ")
    assert of_all[0] == "| median of 1, all sets, 0.2 s"
    assert row[1:3] == of_set[1:3] == of_all[1:3]


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
