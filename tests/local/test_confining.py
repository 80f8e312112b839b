import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.functions import declared_functions
from local.cloud import CloudSpec, LocalCloud
from local.confining import SECRETS, confine
from local.parts import PRELOAD
from tests.local.watching import family_of

GIVEN = dict.fromkeys(SECRETS, "a-secret") | {"LULL_READER_LONGEST_S": "60"}
KEY = "a-key-that-nobody-else-knows"


@pytest.mark.parametrize("name", declared_functions())
def test_a_function_has_the_secrets_that_it_has_in_the_cloud(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for secret in SECRETS:
        monkeypatch.setenv(secret, "of-the-shell")
    asks_gemini = name in ("tick", "describe_media", "summarize")
    by_variables = ["GEMINI_API_KEY", "LULL_PROVIDER_KEYS"] if asks_gemini else []
    by_variables += ["LULL_LOGIN_SECRET"] if name == "console" else []
    own = {*declared_functions()[name].secrets, *by_variables}
    env = confine(name, GIVEN)
    assert {secret for secret in SECRETS if secret in env} == own
    assert env["LULL_READER_LONGEST_S"] == "60"


def test_who_has_none_is_not_given_those_of_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)
    monkeypatch.setenv("TF_VAR_bot_tokens", KEY)
    assert KEY not in confine("reader", GIVEN).values()
    assert "PATH" in confine("reader", GIVEN)


@pytest.fixture(params=[PRELOAD, ()], ids=["forked", "alone"])
def cloud(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalCloud]:
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", f"1:{KEY}")
    spec = CloudSpec(parts=("reader",), gemini_key=KEY, preload=request.param)
    with LocalCloud(spec).running() as running:
        yield running


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process's environment cannot be read so")
def test_no_process_of_the_reader_was_started_with_a_secret(cloud: LocalCloud) -> None:
    secrets = [KEY, cloud.webhook_secret, cloud.credentials.console_secret, *cloud.tokens.values()]
    for pid in family_of(cloud.pid("reader")):
        begun_with = Path(f"/proc/{pid}/environ").read_text()
        assert "PATH=" in begun_with
        assert [secret for secret in secrets if secret in begun_with] == []
