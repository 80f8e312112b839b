"""Choosing the lull to use, and naming it."""

import json
from collections.abc import Mapping
from pathlib import Path

import google.auth
import pytest

from local.parts import CONTROL, PARTS, PROJECT, QUEUE, Places, reached_by
from local.run_record import RunRecord, write_record
from operations.place import NoPlace, place_of

PLACES = Places(folder=Path("/kept"), ports={name: n for n, name in enumerate((*PARTS, CONTROL), 1)})


def running_in(
    folder: Path, page: str = PLACES.url("telegram"), settings: Mapping[str, str] = reached_by(PLACES)
) -> dict[str, str]:
    """Return the environment of a shell beside a local cloud that is this process."""
    write_record(folder, RunRecord(page=page, settings=settings, parts={}, control_port=1, control_key="k"))
    return {"LULL_DATA": str(folder)}


def test_the_one_that_runs_here_is_meant_when_no_other_is_named(tmp_path: Path) -> None:
    place = place_of(running_in(tmp_path))
    assert place.title == f"lull on this machine, at {PLACES.url('telegram')}"
    assert place.settings == {
        "GOOGLE_CLOUD_PROJECT": PROJECT,
        "FIRESTORE_EMULATOR_HOST": PLACES.address("firestore"),
        "CLOUD_TASKS_ENDPOINT": PLACES.address("cloud_tasks"),
        "STORAGE_EMULATOR_HOST": PLACES.url("storage"),
        "LULL_QUEUE": QUEUE,
        "LULL_TICK_URL": PLACES.url("tick"),
    }


def test_a_project_in_the_shell_is_meant_first(tmp_path: Path) -> None:
    env = {"LULL_DATA": str(tmp_path), "GOOGLE_CLOUD_PROJECT": "my-lull"}
    assert place_of(env).title == "lull in the project my-lull"
    emulated = place_of(env | {"FIRESTORE_EMULATOR_HOST": "127.0.0.1:8"})
    assert (emulated.title, emulated.settings) == ("lull in the project my-lull, in the emulator at 127.0.0.1:8", {})


def test_a_persons_own_login_has_the_project_pay_for_the_questions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    login = {"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r"}
    (tmp_path / "login.json").write_text(json.dumps(login))
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "login.json"))
    env = {"LULL_DATA": str(tmp_path), "GOOGLE_CLOUD_PROJECT": "my-lull"}
    for name, value in place_of(env).settings.items():
        monkeypatch.setenv(name, value)
    credentials, _ = google.auth.default()
    assert credentials.quota_project_id == "my-lull"
    assert place_of(env | {"GOOGLE_CLOUD_QUOTA_PROJECT": "another"}).settings == {}


def test_it_is_said_when_both_could_be_meant(tmp_path: Path) -> None:
    title = place_of(running_in(tmp_path) | {"GOOGLE_CLOUD_PROJECT": "my-lull"}).title
    assert title == (
        "lull in the project my-lull (not the one at http://127.0.0.1:1: for that, unset GOOGLE_CLOUD_PROJECT)"
    )


def test_when_there_is_none_it_is_said_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(
        NoPlace, match=r"lull is not running on this machine; start it with `make up`\. .*GOOGLE_CLOUD_PROJECT"
    ):
        place_of({"LULL_DATA": str(tmp_path)})
