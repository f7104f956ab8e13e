"""The grid of the choice: its questions, its processes, its rows and the file from which it goes on."""

import json
from pathlib import Path
from time import monotonic

import pytest

from tests.benchmarks.choice import Answers, command, levels, questions, row
from tests.benchmarks.choice_kinds import SEED
from tests.benchmarks.choice_processes import ALONE, Asking, Place, Question, places_on
from tests.benchmarks.records import Record

CUTS = Question("", "cuts", 800, SEED, 1.0, "solve")


def test_places_share_the_cores() -> None:
    made = places_on(range(16), 3, 2, 2)
    assert [len(each.cores) for each in made] == [1, 1, 1, 2, 2, 2, 2, 2, 2]
    assert [each.gpu for each in made] == [None] * 5 + [0, 1, None, None]
    assert sorted(core for each in made for core in each.cores) == list(range(15))
    assert [made[k].name for k in (0, 3, 5, 7)] == ["", ", 2 cores", *[", 2 cores and a GPU"] * 2]


def test_cores_alone_are_asked_where_there_is_no_gpu() -> None:
    pair, gpu, cores = (places_on(range(6), 0, 1, 1)[k] for k in (0, 1, 2))
    asked = questions(["cuts"], [1.0], 1, [pair, gpu, cores], [0])
    for place, programs in ((pair, ["solve", "annealing"]), (gpu, ["solve"]), (cores, [ALONE])):
        assert [each.program for each in asked if place.answers(each)] == programs


def test_a_limit_is_asked_for_all_rows_before_the_next_one_and_a_seed_before_the_next_one() -> None:
    asked = questions(["cuts", "medians"], [5.0, 1.0], 2, [Place((0,)), Place((1, 2))])
    order = [(-each.seconds, each.seed) for each in asked]
    assert order == sorted(order)
    assert len(asked) == len(set(asked)) == 2 * 2 * 2 * 3 * (2 + 3)
    assert {each.n for each in questions(["cuts"], [1.0], 1, [Place((0,))], [0, 2])} == {800, 10_000}


def test_a_record_names_the_line_that_measures_the_same() -> None:
    words = "--jobs 16 --seconds 5 30 --minutes 9.4 --answers a.jsonl --wall --record c.json --seeds 3"
    assert command(words.split()) == "make choice ARGS='--jobs 16 --seconds 5 30 --wall --seeds 3'"
    assert command(["--save"]) == "make choice"
    assert command(["--problems", "job shops", "cuts"]) == "make choice ARGS='--problems \"job shops\" cuts'"


def test_a_row_has_what_each_program_is_behind_the_best_one_of_each_seed() -> None:
    """Cuts are maximised; the third seed is left out, since a program has not answered."""
    found = {"solve": {0: 100.0, 1: 98.0, 2: 1.0}, "annealing": {0: 99.0, 1: 100.0}}
    assert row(CUTS, found) == ("cuts, 800, 1 s", "1.00", "0.50 by annealing", "+0.50 ± 1.50", "", "", "2")
    assert row(CUTS, {"solve": {0: 1.0}, "annealing": {}}) is None
    assert row(CUTS, {"solve": {0: 1.0}, "annealing": {0: 1.0}}) == (
        *("cuts, 800, 1 s", "0.00", "0.00 by annealing"),
        *("", "", "", "1"),
    )


def test_rows_are_counted_by_differences_of_more_than_two_standard_errors() -> None:
    cells = ("+0.50 ± 0.20", "+0.50 ± 0.30", "-0.50 ± 0.20", "+0.01 ± 0.00")
    rows = [(f"cuts, {k},000, 1 s", "", "", cell, "", cell, "5") for k, cell in enumerate(cells)]
    one_seed = ("cuts, 800, 5 s, 2 cores", "", "", "", "", "", "1")
    assert [*levels([*rows, one_seed])] == [
        ("1 s", "1", "2", "1", "1", "2", "1"),
        ("5 s, 2 cores", "0", "0", "0", "0", "0", "0"),
    ]


def test_answers_in_a_file_are_not_asked_again_and_a_record_keeps_its_other_rows(tmp_path: Path) -> None:
    kept, record = tmp_path / "answers.jsonl", tmp_path / "choice.json"
    asked = questions(["cuts"], [1.0], 1, [Place((0,))])
    first = Answers(asked, kept, record)
    assert not first.known
    first.heard(asked[0], 100.0)
    first.heard(asked[1], 99.0)
    first.finish()
    later = Answers(asked, kept, record)
    assert later.known == set(asked[:2])
    later.heard(asked[2], 7.0)
    later.heard(asked[3], 7.0)
    later.finish()
    assert [each[0] for each in Record.read(record).rows] == ["cuts, 800, 1 s", "cuts, 3,000, 1 s"]
    assert len(kept.read_text().splitlines()) == 4


def test_what_fails_in_a_process_is_said_and_the_others_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    asked = [Question("", "no such kind", n, SEED, 0.01, "solve") for n in (1, 2)]
    answers = Answers(asked, None, None)
    Asking(asked, [Place((0,))], answers.heard, monotonic() + 600).run()
    assert answers.failed == 2
    assert json.dumps("KeyError: 'no such kind'")[1:-1] in capsys.readouterr().err


def test_no_question_is_asked_that_would_be_answered_too_late() -> None:
    heard: list[Question] = []
    Asking([CUTS], [Place((0,))], lambda asked, _: heard.append(asked), monotonic() + 1).run()
    assert not heard
