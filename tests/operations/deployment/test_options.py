"""The options of a deployment command."""

from pathlib import Path

import pytest

from infra.bundle import ROOT
from operations.deployment.options import GEMINI, GOOGLE_APIS, TELEGRAM, options_from


def test_without_settings_everything_is_where_it_is() -> None:
    found = options_from(["deploy"], {"HOME": "/home/ann"})
    assert (found.command, found.is_agreed, found.with_data) == ("deploy", False, False)
    assert (found.infra, found.bundles) == (ROOT / "infra", ROOT / "build")
    assert found.secrets == Path("/home/ann/.config/lull")
    assert (found.google_apis, found.telegram_url, found.gemini_url) == (GOOGLE_APIS, TELEGRAM, GEMINI)


def test_settings_say_where_else_it_is() -> None:
    env = {
        "LULL_INFRA": "/i/infra",
        "XDG_CONFIG_HOME": "/c",
        "TELEGRAM_API_URL": "http://t",
        "GEMINI_BASE_URL": "http://g",
    }
    found = options_from(["destroy", "--data", "--yes"], env)
    assert (found.command, found.is_agreed, found.with_data) == ("destroy", True, True)
    assert (found.infra, found.bundles, found.secrets) == (Path("/i/infra"), Path("/i/build"), Path("/c/lull"))
    assert (found.telegram_url, found.gemini_url) == ("http://t", "http://g")
    assert options_from(["register"], env | {"LULL_SECRETS": "/s"}).secrets == Path("/s")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "deploy | register | canary | destroy"),
        (["deply"], "invalid choice: 'deply'"),
        (["deploy", "--data"], "unrecognized arguments: --data"),
        (["register", "--yes"], "unrecognized arguments: --yes"),
    ],
)
def test_what_makes_no_sense_is_said(argv: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        options_from(argv, {})
    assert said in capsys.readouterr().err


def test_what_is_asked_tells_no_secret_of_the_shell() -> None:
    assert "hush" not in repr(options_from(["deploy"], {"TF_VAR_webhook_secret": "hush"}))
