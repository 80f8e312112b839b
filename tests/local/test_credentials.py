import json
import re
import stat
from pathlib import Path

from local.credentials import kept_credentials


def test_they_are_made_once_and_kept_for_this_user_alone(tmp_path: Path) -> None:
    made = kept_credentials(tmp_path / "new", ["lull", "moss"])
    assert kept_credentials(tmp_path / "new", ["lull", "moss"]) == made
    assert stat.S_IMODE((tmp_path / "new" / "credentials.json").stat().st_mode) == 0o600
    assert kept_credentials(tmp_path / "other", ["lull"]).webhook_secret != made.webhook_secret


def test_tokens_look_as_telegrams_and_differ(tmp_path: Path) -> None:
    tokens = kept_credentials(tmp_path, ["a", "b"]).tokens
    assert len(set(tokens.values())) == 2
    assert all(re.fullmatch(r"\d{10}:[\w-]{35}", token) for token in tokens.values())


def test_a_new_agent_gets_a_token_and_the_others_keep_theirs(tmp_path: Path) -> None:
    before = kept_credentials(tmp_path, ["lull"])
    after = kept_credentials(tmp_path, ["lull", "moss"])
    assert after.of(["lull"]) == before.tokens
    assert after.of(["moss"]).keys() == {"moss"}


def test_a_folder_of_before_gets_a_secret_for_the_console_that_follows_from_no_other(tmp_path: Path) -> None:
    before = {"webhook_secret": "w" * 32, "tokens": {"lull": "5000000001:" + "a" * 35}}
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "credentials.json").write_text(json.dumps(before))
    one, other = kept_credentials(tmp_path / "one", ["lull"]), kept_credentials(tmp_path / "other", ["lull"])
    assert (one.webhook_secret, one.tokens) == (other.webhook_secret, other.tokens) == tuple(before.values())
    assert one.console_secret != other.console_secret
    assert kept_credentials(tmp_path / "one", ["lull"]) == one


def test_they_are_not_printed(tmp_path: Path) -> None:
    made = kept_credentials(tmp_path, ["lull"])
    assert made.webhook_secret not in repr(made)
    assert made.tokens["lull"] not in repr(made)
    assert made.console_secret not in repr(made)
