"""The commands as a user runs them, with the tests' lull and with one that runs on this machine."""

import itertools
import json
import os
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from local.cloud import LocalCloud
from shared.chat.jobs.receive import NO_UPDATE, WebhookRequest, refused_body
from shared.chat.store.inbox import FirestoreInbox
from shared.values.incident import Incident, IncidentKind
from tests.operations.test_place import running_in
from tests.operations.typed import Typing, typed, typed_alone
from tests.shared.examples import NOW, SECOND, message_update

_numbers = itertools.count(1)
LETTER = refused_body(WebhookRequest("lull", json.dumps(message_update(7, "my secret")).encode(), NOW), NO_UPDATE)
BROKEN = refused_body(WebhookRequest("lull", b"no update", NOW - SECOND), NO_UPDATE)
UNKNOWN = Incident(
    id="unknown_delivery-x-1.0", kind=IncidentKind.UNKNOWN_DELIVERY, at=NOW - 2 * SECOND, why="no answer", agent="lull"
)


class Shell:
    """A shell whose settings name a project that nobody else uses, and that project's incidents."""

    def __init__(self, cloud: LocalCloud) -> None:
        self.typing: Typing = typed
        self.project = f"shell-{os.getpid()}-{next(_numbers)}"
        self.inbox = FirestoreInbox(self.project)
        self.env = {
            "GOOGLE_CLOUD_PROJECT": self.project,
            "FIRESTORE_EMULATOR_HOST": cloud.firestore_host,
            "CLOUD_TASKS_ENDPOINT": cloud.tasks_address,
            # this queue does not exist, so that no tick runs
            "LULL_QUEUE": f"{cloud.queue}-of-nobody",
            "LULL_TICK_URL": "http://127.0.0.1:1/",
        }

    async def keep(self, *incidents: Incident) -> None:
        for incident in incidents:
            await self.inbox.add_incident(incident)

    def __call__(self, *arguments: str, env: Mapping[str, str] | None = None) -> tuple[int, list[str]]:
        """Return the exit code and the lines, errors last."""
        given = {"PATH": os.environ["PATH"], "HOME": "/nowhere"} | dict(self.env if env is None else env)
        done = self.typing(("operations", *arguments), given, "")
        assert "Traceback" not in done.stderr
        return done.returncode, [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]


@pytest.fixture
async def shell(cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Shell]:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    found = Shell(cloud)
    yield found
    found.inbox.client.close()  # type: ignore[no-untyped-call]


async def test_incidents_are_listed_newest_first_below_where_they_are(shell: Shell) -> None:
    await shell.keep(BROKEN, LETTER, UNKNOWN)
    shell.typing = typed_alone
    code, (place, _, *rows) = shell("incidents")
    assert code == 0
    assert place.startswith(f"lull in the project {shell.project}")
    assert [row.split()[0] for row in rows] == [LETTER.id, BROKEN.id, UNKNOWN.id]
    assert "my secret" not in str(rows)
    assert [row.split()[0] for row in shell("incidents", "--kind", "unknown_delivery")[1][2:]] == [UNKNOWN.id]


async def test_nothing_to_list_is_said(shell: Shell) -> None:
    assert shell("incidents") == (0, [shell("incidents")[1][0], "There is no incident that was not replayed."])
    assert shell("incidents", "--kind", "dropped_plan")[1][1] == "There is no dropped plan."
    assert shell("incidents", "--all")[1][1] == "There is no incident."
    assert shell("replay")[1][1] == "There is no dead letter that was not replayed."
    assert shell("replay", "--all") == (0, [shell("incidents")[1][0], "There are no dead letters to replay."])


async def test_replay_alone_lists_what_it_could_replay(shell: Shell) -> None:
    await shell.keep(LETTER, UNKNOWN)
    code, (_, _, row, how) = shell("replay")
    assert code == 0
    assert row.startswith(LETTER.id)
    assert how == "`make replay ID=…` tries one of them again, `make replay ID=--all` tries all of them."


async def test_a_replay_says_of_each_what_came_of_it(shell: Shell) -> None:
    await shell.keep(BROKEN, UNKNOWN)
    code, (_, broken, unknown, typo, other) = shell("replay", BROKEN.id, UNKNOWN.id, BROKEN.id[:12], "no/such")
    assert code == 1
    assert broken == f"{BROKEN.id}: lull still cannot read it: the body is not a JSON update."
    assert unknown.startswith(f"{UNKNOWN.id}: an unknown delivery is never sent again, since it may have arrived")
    assert typo.startswith(f"{BROKEN.id[:12]}: there is no such incident. Did you mean {BROKEN.id}? `make incidents`")
    assert other == "no/such: there is no such incident. `make incidents` lists all incidents."


async def test_what_cannot_be_reached_is_a_sentence(shell: Shell) -> None:
    await shell.keep(LETTER)
    code, (_, said) = shell("replay", "--all")
    assert (code, said) == (1, "Cloud Tasks did not take a task (NotFound)")


async def test_what_is_read_needs_the_project_alone_and_a_replay_to_know_where_ticks_run(
    shell: Shell, tmp_path: Path
) -> None:
    await shell.keep(LETTER)
    alone = {name: value for name, value in shell.env.items() if not name.startswith("LULL_")}
    alone["LULL_INFRA"] = str(tmp_path)
    for command in ("incidents", "replay"):
        code, lines = shell(command, env=alone)
        assert (code, lines[2].split()[0]) == (0, LETTER.id)
    code, (said,) = shell("replay", "--all", env=alone)
    assert code == 1
    assert (
        f"{shell.project} was not deployed from this checkout. Run this in the checkout that deployed it, "
        "or set LULL_QUEUE, LULL_TICK_URL" in said
    )


async def test_the_lull_of_this_machine_is_found_by_its_record(shell: Shell, cloud: LocalCloud, tmp_path: Path) -> None:
    own = Incident(
        id=f"here-{os.getpid()}", kind=IncidentKind.DROPPED_PLAN, at=NOW + timedelta(days=9_000), why="w", agent="lull"
    )
    inbox = FirestoreInbox(cloud.project)
    await inbox.add_incident(own)
    env = running_in(tmp_path, cloud.telegram_url, cloud.settings)
    code, (place, _, first, *_) = shell("incidents", env=env)
    assert (code, place) == (0, f"lull on this machine, at {cloud.telegram_url}")
    assert first.startswith(own.id)
    await inbox.client.document(f"incidents/{own.id}").delete()
    inbox.client.close()  # type: ignore[no-untyped-call]


def test_no_lull_at_all_is_said(shell: Shell, tmp_path: Path) -> None:
    code, (said,) = shell("replay", env={"LULL_DATA": str(tmp_path)})
    assert code == 1
    assert said.startswith("lull is not running on this machine; start it with `make up`.")
