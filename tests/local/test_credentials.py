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


def test_they_are_not_printed(tmp_path: Path) -> None:
    made = kept_credentials(tmp_path, ["lull"])
    assert made.webhook_secret not in repr(made)
    assert made.tokens["lull"] not in repr(made)
