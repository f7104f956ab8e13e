"""A table that was made again is kept in a small file, which renders as it was."""

import json
from pathlib import Path

import pytest

from metaheur.command.main import main
from metaheur.errors import InputError
from metaheur.report.papers.saving import SavedTable


def test_a_saved_table_is_read_as_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--rows", "73x73", "--quick", "--folder", str(tmp_path / "runs"), "--save", str(tmp_path / "saved")]
    assert main(["reproduce", "luong2009", "--table", "2", *options]) == 0
    printed = capsys.readouterr().out
    path = tmp_path / "saved" / "luong2009_table-2.json"
    saved = SavedTable.read(path)
    assert str(saved.table) == printed.rstrip("\n")
    assert "| 73x73 | 1.1 |" in saved.markdown()
    assert '`metaheur reproduce luong2009 --table 2 --quick --rows "73x73"`' in saved.markdown()
    (run,) = json.loads(path.read_text("utf-8"))["runs"]
    assert run[:3] == ["73x73", "core", 0]
    assert 0 < run[-2] <= 10_009  # what the seconds are divided by
    assert len(run[-1]) == 64


def test_the_options_of_a_saved_table_have_the_efforts_of_plans(tmp_path: Path) -> None:
    options = ["--rows", "73x73", "--effort", "*=2:0.2", "--effort", "core=1:0.01", "--folder", str(tmp_path / "runs")]
    assert main(["reproduce", "luong2009", "--table", "2", *options, "--save", str(tmp_path)]) == 0
    saved = SavedTable.read(tmp_path / "luong2009_table-2.json")
    assert saved.options.strip() == '--effort "*=2:0.2" --effort "core=1:0.01" --rows "73x73"'
    assert saved.table.made_by[0].endswith("seed 0.")


def test_a_record_keeps_rows_that_a_new_table_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--table", "2", "--quick", "--folder", str(tmp_path / "runs"), "--save", str(tmp_path)]
    assert main(["reproduce", "luong2009", "--rows", "73x73", *options]) == 0
    path = tmp_path / "luong2009_table-2.json"
    before = path.read_text("utf-8")
    capsys.readouterr()
    assert main(["reproduce", "luong2009", "--rows", "81x81", *options]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""  # refused before it is made
    assert f"{path} has rows that the new table lacks: 73x73.\nMaybe make all rows" in printed.err
    with monkeypatch.context() as patch:  # a row may also be left out while the table is made
        patch.setattr("metaheur.report.papers.saving.require_saving", lambda *_: None)
        assert main(["reproduce", "luong2009", "--rows", "81x81", *options]) == 1
    printed = capsys.readouterr()
    assert "81x81" in printed.out
    assert "has rows that the new table lacks: 73x73" in printed.err
    monkeypatch.setenv("METAHEUR_DATA", str(tmp_path / "nowhere"))
    nothing = ["--table", "1", "--rows", "tai12a", "--folder", str(tmp_path / "runs"), "--save", str(tmp_path)]
    assert main(["reproduce", "luong2009", *nothing]) == 1
    assert path.read_text("utf-8") == before
    assert [each.name for each in tmp_path.glob("*.json")] == [path.name]


def test_a_file_that_is_no_record_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}", "utf-8")
    with pytest.raises(InputError, match=r"other\.json is not the record of a table"):
        SavedTable.read(tmp_path / "other.json")
