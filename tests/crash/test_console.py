"""The console is killed at each of its writes, or a server fails then, and the page repeats its request.

Afterwards the change is there once, with its record, and nothing is half done. `ALL_ACTS=yes` in the environment plays
every act; otherwise there is one for each way of writing, since each takes some seconds.
"""

import json
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from benchmarks.relay.ledger import Moment
from local.cloud import LocalCloud
from shared.console.route import console_routes
from tests.crash.console_acts import ACTS, Act
from tests.crash.console_life import TELEGRAM
from tests.crash.console_plays import FIRESTORE, TASKS, Outage, Stage
from tests.shared.conftest import new_queue
from tests.shared.console.harness import BOTS, DOOR, OWNER
from tests.shared.examples import NOW
from tests.shared.paused_queue import PausedQueue

__all__ = ["new_queue"]

#: acts without a record: what is said in a web conversation is in its transcript
UNRECORDED = frozenset({"talk", "talk edit", "talk press", "talk react"})
#: acts that are done although their tick could not be made: the answer says that the sweep wakes the chat
WITHOUT_TICK = frozenset({"replay", "receive again"})
#: one act for each way of writing: an update, an order, a document, a transaction, a job, several of them
SAMPLE = frozenset(
    {"talk", "rename", "delete", "mark", "memory move", "memory undo", "media again", "rebuild", "limits", "let in"}
    | {"invite", "cancel a reminder", "accept", "replay", "resend", "forget a person"}
)
CHOSEN = [act for act in ACTS if act.name in SAMPLE or os.environ.get("ALL_ACTS") == "yes"]
EACH_ACT = pytest.mark.parametrize("act", CHOSEN, ids=[act.name.replace(" ", "_") for act in CHOSEN])
#: the texts that tell the owner so (`web/console/words/en/told.json`)
FAILED = frozenset({"did_not_work", "does_not_answer"})
#: a status that clients do not retry by themselves, so that a test need not wait for them
REFUSALS = {FIRESTORE: "DEADLINE_EXCEEDED", TASKS: "RESOURCE_EXHAUSTED"}
#: the views whose addresses name nothing
READS = sorted(
    one.path for one in console_routes() if one.method == "GET" and "{" not in one.path and one.path != "/api/live"
)


@pytest.fixture
def plays(cloud: LocalCloud, new_queue: Callable[[], Awaitable[PausedQueue]], monkeypatch: pytest.MonkeyPatch) -> Stage:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    return Stage(cloud, new_queue)


def test_every_act_of_the_sample_exists() -> None:
    assert {act.name for act in ACTS} >= SAMPLE


@EACH_ACT
async def test_a_click_has_its_effect_once_wherever_the_console_is_killed(plays: Stage, act: Act) -> None:
    whole = await plays.undisturbed(act)
    assert whole.status == 200, whole.text
    assert sum(one.startswith("console_records/") for one in whole.stored) == (act.name not in UNRECORDED)
    assert whole.writes
    for write in whole.writes:
        again = await plays.killed(act, write.step, Moment.AFTER)
        assert again.unlike(whole) == [], f"killed after {write.step}: {again.text}"
    first = await plays.killed(act, whole.writes[0].step, Moment.BEFORE)
    assert first.unlike(whole) == [], first.text


@EACH_ACT
async def test_while_a_server_fails_the_owner_is_told_and_a_later_try_completes_it(plays: Stage, act: Act) -> None:
    whole = await plays.undisturbed(act)
    for write in dict.fromkeys((whole.writes[0], whole.writes[-1])):
        outage = Outage(write.step.maker, write.number, REFUSALS[write.step.maker])
        failed, again = await plays.failing(act, outage)
        if not (act.name in WITHOUT_TICK and write.step.maker == TASKS):
            assert failed.status == 503, f"{write.step}: {failed.text}"
            assert json.loads(failed.text)["code"] in FAILED, failed.text
        assert again.unlike(whole) == [], f"{write.step}: {again.text}"


async def test_data_of_a_mini_app_that_was_used_before_the_kill_signs_nobody_in_again(plays: Stage) -> None:
    data, fresh = (TELEGRAM.init_data(OWNER, BOTS["lull"], NOW, query_id=name) for name in ("first", "second"))
    act = Act("sign in", f"/{DOOR}/telegram", {"init_data": data}, is_signed_in=False)
    whole = await plays.undisturbed(act)
    (write,) = whole.writes
    before = await plays.killed(act, write.step, Moment.BEFORE)
    assert before.unlike(whole) == []
    after = await plays.killed(act, write.step, Moment.AFTER)
    assert (after.status, after.stored) == (404, whole.stored), "its record was stored, and its cookie never came"
    assert (await plays.undisturbed(replace(act, body={"init_data": fresh}))).status == 200


@pytest.mark.parametrize("path", READS)
async def test_a_view_whose_database_fails_says_so(plays: Stage, path: str) -> None:
    act = Act("view", path, method="GET")
    whole = await plays.undisturbed(act)
    assert whole.status in {200, 400, 404}, whole.text
    count = len(whole.requests)
    for first in sorted({1, count // 2, count} - {0}):  # each play takes seconds, and some views make twenty requests
        failed, again = await plays.failing(act, Outage(FIRESTORE, first, REFUSALS[FIRESTORE]))
        assert failed.status == 503 or (failed.status == 200 and first > 1), f"{first}: {failed.text}"
        assert failed.status == 200 or json.loads(failed.text)["code"] in FAILED, failed.text
        assert again.status == whole.status
