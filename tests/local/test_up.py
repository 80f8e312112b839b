from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from local.options import options_from
from local.up import COMMANDS, chosen_model, main


def test_an_unknown_command_is_answered_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["sttus"])
    assert ended.value.code == 2
    assert all(command in capsys.readouterr().err for command in COMMANDS[:1])


@pytest.mark.parametrize(("command", "code"), [("status", 3), ("down", 0), ("restart", 1), ("clean", 0)])
def test_commands_where_nothing_runs(
    tmp_path: Path, command: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LULL_DATA", str(tmp_path / "kept"))
    assert main([command]) == code
    said = capsys.readouterr()
    assert (said.out + said.err).count("\n") == 1


def test_a_wrong_option_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PORT", "x")
    assert main(["dev"]) == 1
    assert (
        capsys.readouterr().err
        == "PORT=x is not a port; use a number from 1 to 65535, or leave it out for a free port.\n"
    )


def test_where_there_is_no_terminal_nobody_is_asked_which_model_answers(tmp_path: Path) -> None:
    options = options_from({"LULL_DATA": str(tmp_path)})
    assert chosen_model(options, Console(file=StringIO())) is options
