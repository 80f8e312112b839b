"""The parts of a canary in a local cloud of their own: each is put out of order, and the canary fails naming it."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

import pytest

from local.cloud import LocalCloud
from local.parts import FUNCTIONS
from shared.adapters.doors import HttpDoors
from shared.adapters.firestore.canaries import FirestoreCanaries
from shared.bootstrap import now
from shared.flows.canary import Canary, send_canary
from shared.flows.canary_parts import probe_parts
from shared.models.canary import Answer, CanaryReport, Probed, ProbeOrder, ProbeReport, Seen, Step
from tests.conftest import HURRIED
from tests.forking import forked
from tests.shared.adapters.web.hostile import HostileServer
from tests.stories.describing import DESCRIBED
from tests.stories.play import Json, Stage

BUCKETS: Final = {Step.MEDIA, Step.TAKEOUTS, Step.ERASURES, Step.ARCHIVE}
#: what is probed beside the way of an update
PARTS: Final = {Step.MODEL, Step.TELEGRAM, Step.READING, Step.DESCRIBING, Step.ERASING, *BUCKETS}
#: steps that fail with each part of the local cloud that is ended: those that need it, and no others
NEEDED_BY: Final[Mapping[str, set[Step]]] = {
    "gemini": {Step.MODEL, Step.DESCRIBING},
    "telegram": {Step.TELEGRAM},
    "reader": {Step.READING, Step.DESCRIBING},
    "describe_media": {Step.DESCRIBING},
    "erase": {Step.ERASING},
    "summarize": {Step.SWEEP},
    "storage": BUCKETS,
}
NOBODY: Final = "http://127.0.0.1:1"


@pytest.fixture(scope="module")
def cloud(web: HostileServer) -> Iterator[LocalCloud]:
    """A local cloud in which parts may be ended, and files are described."""
    with LocalCloud(forked(env=HURRIED | DESCRIBED | {"LULL_READER_PRIVATE_HOSTS": web.host})).running() as running:
        yield running


def functions(stage: Stage) -> Mapping[str, str]:
    return {name: stage.cloud.url(name) for name in FUNCTIONS}


async def sent(stage: Stage, patience_s: float = 60.0) -> CanaryReport:
    canary = Canary(
        doors=HttpDoors(stage.cloud.webhook_url, stage.cloud.summarize_url, functions(stage)),
        kept=FirestoreCanaries(stage.cloud.project),
        agents=["lull"],
        secret=stage.cloud.webhook_secret,
        clock=now,
        patience_s=patience_s,
    )
    return await send_canary(canary)


def failed(report: CanaryReport) -> dict[Step, str]:
    return {seen.step: seen.said for seen in report.steps if not seen.is_well}


@asynccontextmanager
async def ended(stage: Stage, part: str) -> AsyncIterator[None]:
    await asyncio.to_thread(stage.cloud.stop, part)
    try:
        yield
    finally:
        await asyncio.to_thread(stage.cloud.start, part)


async def test_where_everything_is_well_each_part_is_told_to_be(stage: Stage) -> None:
    report = await sent(stage)
    assert report.is_well, failed(report)
    assert {seen.step for seen in report.steps} == set(Step)
    assert {seen.agent for seen in report.steps if seen.step is Step.TELEGRAM} == set(stage.cloud.tokens)
    # nothing of this run stays in the buckets
    run = str(int(report.at.timestamp() * 1000))
    left = [path for path in (stage.cloud.folder / "storage").rglob("*") if path.is_file() and run in path.as_posix()]
    assert left == []
    documents = [path.id async for path in stage.firestore.collection("canaries").list_documents()]
    assert documents == ["last"]


@pytest.mark.parametrize("part", NEEDED_BY)
async def test_a_part_that_is_away_is_named_and_hides_no_other(stage: Stage, part: str) -> None:
    async with ended(stage, part):
        report = await sent(stage)
    assert set(failed(report)) == NEEDED_BY[part]
    assert not report.is_well


async def test_two_that_are_away_are_both_named(stage: Stage) -> None:
    async with ended(stage, "erase"), ended(stage, "reader"):
        report = await sent(stage)
    assert set(failed(report)) == NEEDED_BY["erase"] | NEEDED_BY["reader"]


async def test_a_tick_that_is_away_hides_neither_describing_nor_erasing(stage: Stage) -> None:
    async with ended(stage, "tick"):
        report = await sent(stage, patience_s=1.0)
    assert set(failed(report)) == {Step.TICK}
    assert {Step.DESCRIBING, Step.ERASING, Step.MEDIA} <= {seen.step for seen in report.steps if seen.is_well}


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"status": 404, "error": "models/x is not found"}, "404"),
        ({"status": 400, "error": "API key not valid."}, "400"),
        ({"status": 503, "error": "The model is overloaded.", "times": None}, "503"),
    ],
)
async def test_a_model_that_gives_no_answer_is_named(stage: Stage, fault: Json, said: str) -> None:
    await stage.model.will({"match": "Answer with the word", "times": None, **fault})
    report = await sent(stage)
    assert set(failed(report)) == {Step.MODEL}
    assert said in failed(report)[Step.MODEL]


async def test_a_describing_model_that_gives_no_answer_is_named(stage: Stage) -> None:
    await stage.model.will({"match": "You describe files", "times": None, "status": 404, "error": "not found"})
    assert set(failed(await sent(stage))) == {Step.DESCRIBING}


async def test_a_probe_takes_no_answer_of_a_person(stage: Stage) -> None:
    await stage.model.will({"text": "for somebody"})
    assert (await sent(stage)).is_well
    left = (await stage.model.http.get("/script")).json()["replies"]
    assert left == [{"text": "for somebody"}]


class Told:
    """Functions that tell what they are given to tell."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self.answers, self.orders = answers, dict[str, ProbeOrder]()

    async def webhook(self, agent: str, body: bytes, secret: str) -> Answer:
        raise NotImplementedError

    async def sweep(self) -> Answer:
        raise NotImplementedError

    async def probe(self, function: str, order: ProbeOrder) -> Answer:
        self.orders[function] = order
        return self.answers.get(function, Answer(status=200, said='{"probed": []}'))


def answer(*probed: Probed) -> Answer:
    return Answer(status=200, said=ProbeReport(probed=probed).model_dump_json())


async def test_what_several_say_of_a_bucket_is_one_step_that_fails_where_one_does() -> None:
    told = Told(
        {
            "describe_media": answer(Probed(step=Step.MEDIA, is_well=True, said="a part was stored")),
            "erase": answer(Probed(step=Step.MEDIA, is_well=False, said="it cannot be deleted")),
        }
    )
    (seen,) = await probe_parts(told, "7")
    assert (seen.step, seen.is_well, seen.said) == (Step.MEDIA, False, "it cannot be deleted")


@pytest.mark.parametrize("is_well", [True, False])
async def test_a_takeout_is_read_only_where_one_was_stored(is_well: bool) -> None:
    told = Told({"summarize": answer(Probed(step=Step.TAKEOUTS, is_well=is_well, said="…"))})
    await probe_parts(told, "7")
    assert told.orders["tick"].has_takeout is is_well


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (Answer(status=503), "does not start (503)"),
        (Answer(status=403), "roles/run.invoker"),
        (Answer(status=400, said="the body is no order"), "knows no probe (400)"),
        (Answer(status=200, said="hello"), "knows no probe (400)"),
        (Answer(status=None, said="ConnectError"), "no answer (ConnectError)"),
        (Answer(status=302), "another program"),
    ],
)
async def test_a_function_that_tells_nothing_fails_its_own_step(given: Answer, said: str) -> None:
    for function, step in (("describe_media", Step.DESCRIBING), ("erase", Step.ERASING), ("tick", Step.TICK)):
        (seen,) = await probe_parts(Told({function: given}), "7")
        assert isinstance(seen, Seen)
        assert (seen.step, seen.is_well, said in seen.said) == (step, False, True)


async def test_a_function_without_an_address_is_told() -> None:
    told = await HttpDoors(NOBODY, NOBODY).probe("erase", ProbeOrder(job="probe", run="7"))
    assert told == Answer(status=None, said="LULL_ROUTES has no address of it")
