"""The logs of a deployed function: settings keep functions-framework from logging in its own way."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.infra.alone import Alone
from tests.infra.given import OF_THE_FRAMEWORK

SETTINGS = {
    "GOOGLE_CLOUD_PROJECT": "p",
    "LULL_AGENTS": "lull",
    "LULL_QUEUE": "projects/p/locations/l/queues/q",
    "LULL_TICK_URL": "http://127.0.0.1/",
    "LULL_WEBHOOK_SECRET": "hush",
    # no server listens there
    "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1",
    "CLOUD_TASKS_ENDPOINT": "127.0.0.1:1",
}
#: settings from Terraform, and those that Google would use by default
WAYS = [OF_THE_FRAMEWORK, {"LOG_EXECUTION_ID": "true"}]
UPDATE = {
    "update_id": 1,
    "message": {
        "message_id": 1,
        "date": 1780000000,
        "chat": {"id": 7, "type": "private", "first_name": "Ann"},
        "from": {"id": 7, "is_bot": False, "first_name": "Ann"},
        "text": "hello",
    },
}
PLANTED = "https://api.telegram.org/bot123:PLANTED/getMe"


@pytest.fixture(scope="module")
def webhook(tmp_path_factory: pytest.TempPathFactory) -> Alone:
    """Lay out the bundle of the webhook."""
    return Alone("webhook", tmp_path_factory.mktemp("webhook"), SETTINGS)


def said_by(webhook: Alone, way: Mapping[str, str], said: Path) -> str:
    """Send it an update that it cannot store, and give its whole output."""
    webhook.env.update(way)
    with webhook.served("webhook", said) as url:
        secret = {"X-Telegram-Bot-Api-Secret-Token": SETTINGS["LULL_WEBHOOK_SECRET"]}
        assert httpx.post(f"{url}/lull", json=UPDATE, headers=secret, timeout=60).status_code == 500
    return said.read_text()


def entry_of(line: str) -> dict[str, Any]:
    entry: dict[str, Any] = json.loads(line)
    return entry


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_failure_is_one_line_for_cloud_logging(webhook: Alone, way: Mapping[str, str], tmp_path: Path) -> None:
    entries = [entry_of(line) for line in said_by(webhook, way, tmp_path / "said").splitlines()]
    # another line may say that the tick function could not be started either
    (entry,) = [one for one in entries if not one["message"].startswith("Cloud Tasks")]
    assert (entry["severity"], entry["agent"]) == ("ERROR", "lull")
    assert entry["message"].startswith("Firestore")
    assert "shared.base.errors.StoreUnavailable" in entry["stack_trace"]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_of_an_error_that_nobody_caught_the_place_is_told_and_not_the_text(
    webhook: Alone, way: Mapping[str, str], tmp_path: Path
) -> None:
    main = webhook.bundle / "main.py"
    source = main.read_text()
    try:
        main.write_text(source.replace("await receive(", f"await missing('{PLANTED}') or await receive("))
        main.write_text(f"{main.read_text()}\n\nasync def missing(url: str) -> None:\n    raise RuntimeError(url)\n")
        (line,) = said_by(webhook, way, tmp_path / "said").splitlines()
    finally:
        main.write_text(source)
    assert "PLANTED" not in line
    entry = entry_of(line)
    assert entry["message"].startswith("Exception on /lull [POST]")
    assert "main.py" in line
    assert "in missing" in line
    assert "RuntimeError" in line
    if way == OF_THE_FRAMEWORK:
        assert entry["severity"] == "ERROR"
