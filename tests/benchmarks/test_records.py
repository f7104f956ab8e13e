"""Records of tables are written by the programs that print them, and by the rounds of make bench."""

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from attrs import evolve

from tests.benchmarks.processor_clock import environment
from tests.benchmarks.records import Record, renew, report
from tests.benchmarks.rounds import BASELINE

RECORD = Record("rates, moves/s", "make bench", "2026-11-23", "a core", ("", "n = 50"), (("host", "7 (0.50 x)"),))
RATES = {f"rates, n = {n}, moves/s": {"host": [n, n], "fast": [2 * n] * 2, BASELINE: [1]} for n in (50, 20_000_000)}


@pytest.mark.parametrize("arguments", [["children"], ["children", "--save"]])
def test_a_program_prints_its_table_and_saves_it_where_asked(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["program", *arguments])
    report("populations", "rates", ("", "a second"), ["| uniform | 1,200 |", "| two points |  |"], tmp_path)
    assert "| uniform | 1,200 |\n| two points |  |\n" in capsys.readouterr().out
    files = list(tmp_path.iterdir())
    assert len(files) == ("--save" in arguments)
    for path in files:
        saved = Record.read(path)
        assert (saved.title, saved.columns) == ("rates", ("", "a second"))
        assert saved.rows == (("uniform", "1,200"), ("two points", ""))
        assert saved.command.endswith(" children")


def test_a_record_names_what_was_measured_and_not_where_answers_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["--jobs", "3", "--answers", "/here/answers", "--minutes", "9", "--first", "7", "--save"]
    monkeypatch.setattr(sys, "argv", ["program", *words])
    report("kept", "kept", ("a", "b"), ["| c | 1 |"], tmp_path)
    assert Record.read(tmp_path / "kept.json").command.endswith(" --jobs 3 --first 7")


def test_rounds_renew_the_record_of_their_title(tmp_path: Path) -> None:
    path = tmp_path / "rates.json"
    RECORD.save(path)
    assert renew(RATES, "make bench", tmp_path) == [path]
    renewed = Record.read(path)
    assert renewed.columns == ("", "n = 50", "n = 20,000,000")
    assert renewed.rows == (("host", "50", "20.0 M"), ("fast", "100 (2.00 x)", "40.0 M (2.00 x)"))
    assert renewed.cell("fast", "n = 50") == "100"


def test_rounds_of_a_core_leave_the_record_of_a_gpu_alone(tmp_path: Path) -> None:
    evolve(RECORD, rows=(("cuda", "7"),)).save(tmp_path / "gpu.json")
    evolve(RECORD, title="others").save(tmp_path / "other.json")
    assert renew(RATES, "make bench", tmp_path) == []


def test_a_page_shows_the_rows_with_a_pattern() -> None:
    record = evolve(RECORD, rows=(("host", "7"), ("cuda", "9")))
    assert record.markdown("^cu").endswith("| --- | ---: |\n| cuda | 9 |")


def test_a_program_that_reads_processor_time_knows_the_date() -> None:
    """Its own clock begins in 1970."""
    text = "from tests.benchmarks.processor_clock import today; print(today())"
    known, before = environment(), str(date.today())
    told = subprocess.run([sys.executable, "-c", text], env=known, capture_output=True, text=True, check=True)
    assert before <= told.stdout.strip() <= str(date.today())
