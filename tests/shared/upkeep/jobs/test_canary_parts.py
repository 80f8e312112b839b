"""Each part of a local cloud is broken, and the canary names it."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

import pytest
from google.cloud.firestore_v1 import DELETE_FIELD

from local.cloud import LocalCloud
from local.parts import FUNCTIONS
from shared.chat.store import paths
from shared.cloud.deployed_functions import DeployedFunctions
from shared.upkeep.jobs.canary import Canary, probe_parts, send_canary
from shared.upkeep.jobs.register import Registrar
from shared.upkeep.store.canaries import FirestoreCanaries
from shared.values.canary import (
    CanaryReport,
    CanaryStep,
    FunctionAnswer,
    ProbeOrder,
    ProbeReport,
    ProbeResult,
    StepResult,
)
from shared.wiring import now
from shared.wiring.registration import open_registrar
from tests.conftest import HURRIED
from tests.forking import forked
from tests.shared.reader.web.hostile import HostileServer
from tests.stories.describing import DESCRIBED
from tests.stories.play import Json, Sandbox, until

BUCKETS: Final = {CanaryStep.MEDIA, CanaryStep.EXPORTS, CanaryStep.DELETIONS, CanaryStep.ARCHIVE}
#: the probes beside the way of an update
MODELS: Final = {
    CanaryStep.MODEL,
    CanaryStep.JUDGING,
    CanaryStep.NOTING,
    CanaryStep.VECTORS,
    CanaryStep.SPEAKING,
    CanaryStep.DRAWING,
    CanaryStep.DESCRIBING,
}
PARTS: Final = {*MODELS, CanaryStep.TELEGRAM, CanaryStep.ADDRESS, CanaryStep.READING, CanaryStep.ERASING, *BUCKETS}
#: part of the local cloud → the steps that fail without it
NEEDED_BY: Final[Mapping[str, set[CanaryStep]]] = {
    "model": MODELS,
    "telegram": {CanaryStep.TELEGRAM, CanaryStep.ADDRESS},
    "reader": {CanaryStep.READING, CanaryStep.DESCRIBING},
    "describe_media": {CanaryStep.DESCRIBING},
    "erase": {CanaryStep.ERASING},
    "summarize": {CanaryStep.SWEEP},  # also notes, which report nothing then
    "storage": BUCKETS,
}
#: the models that do not plan, each tested by itself
OTHER_MODELS: Final = {
    # as where lull is deployed
    "LULL_LIMITS": "yes",
    "LULL_DAY_USD": "100",
    "LULL_MONTH_USD": "100",
    "LULL_JUDGE_MODEL": "gemini-3.1-flash-lite",
    "LULL_NOTES_MODEL": "gemini-3.6-flash",
    "LULL_SPEECH_MODEL": "gemini-3.8-flash-tts",
    "LULL_IMAGE_MODEL": "gemini-nano-banana-2.1",
}
NOBODY: Final = "http://127.0.0.1:1"


@pytest.fixture(scope="module")
def cloud(web: HostileServer) -> Iterator[LocalCloud]:
    """Run a local cloud that describes files, and whose parts may be stopped."""
    own = {**DESCRIBED, **OTHER_MODELS, "LULL_READER_PRIVATE_HOSTS": web.host}
    with LocalCloud(forked(env=HURRIED | own)).running() as running:
        yield running


def functions(sandbox: Sandbox) -> Mapping[str, str]:
    return {name: sandbox.cloud.url(name) for name in FUNCTIONS}


async def sent(sandbox: Sandbox, patience_s: float = 60.0) -> CanaryReport:
    tokens = {"lull": sandbox.cloud.tokens["lull"]}
    async with open_registrar(tokens, sandbox.cloud.telegram_url, sandbox.cloud.webhook_secret) as registrar:
        return await send_canary(canary_of(sandbox, registrar, patience_s))


def canary_of(sandbox: Sandbox, registrar: Registrar, patience_s: float) -> Canary:
    return Canary(
        doors=DeployedFunctions(sandbox.cloud.webhook_url, sandbox.cloud.summarize_url, functions(sandbox)),
        kept=FirestoreCanaries(sandbox.cloud.project),
        agents=["lull"],
        secret=sandbox.cloud.webhook_secret,
        clock=now,
        patience_s=patience_s,
        registrar=registrar,
        webhook_url=sandbox.cloud.webhook_url,
    )


def failed(report: CanaryReport) -> dict[CanaryStep, str]:
    return {seen.step: seen.said for seen in report.steps if not seen.is_well}


@asynccontextmanager
async def ended(sandbox: Sandbox, part: str) -> AsyncIterator[None]:
    await asyncio.to_thread(sandbox.cloud.stop, part)
    try:
        yield
    finally:
        await asyncio.to_thread(sandbox.cloud.start, part)


async def test_where_everything_is_well_each_part_is_told_to_be(sandbox: Sandbox) -> None:
    report = await sent(sandbox)
    assert report.is_well, failed(report)
    assert {seen.step for seen in report.steps} == set(CanaryStep)
    assert {seen.agent for seen in report.steps if seen.step is CanaryStep.TELEGRAM} == set(sandbox.cloud.tokens)
    # nothing of this run stays in the buckets
    run = str(int(report.at.timestamp() * 1000))
    left = [path for path in (sandbox.cloud.folder / "storage").rglob("*") if path.is_file() and run in path.as_posix()]
    assert left == []
    documents = [path.id async for path in sandbox.firestore.collection("canaries").list_documents()]
    assert documents == ["last"]


@pytest.mark.parametrize("part", NEEDED_BY)
async def test_a_part_that_is_away_is_named_and_hides_no_other(sandbox: Sandbox, part: str) -> None:
    async with ended(sandbox, part):
        report = await sent(sandbox)
    assert set(failed(report)) == NEEDED_BY[part]
    assert not report.is_well


async def test_a_tick_that_starts_while_telegram_is_away_reads_the_canary(sandbox: Sandbox) -> None:
    async with ended(sandbox, "telegram"):
        async with ended(sandbox, "tick"):  # a restarted function does not know the names of bots
            await sandbox.firestore.document(paths.bot_path("lull")).set({"names": DELETE_FIELD}, merge=True)
        assert set(failed(await sent(sandbox))) == NEEDED_BY["telegram"]


async def test_two_that_are_away_are_both_named(sandbox: Sandbox) -> None:
    async with ended(sandbox, "erase"), ended(sandbox, "reader"):
        report = await sent(sandbox)
    assert set(failed(report)) == NEEDED_BY["erase"] | NEEDED_BY["reader"]


async def test_a_tick_that_is_away_hides_neither_describing_nor_erasing(sandbox: Sandbox) -> None:
    async with ended(sandbox, "tick"):
        report = await sent(sandbox, patience_s=1.0)
    assert set(failed(report)) == {CanaryStep.TICK}
    assert {CanaryStep.DESCRIBING, CanaryStep.ERASING, CanaryStep.MEDIA} <= {
        seen.step for seen in report.steps if seen.is_well
    }


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"status": 404, "error": "models/x is not found"}, "404"),
        ({"status": 400, "error": "API key not valid."}, "400"),
        ({"status": 503, "error": "The model is overloaded.", "times": None}, "503"),
    ],
)
async def test_a_model_that_gives_no_answer_is_named(sandbox: Sandbox, fault: Json, said: str) -> None:
    await sandbox.model.will({"match": "Answer with the word", "times": None, **fault})
    report = await sent(sandbox)
    assert set(failed(report)) == {CanaryStep.MODEL}
    assert said in failed(report)[CanaryStep.MODEL]


async def test_a_describing_model_that_gives_no_answer_is_named(sandbox: Sandbox) -> None:
    await sandbox.model.will({"match": "You describe files", "times": None, "status": 404, "error": "not found"})
    assert set(failed(await sent(sandbox))) == {CanaryStep.DESCRIBING}


@pytest.mark.parametrize(
    ("model", "step"),
    [
        ("gemini-3.8-flash", CanaryStep.MODEL),
        ("gemini-3.1-flash-lite", CanaryStep.JUDGING),
        ("gemini-3.6-flash", CanaryStep.NOTING),
        ("gemini-3.8-flash-tts", CanaryStep.SPEAKING),
        ("gemini-nano-banana-2.1", CanaryStep.DRAWING),
    ],
)
async def test_each_model_that_is_away_is_named_by_itself(sandbox: Sandbox, model: str, step: CanaryStep) -> None:
    assert (await sent(sandbox)).is_well
    away = {"match": rf"\A{re.escape(model)}\n", "times": None, "status": 404, "error": "not found"}
    await sandbox.model.will(away)
    found = failed(await sent(sandbox))
    assert set(found) == {step}
    assert model in found[step]
    await sandbox.model.http.delete("/script")
    assert (await sent(sandbox)).is_well


async def test_a_model_of_vectors_that_is_away_is_named(sandbox: Sandbox) -> None:
    (await sandbox.model.http.post("/script", json={"vectors": {"status": 404}})).raise_for_status()
    assert set(failed(await sent(sandbox))) == {CanaryStep.VECTORS}
    await sandbox.model.http.delete("/script")
    assert (await sent(sandbox)).is_well


async def test_what_is_dear_is_asked_for_once_a_week_and_again_while_it_is_ill(sandbox: Sandbox) -> None:
    async def asked() -> int:
        found = await sandbox.model.http.get("/exchanges", params={"after": sandbox.model.seen, "about": "A grey dot."})
        return len(found.raise_for_status().json()["exchanges"])

    await sent(sandbox)
    before = await asked()
    assert (await sent(sandbox)).is_well
    assert await asked() == before
    last = sandbox.firestore.document(paths.CANARY_REPORT)
    await last.update({"thorough_at": now() - timedelta(days=8)})
    # it is there, and draws nothing
    await sandbox.model.will({"match": "A grey dot.", "times": None, "text": "I cannot draw."})
    for _ in range(2):
        assert "returned no file" in failed(await sent(sandbox))[CanaryStep.DRAWING]
    assert await asked() == before + 2
    await sandbox.model.http.delete("/script")
    for _ in range(2):
        assert (await sent(sandbox)).is_well
    assert await asked() == before + 3


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"method": "deleteWebhook"}, "there was none"),
        ({"method": "setWebhook", "url": "https://elsewhere.example/hook"}, "it went elsewhere"),
        ({"method": "setWebhook", "url": "", "allowed_updates": ["message"]}, "it had other settings"),
    ],
)
async def test_a_webhook_that_is_not_ours_any_more_is_told_and_set_again(
    sandbox: Sandbox, call: Json, said: str
) -> None:
    given = {name: value for name, value in call.items() if name != "method"}
    if given.get("url") == "":
        given["url"] = f"{sandbox.cloud.webhook_url}/lull"
    token = sandbox.cloud.tokens["lull"]
    (await sandbox.telegram.post(f"/bot{token}/{call['method']}", json=given)).raise_for_status()
    report = await sent(sandbox)
    assert set(failed(report)) == {CanaryStep.ADDRESS}
    assert said in failed(report)[CanaryStep.ADDRESS]
    assert "set again" in failed(report)[CanaryStep.ADDRESS]
    assert (await sent(sandbox)).is_well
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("Here I am.")
    await chat.writes(ann, "are you there?")
    assert await chat.answers() == ["Here I am."]


async def test_a_webhook_with_another_secret_is_told_while_updates_wait_and_told_it_again(sandbox: Sandbox) -> None:
    token = sandbox.cloud.tokens["lull"]
    info = (await sandbox.telegram.get(f"/bot{token}/getWebhookInfo")).json()["result"]
    other = {"url": info["url"], "allowed_updates": info["allowed_updates"], "max_connections": 100}
    answer = await sandbox.telegram.post(f"/bot{token}/setWebhook", json={**other, "secret_token": "another"})
    answer.raise_for_status()
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("Here I am.")
    await chat.writes(ann, "are you there?")

    async def has_failed() -> bool:
        found = (await sandbox.telegram.get(f"/bot{token}/getWebhookInfo")).json()["result"]
        return bool(found.get("last_error_date")) and found["pending_update_count"] > 0

    await until(has_failed, "Telegram could not deliver")
    said = failed(await sent(sandbox))[CanaryStep.ADDRESS]
    assert "Telegram could not deliver" in said
    assert "1 updates wait" in said
    assert await chat.answers() == ["Here I am."]
    assert (await sent(sandbox)).is_well


async def test_a_probe_takes_no_answer_of_a_person(sandbox: Sandbox) -> None:
    await sandbox.model.will({"text": "for somebody"})
    assert (await sent(sandbox)).is_well
    left = (await sandbox.model.http.get("/script")).json()["replies"]
    assert left == [{"text": "for somebody"}]


class Told(DeployedFunctions):
    """Functions with given answers."""

    def __init__(self, answers: Mapping[str, FunctionAnswer]) -> None:
        self.answers, self.orders = answers, dict[str, ProbeOrder]()

    async def probe(self, function: str, order: ProbeOrder) -> FunctionAnswer:
        self.orders[function] = order
        return self.answers.get(function, FunctionAnswer(status=200, said='{"probed": []}'))


def answer(*probed: ProbeResult) -> FunctionAnswer:
    return FunctionAnswer(status=200, said=ProbeReport(probed=probed).model_dump_json())


async def test_what_several_say_of_a_bucket_is_one_step_that_fails_where_one_does() -> None:
    told = Told(
        {
            "describe_media": answer(ProbeResult(step=CanaryStep.MEDIA, is_well=True, said="a part was stored")),
            "erase": answer(ProbeResult(step=CanaryStep.MEDIA, is_well=False, said="it cannot be deleted")),
        }
    )
    (seen,) = await probe_parts(told, "7")
    assert (seen.step, seen.is_well, seen.said) == (CanaryStep.MEDIA, False, "it cannot be deleted")


@pytest.mark.parametrize("is_well", [True, False])
async def test_an_export_is_read_only_where_one_was_stored(is_well: bool) -> None:
    told = Told({"summarize": answer(ProbeResult(step=CanaryStep.EXPORTS, is_well=is_well, said="…"))})
    await probe_parts(told, "7")
    assert told.orders["tick"].has_takeout is is_well


async def test_what_a_canary_asks_counts_towards_the_limits(sandbox: Sandbox) -> None:
    async def spent() -> int:
        # where a day may cost so much, the sums are in several documents
        budgets = [(one.to_dict() or {})["sums"] async for one in sandbox.firestore.collection(paths.BUDGETS).stream()]
        return sum(sums["*background"]["spent_day"]["nano_usd"] for sums in budgets if "*background" in sums)

    before = await spent()
    assert (await sent(sandbox)).is_well
    # each call counts, without a payer, and a canary costs less than a cent
    assert 0 < await spent() - before < 10_000_000


@pytest.mark.parametrize(("said", "is_done"), [("gemini-x answered", True), ("gemini-x was not asked: spent", False)])
async def test_what_no_money_was_left_for_is_asked_by_the_next(sandbox: Sandbox, said: str, is_done: bool) -> None:
    await sandbox.firestore.document(paths.CANARY_REPORT).delete()
    kept = FirestoreCanaries(sandbox.cloud.project)
    told = Told({"tick": answer(ProbeResult(step=CanaryStep.DRAWING, is_well=True, said=said))})
    report = await send_canary(Canary(doors=told, kept=kept, agents=[], secret="s", clock=now))
    assert told.orders["tick"].is_thorough
    assert (report.is_well, await kept.thorough_at() is not None) == (True, is_done)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (FunctionAnswer(status=503), "does not start (503)"),
        (FunctionAnswer(status=403), "roles/run.invoker"),
        (FunctionAnswer(status=400, said="the body is no order"), "does not know its probes (400)"),
        (FunctionAnswer(status=200, said="hello"), "does not know its probes (400)"),
        (FunctionAnswer(status=None, said="ConnectError"), "no answer (ConnectError)"),
        (FunctionAnswer(status=302), "another program"),
    ],
)
async def test_a_function_that_tells_nothing_fails_its_own_step(given: FunctionAnswer, said: str) -> None:
    for function, step in (
        ("describe_media", CanaryStep.DESCRIBING),
        ("erase", CanaryStep.ERASING),
        ("tick", CanaryStep.TICK),
    ):
        (seen,) = await probe_parts(Told({function: given}), "7")
        assert isinstance(seen, StepResult)
        assert (seen.step, seen.is_well, said in seen.said) == (step, False, True)


async def test_a_function_without_an_address_is_told() -> None:
    told = await DeployedFunctions(NOBODY, NOBODY).probe("erase", ProbeOrder(job="probe", run="7"))
    assert told == FunctionAnswer(status=None, said="LULL_ROUTES has no address for this function")
