"""Speech and pictures are made before they are sent; if that fails, a text takes their place, and the model knows."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from local.cloud import LocalCloud
from local.gemini.samples import blob, picture, tone
from shared.base.errors import ModelRefused, ModelTrouble
from shared.base.wording.words import words_in
from shared.chat.session import Session
from shared.chat.store.chats import ReadUpdates
from shared.llm.gemini.model import GeminiModel
from shared.llm.metering import MeteredModels, use_budget
from shared.llm.ports.world import LanguageModel as Asked
from shared.media.making import (
    AT_LIMIT,
    AWAITED_S,
    LONGEST_SPOKEN,
    NO_NOTE,
    NOTHING,
    REFUSED,
    TOO_LONG,
    UNREACHED,
    FileMaker,
)
from shared.media.media_reader import HttpMediaReader
from shared.media.rewording import NOT_MADE
from shared.media.tasks.draw import Draw
from shared.media.tasks.voice import Voice
from shared.tasks.outcome import task_of
from shared.tasks.plan import DeliveryState, Plan, TaskState
from shared.tasks.task import Task
from shared.turn.runner import PlanRunner
from shared.values.agent import FrontMatter, ReplyPace, VoicePolicy
from shared.values.capabilities import OutputKind
from shared.values.evolve import evolve
from shared.values.message import Event, Message
from shared.values.outgoing import FileRequest
from shared.values.usage import Purpose
from tests.shared.examples import agent, plan_of, send
from tests.shared.fixtures import OpenHarness
from tests.shared.own_words import NOT_SENT
from tests.shared.spending.values import Paid
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session, deliveries
from tests.shared.turn.watched import WatchedModel
from tests.stories.play import Json, Model

SPOKEN = {"inline": [blob("audio/wav", tone())]}
DRAWN = {"inline": [blob("image/png", picture())]}
FRONT = evolve(agent().front, voice=VoicePolicy.IN_KIND, voice_name="Kore")


@dataclass
class Making:
    """The parts that make files, over the local Gemini and the local reader."""

    gemini: GeminiModel
    reader: str
    script: Model

    def maker(self, model: Asked | None = None, reader: str | None = None, front: FrontMatter = FRONT) -> FileMaker:
        """Return a maker that speaks and draws."""
        asked = model or self.gemini
        return FileMaker(
            models=MeteredModels({"speech": asked, "pictures": asked}),
            by={made: made.value for made in (OutputKind.SPEECH, OutputKind.PICTURES)},
            encoder=HttpMediaReader(self.reader if reader is None else reader),
            front=front,
        )


@pytest.fixture
async def making(cloud: LocalCloud, model_url: str, script: Model) -> AsyncIterator[Making]:
    gemini = GeminiModel("gemini-3.8-flash-lite-tts", "no-key", model_url, 30.0, 1)
    yield Making(gemini, cloud.url("reader"), script)
    await gemini.api.aclose()


def wanted(words: str = "Hello there.", makes: OutputKind = OutputKind.SPEECH) -> FileRequest:
    return FileRequest(makes=makes, words=words)


def voice(text: str = "Hello there.", name: str = "1", **fields: Any) -> Voice:
    return Voice.model_validate({"id": name, "text": text, **fields})


def draw(prompt: str = "A fox.", name: str = "1", **fields: Any) -> Draw:
    return Draw.model_validate({"id": name, "prompt": prompt, **fields})


async def held(harness: ChatHarness) -> Session:
    """Claim the chat, with its messages read."""
    reservation = await claimed_session(harness)
    reservation.note(ReadUpdates((harness.backend.offset - 1,)))
    return reservation


async def run(harness: ChatHarness, maker: FileMaker | None, *tasks: Task, language: str = "") -> Plan:
    """Run some tasks with an agent that speaks and draws, and return the plan."""
    reservation = await held(harness)
    plan = evolve(plan_of(*tasks), language=language, answers=(harness.message_id,))
    plan = (await runner_of(harness, maker).run(reservation, plan, is_final_plan=False)).plan
    await reservation.commit(plan, release=True)
    return plan


def runner_of(harness: ChatHarness, maker: FileMaker | None) -> PlanRunner:
    return replace(harness.tick_services.agents["lull"].runner, maker=maker)


async def told(harness: ChatHarness) -> Sequence[str]:
    """Return the events that the model is told of."""
    return [entry["note"] for entry in await harness.transcript() if entry["type"] == "event"]


async def actions(harness: ChatHarness) -> list[str]:
    """Return the activities that people saw."""
    calls = (await harness.backend.telegram.get("/world/calls", params={"method": "sendChatAction"})).json()["calls"]
    own = (c["params"] for c in calls if c["bot_id"] == harness.backend.bot_id)
    return [one["action"] for one in own if int(one["chat_id"]) == harness.key.chat_id]


async def test_words_become_a_voice_note_and_what_it_took_is_known(harness: ChatHarness, making: Making) -> None:
    await making.script.will(SPOKEN)
    maker = making.maker()
    made = await maker.make("p/1", wanted(), harness.key, 0)
    assert (made.problem, made.mime_type, made.duration_s, made.is_captioned) == ("", "audio/ogg", 1, False)
    assert made.content.startswith(b"OggS")
    assert [call.model for call in made.calls] == ["gemini-3.8-flash-lite-tts"]
    assert maker.held_file("p/1") is made
    assert maker.held_file("p/2") is None
    asked = (await making.script.asked("Hello there."))[-1]["request"]
    assert asked["generationConfig"]["speechConfig"]["voiceConfig"]["prebuiltVoiceConfig"] == {"voiceName": "Kore"}


async def test_a_picture_is_as_the_model_made_it(harness: ChatHarness, making: Making) -> None:
    await making.script.will(DRAWN)
    made = await making.maker().make("p/1", wanted("A fox.", OutputKind.PICTURES), harness.key, 0)
    assert (made.problem, made.mime_type, made.content) == ("", "image/png", picture())


@pytest.mark.parametrize(
    ("words", "replies", "problem"),
    [
        ("Hi.", [{"status": 400, "error": "no such voice"}], REFUSED),
        ("Hi.", [{"finish_reason": "SAFETY"}], REFUSED),
        ("Hi.", [{"status": 503}], UNREACHED),
        ("Hi.", [{"text": "I would rather write."}], NOTHING),
        ("Hi.", [DRAWN], NOTHING),
        ("Hi.", [{"inline": [blob("audio/wav", b"no sound at all")]}], NO_NOTE),
        ("", [], NOTHING),
        ("x" * (LONGEST_SPOKEN + 1), [], TOO_LONG),
    ],
)
async def test_what_cannot_be_spoken_is_a_problem(
    harness: ChatHarness, making: Making, words: str, replies: list[Json], problem: str
) -> None:
    await making.script.will(*replies)
    made = await making.maker().make("p/1", wanted(words), harness.key, 0)
    assert (made.problem, made.content) == (problem, b"")
    assert bool(made.calls) == bool(replies), "what was asked is paid for"


async def test_without_a_reader_or_a_model_nothing_is_spoken(harness: ChatHarness, making: Making) -> None:
    await making.script.will(SPOKEN)
    assert (await making.maker(reader="").make("p/1", wanted(), harness.key, 0)).problem == NO_NOTE
    nobody = replace(making.maker(), by={})
    assert (await nobody.make("p/1", wanted(), harness.key, 0)).problem == NOT_MADE


async def test_only_so_much_is_held_but_nothing_is_given_up_that_is_still_to_be_sent(
    harness: ChatHarness, making: Making
) -> None:
    passed = [0.0]
    maker = replace(making.maker(), most_held=2 * (len(picture()) + 2_000), monotonic=lambda: passed[0])

    async def drawn(name: str) -> None:
        await making.script.will(DRAWN)
        await maker.make(name, wanted("A fox.", OutputKind.PICTURES), harness.key, 0)

    for name in "abcd":
        await drawn(name)
    assert all(maker.held_file(name) is not None for name in "abcd"), "many chats at once"
    maker.release("c")
    maker.release("nothing")
    await drawn("d")
    assert [maker.held_file(name) is None for name in "abcd"] == [False, False, True, False]
    passed[0] = AWAITED_S
    await drawn("e")
    assert [maker.held_file(name) is None for name in "abcde"] == [True, True, True, False, False]
    passed[0] += AWAITED_S - 1
    for number in range(60):  # of which nothing comes
        await maker.make(f"none {number}", wanted(""), harness.key, 0)
    passed[0] += 2
    await drawn("f")
    assert maker.held_file("none 0") is not None
    assert maker.held_file("d") is None


async def test_a_voice_note_is_sent_and_people_saw_it_being_recorded(harness: ChatHarness, making: Making) -> None:
    await harness.writes("say it")
    await making.script.will(SPOKEN)
    plan = await run(harness, making.maker(), voice(), send("2", "And written.", ("1",)))
    assert deliveries(plan) == [[DeliveryState.CONFIRMED]] * 2
    assert plan.tasks[0].deliveries[0].method == "sendVoice"
    assert [m["file"] and m["file"]["kind"] for m in await harness.messages()] == ["voice", None]
    assert await actions(harness) == ["record_voice"]
    assert [call.model for call in plan.calls] == ["gemini-3.8-flash-lite-tts"]
    said = [e for e in await harness.transcript() if e["type"] == "message" and e["author"]["is_agent"]]
    assert [(e["text"], e["media"], len(e["calls"])) for e in said] == [
        ("Hello there.", "a voice message", 1),
        ("And written.", "", 0),
    ]
    assert await told(harness) == []


async def test_the_last_of_those_who_are_answered_pays(harness: ChatHarness, making: Making) -> None:
    await harness.writes("say it")
    await making.script.will(SPOKEN)
    reservation, budget_service = await held(harness), Paid()
    plan = plan_of(voice())
    (one,) = plan.tasks
    plan = evolve(plan, tasks=(evolve(one, people=(6, 7)),))
    with use_budget(budget_service):
        await runner_of(harness, making.maker()).run(reservation, plan, is_final_plan=False)
    assert [(use.purpose, use.chat, use.person) for use in budget_service.uses] == [(Purpose.SPEAK, harness.key, 7)]


async def test_what_a_limit_does_not_allow_is_written_and_says_why(harness: ChatHarness, making: Making) -> None:
    await harness.writes("say it")
    with use_budget(Paid(refusal=ModelRefused("no", trouble=ModelTrouble.LIMIT))):
        await run(harness, making.maker(), voice())
    assert await harness.said() == ["Hello there."]
    assert await told(harness) == [voice().unsent(AT_LIMIT)]


async def test_a_second_voice_note_tells_what_itself_took(harness: ChatHarness, making: Making) -> None:
    await harness.writes("say it")
    await making.script.will(SPOKEN, SPOKEN)
    await run(harness, making.maker(), voice(), voice(name="2", depends_on=("1",)))
    said = [e for e in await harness.transcript() if e["type"] == "message" and e["author"]["is_agent"]]
    assert [len(e["calls"]) for e in said] == [1, 1]


async def test_a_persona_may_want_its_words_below(harness: ChatHarness, making: Making) -> None:
    await harness.writes("say it")
    await making.script.will(SPOKEN)
    front = evolve(FRONT, voice_captions=True)
    await run(harness, making.maker(front=front), voice("Hello **there**."))
    assert [m["caption"] for m in await harness.messages()] == ["Hello there."]


@pytest.mark.parametrize("replies", [[{"status": 400}], [{"status": 503}], [{"text": "no"}]])
async def test_what_cannot_be_spoken_is_written_and_the_model_learns_of_it(
    harness: ChatHarness, making: Making, replies: list[Json]
) -> None:
    await harness.writes("say it")
    await making.script.will(*replies)
    plan = await run(harness, making.maker(), voice("**Hello** there.", reply_to=harness.message_id))
    assert (task_of(plan, "1").state, task_of(plan, "1").task.kind) == (TaskState.DONE, "send")
    assert await harness.said() == ["Hello there."]
    (note,) = await told(harness)
    assert note == voice().unsent(task_of(plan, "1").why)
    assert "could not be sent (" in note
    assert await harness.incidents() == []


async def test_where_nobody_makes_anything_it_is_written(harness: ChatHarness) -> None:
    await harness.writes("say it")
    plan = await run(harness, None, voice())
    assert await harness.said() == ["Hello there."]
    assert await told(harness) == [voice().unsent(NOT_MADE)]
    assert plan.tasks[0].state is TaskState.DONE


async def test_somebody_who_allows_no_voice_messages_is_written_to(harness: ChatHarness, making: Making) -> None:
    await harness.writes("say it")
    await making.script.will(SPOKEN)
    await harness.fault(method="sendVoice", kind="400", why="VOICE_MESSAGES_FORBIDDEN")
    plan = await run(harness, making.maker(), voice())
    assert await harness.said() == ["Hello there."]
    assert plan.tasks[0].state is TaskState.DONE
    (note,) = await told(harness)
    assert "VOICE_MESSAGES_FORBIDDEN" in note


async def test_a_call_whose_answer_is_lost_is_made_no_second_time(harness: ChatHarness, making: Making) -> None:
    await harness.writes("say it")
    await making.script.will(SPOKEN)
    await harness.fault(method="sendVoice", kind="cut_after")
    plan = await run(harness, making.maker(), voice())
    assert deliveries(plan) == [[DeliveryState.UNKNOWN]]
    assert len(await harness.messages()) == 1
    assert await told(harness) == ['a voice note of yours may or may not have arrived: "Hello there."']


async def test_what_was_made_is_sent_later_without_being_made_again(harness: ChatHarness, making: Making) -> None:
    await harness.writes("say it")
    await making.script.will(SPOKEN)  # and nothing more: a second request would fail
    await harness.fault(method="sendVoice", kind="502")
    maker = making.maker()
    reservation = await held(harness)
    plan = (await runner_of(harness, maker).run(reservation, plan_of(voice()), is_final_plan=False)).plan
    assert plan.is_open
    assert plan.tasks[0].not_before is not None
    harness.clock.now = plan.tasks[0].not_before
    plan = (await runner_of(harness, maker).run(reservation, plan, is_final_plan=False)).plan
    assert [m["file"]["kind"] for m in await harness.messages()] == ["voice"]
    assert len(plan.calls) == 1


async def test_after_a_crash_between_speech_and_call_it_is_made_again_and_sent_once(
    harness: ChatHarness, making: Making
) -> None:
    await harness.writes("say it")
    await making.script.will(SPOKEN, SPOKEN)
    await making.maker().make("p1/1", wanted(), harness.key, 0)  # the process that made this is dead
    plan = await run(harness, making.maker(), voice())
    assert deliveries(plan) == [[DeliveryState.CONFIRMED]]
    assert len(await harness.messages()) == 1


async def test_more_of_a_caption_needs_no_second_voice_note(harness: ChatHarness, making: Making) -> None:
    await harness.writes("say it")
    await making.script.will(SPOKEN)
    front = evolve(FRONT, voice_captions=True)
    reservation = await held(harness)
    await harness.fault(method="sendMessage", kind="502")
    runner = runner_of(harness, making.maker(front=front))
    plan = (await runner.run(reservation, plan_of(voice("word " * 250)), is_final_plan=False)).plan
    assert deliveries(plan) == [[DeliveryState.CONFIRMED, DeliveryState.PLANNED]]
    assert plan.tasks[0].not_before is not None
    harness.clock.now = plan.tasks[0].not_before
    plan = (await runner_of(harness, making.maker(front=front)).run(reservation, plan, is_final_plan=False)).plan
    assert [bool(m["file"]) for m in await harness.messages()] == [True, False]
    await reservation.commit(plan)
    said = [e for e in await reservation.window() if isinstance(e, Message) and e.author.is_agent]
    assert [e.is_by_lull for e in said] == [False, True]
    assert [e for e in await reservation.window() if isinstance(e, Event)] == []


async def test_what_is_written_meanwhile_is_read_before_it_is_sent(harness: ChatHarness, making: Making) -> None:
    await harness.writes("say it")
    await making.script.will(SPOKEN)
    watched = WatchedModel(making.gemini, harness.steps)

    async def writes_more() -> None:
        await harness.writes("no, wait")

    reservation = await held(harness)
    harness.steps.at, harness.steps.happens = len(harness.steps.taken), writes_more
    plan = (
        await runner_of(harness, making.maker(watched)).run(reservation, plan_of(voice()), is_final_plan=False)
    ).plan
    assert plan.is_open
    assert not plan.is_begun
    assert await harness.messages() == []


async def test_an_agent_with_a_human_pace_records_as_long_as_it_would_type(
    open_harness: OpenHarness, making: Making
) -> None:
    slow = await open_harness(pace=ReplyPace.HUMAN)
    await slow.writes("say it")
    await making.script.will(SPOKEN)
    plan = await run(slow, making.maker(), voice("Hi."))
    assert plan.tasks[0].is_typed
    assert set(await actions(slow)) == {"record_voice"}


async def test_a_picture_is_sent_with_its_caption(harness: ChatHarness, making: Making) -> None:
    await harness.writes("draw a fox")
    await making.script.will(DRAWN)
    plan = await run(harness, making.maker(), draw(text="A fox!"))
    assert deliveries(plan) == [[DeliveryState.CONFIRMED]]
    assert [(m["caption"], bool(m["photo"])) for m in await harness.messages()] == [("A fox!", True)]
    assert await actions(harness) == ["upload_photo"]


@pytest.mark.parametrize("language", ["", "uk", "de"])
async def test_a_picture_that_did_not_work_out_is_said_in_the_persons_language(
    harness: ChatHarness, making: Making, language: str
) -> None:
    await harness.writes("draw a fox")
    await making.script.will({"finish_reason": "IMAGE_SAFETY"})
    plan = await run(harness, making.maker(), draw(), send("2", "It is 42.", ("1",)), language=language)
    sorry = words_in(language).say("excuse.draw")
    assert sorted(await harness.said()) == sorted(["It is 42.", sorry])
    assert (task_of(plan, "1").state, task_of(plan, "1").why) == (TaskState.FAILED, REFUSED)
    assert await told(harness) == [draw().loss()]
    assert await harness.incidents() == [], "people were told; there is nothing for the owner to repair"


async def test_a_photo_that_telegram_does_not_take_is_said_as_well(harness: ChatHarness, making: Making) -> None:
    await harness.writes("draw a fox")
    await making.script.will(DRAWN)
    await harness.fault(method="sendPhoto", kind="400", why="not enough rights to send photos to the chat")
    await run(harness, making.maker(), draw(text="A fox!"))
    assert await harness.said() == [words_in("en").say("excuse.draw")]
    assert NOT_SENT not in await harness.said()
