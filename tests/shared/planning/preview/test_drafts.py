"""Drafts: the shown part of an unfinished answer, its times, and that no draft can harm the answer."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from functools import partial

import pytest

from shared.base.errors import NotDelivered
from shared.base.text import FormattedText
from shared.base.wording.words import words_in
from shared.chat.flood import BOT_SECONDS, CHAT_SECONDS, DraftPace, FloodGate
from shared.chat.store.bots import FirestoreFloods
from shared.chat.store.chats import FirestoreChats
from shared.llm.gemini.model import GeminiModel
from shared.llm.reading_progress import report_reading
from shared.planning.format.reply import reply_text
from shared.planning.options import PlanningOptions
from shared.planning.planner import make_plan
from shared.planning.preview import Draft, DraftSender, first_text
from shared.tasks.react import React
from shared.tasks.send import Send
from shared.telegram.markdown.render import render
from shared.telegram.outbound.bot import TelegramChannel
from shared.values.agent import Codec
from shared.values.channel import Recipient
from shared.values.chat_key import ChatKey
from shared.values.prompt import Prompt, PromptTurn, TurnRole
from tests.shared.conftest import model_at
from tests.shared.examples import NOW
from tests.shared.telegram.outbound.bot_api_server import (
    BotApiServer,
    Reaction,
    Writer,
    bot_api_server,
    cuts,
    fails,
    stays_silent,
    succeeds,
)
from tests.stories.play import LIMIT_S, Json, Model, Sandbox, until

ANN, BOB = Recipient(chat_id=1), Recipient(chat_id=2, topic_id=3)
SENTENCE = "Once upon a time there was a lull in the storm, and everybody slept."
MESSAGE = {"message_id": 7, "date": 1, "chat": {"id": 1, "type": "private", "first_name": "Ann"}, "text": "x"}
OFTEN = DraftPace(chat_s=0.0, bot_s=0.0, first_s=0.0)


def as_it_is(text: str) -> str:
    return text


@pytest.fixture
async def server() -> AsyncIterator[BotApiServer]:
    async with bot_api_server() as running:
        running.will(succeeds(True))
        yield running


@pytest.fixture
async def channel(server: BotApiServer) -> AsyncIterator[TelegramChannel]:
    made = TelegramChannel("123456:ABC-DEF", server.url)
    yield made
    await made.aclose()


@pytest.fixture
async def patient(model_url: str) -> AsyncIterator[GeminiModel]:
    """Make the adapter of a model that waits while a test looks for its draft."""
    async with model_at(model_url, LIMIT_S, 1) as model:
        yield model


def texts(server: BotApiServer) -> list[str]:
    """Return the texts of the drafts, in order."""
    return [call.params["text"] for call in server.calls if call.method == "sendMessageDraft"]


async def soon(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while True:
            if is_so():
                return
            await asyncio.sleep(0.005)


async def offered(server: BotApiServer, draft: Draft, text: str) -> None:
    """Offer a text and wait until it is shown."""
    before = len(texts(server))
    draft.offer(text)
    await soon(lambda: len(texts(server)) > before and not draft.is_leaving)


def test_a_turn_comes_seldom_in_a_chat_and_in_all() -> None:
    now = 100.0
    pace = DraftPace(clock=lambda: now)
    assert pace.wait_s(ANN) == 0
    pace.take(ANN)
    assert pace.wait_s(ANN) == pytest.approx(CHAT_SECONDS)
    assert pace.wait_s(BOB) == pytest.approx(BOT_SECONDS)
    now += BOT_SECONDS
    assert pace.wait_s(BOB) == pytest.approx(0)
    now += CHAT_SECONDS
    assert pace.wait_s(ANN) == 0


def test_limits_of_telegram_are_kept_at_a_distance() -> None:
    """A draft each 1.5 s and a typing action each 5 s stay below a chat's limit of one message a second."""
    assert 1 / CHAT_SECONDS + 1 / 5 < 1
    assert 10 / BOT_SECONDS <= 30 * 2 / 3, "of all instances"


def test_in_a_flood_wait_no_chat_has_a_turn() -> None:
    now = 100.0
    pace = DraftPace(clock=lambda: now)
    pace.hold_off(timedelta(seconds=280))
    pace.take(ANN)
    assert pace.wait_s(BOB) == pytest.approx(280)
    pace.hold_off(timedelta(seconds=5))
    now += 279
    assert pace.wait_s(ANN) == pace.wait_s(BOB) == pytest.approx(1)


async def test_an_answer_is_shown_as_it_grows(server: BotApiServer, channel: TelegramChannel) -> None:
    async with DraftSender(channel, OFTEN).answer(BOB, 77, str.upper) as draft:
        draft.offer("too little")
        await offered(server, draft, SENTENCE[:30])
        await offered(server, draft, SENTENCE)
        assert draft.is_shown
    assert texts(server) == [SENTENCE[:28].upper(), SENTENCE[:-1].upper()]
    assert {(c.params["chat_id"], c.params["message_thread_id"], c.params["draft_id"]) for c in server.calls} == {
        ("2", "3", "77")
    }


async def test_what_comes_at_once_is_shown_at_once(server: BotApiServer, channel: TelegramChannel) -> None:
    async with DraftSender(channel, OFTEN).answer(ANN, 1, as_it_is) as draft:
        for end in range(len(SENTENCE)):
            draft.offer(SENTENCE[:end])
        await offered(server, draft, SENTENCE)
    assert texts(server) == [SENTENCE[:-1]]


async def test_between_two_drafts_of_a_chat_there_is_time(server: BotApiServer, channel: TelegramChannel) -> None:
    drafting = DraftSender(channel, DraftPace(chat_s=3600.0, bot_s=0.0, first_s=0.0))
    async with drafting.answer(ANN, 1, as_it_is) as draft, drafting.answer(BOB, 2, as_it_is) as other:
        await offered(server, draft, SENTENCE[:30])
        draft.offer(SENTENCE)
        await offered(server, other, SENTENCE)
    async with drafting.answer(ANN, 3, as_it_is) as later:
        later.offer(SENTENCE)
        await asyncio.sleep(0.05)
    assert (later.is_shown, [call.params["chat_id"] for call in server.calls]) == (False, ["1", "2"])


async def test_an_answer_that_begins_anew_is_shown_anew(server: BotApiServer, channel: TelegramChannel) -> None:
    async with DraftSender(channel, OFTEN).answer(ANN, 1, as_it_is) as draft:
        await offered(server, draft, SENTENCE)
        draft.offer("")
        await asyncio.sleep(0.02)
        await offered(server, draft, f"No: {SENTENCE}")
    assert texts(server) == [SENTENCE[:-1], f"No: {SENTENCE[:-1]}"]


async def test_an_answer_that_is_there_at_once_needs_no_draft(server: BotApiServer, channel: TelegramChannel) -> None:
    async with DraftSender(channel, DraftPace(first_s=3600.0)).answer(ANN, 1, as_it_is) as draft:
        draft.offer(SENTENCE)
        await asyncio.sleep(0.05)
    assert (draft.is_shown, server.calls) == (False, [])


async def test_the_same_is_not_shown_twice(server: BotApiServer, channel: TelegramChannel) -> None:
    async with DraftSender(channel, OFTEN).answer(ANN, 1, as_it_is) as draft:
        await offered(server, draft, SENTENCE)
        for end in ("e", "e\u0301", "!"):
            draft.offer(SENTENCE[:-1] + end)
            await asyncio.sleep(0.01)
        await offered(server, draft, SENTENCE * 2)
    assert len(texts(server)) == 2


async def test_a_draft_is_one_message_and_ends_when_it_is_full(server: BotApiServer, channel: TelegramChannel) -> None:
    paragraphs = "\n\n".join([SENTENCE] * 100)
    async with DraftSender(channel, OFTEN).answer(ANN, 1, as_it_is) as draft:
        await offered(server, draft, paragraphs)
        draft.offer(paragraphs * 2)
        await asyncio.sleep(0.05)
    (shown,) = texts(server)
    assert 3_000 < len(shown) <= 4_096


async def test_nothing_is_shown_after_the_end(server: BotApiServer, channel: TelegramChannel) -> None:
    async with DraftSender(channel, OFTEN).answer(ANN, 1, as_it_is) as draft:
        pass
    draft.offer(SENTENCE)
    server.will(succeeds(MESSAGE))
    await channel.send_text(ANN, FormattedText(SENTENCE), None)
    await asyncio.sleep(0.05)
    assert [call.method for call in server.calls] == ["sendMessage"]


async def test_a_draft_on_its_way_is_let_arrive_first(server: BotApiServer, channel: TelegramChannel) -> None:
    may_answer = asyncio.Event()

    async def answers_when_told(writer: Writer) -> None:
        await may_answer.wait()
        await succeeds(True)(writer)

    server.will(answers_when_told)
    async with DraftSender(channel, OFTEN, last_s=30).answer(ANN, 1, as_it_is) as draft:
        draft.offer(SENTENCE)
        await server.was_called.wait()
        draft.offer(SENTENCE * 2)
        asyncio.get_running_loop().call_later(0.02, may_answer.set)
    assert draft.is_shown
    assert len(texts(server)) == 1


async def test_a_draft_that_hangs_is_given_up(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(stays_silent)
    async with DraftSender(channel, OFTEN, last_s=0.01).answer(ANN, 1, as_it_is) as draft:
        draft.offer(SENTENCE)
        await server.was_called.wait()
    assert not draft.is_shown
    assert [task for task in asyncio.all_tasks() if "show" in repr(task.get_coro())] == []


@pytest.mark.parametrize(
    "reaction", [cuts, fails(400, "Bad Request: TEXTDRAFT_PEER_INVALID"), fails(500, "x"), fails(403, "blocked")]
)
async def test_a_draft_that_fails_is_the_last_of_its_answer(
    server: BotApiServer, channel: TelegramChannel, reaction: Reaction
) -> None:
    server.will(reaction, succeeds(True))
    drafting = DraftSender(channel, OFTEN)
    async with drafting.answer(ANN, 1, as_it_is) as draft:
        await offered(server, draft, SENTENCE)
        draft.offer(SENTENCE * 2)
        await asyncio.sleep(0.05)
    assert (draft.is_shown, len(texts(server))) == (False, 1)
    async with drafting.answer(ANN, 2, as_it_is) as again:
        await offered(server, again, SENTENCE)
    assert again.is_shown


async def test_a_flood_wait_is_kept_by_all_answers(server: BotApiServer, channel: TelegramChannel) -> None:
    server.will(fails(429, "Too Many Requests: retry after 280", retry_after=280), succeeds(True))
    drafting = DraftSender(channel, DraftPace(chat_s=0.0, bot_s=0.0, first_s=0.0))
    async with drafting.answer(ANN, 1, as_it_is) as draft:
        await offered(server, draft, SENTENCE)
    assert 270 < drafting.pace.wait_s(BOB) <= 280
    async with drafting.answer(BOB, 2, as_it_is) as other:
        other.offer(SENTENCE)
        await asyncio.sleep(0.05)
    assert len(texts(server)) == 1


async def test_what_another_instance_was_told_to_wait_keeps_drafts_back(
    server: BotApiServer, channel: TelegramChannel, chats: FirestoreChats, key: ChatKey
) -> None:
    there, here = (FloodGate(FirestoreFloods(chats.client), f"drafts{key.chat_id}", lambda: NOW) for _ in range(2))
    await there.note_wait(ANN.chat_id, NOW + timedelta(seconds=280))
    assert here.known_until(ANN.chat_id) is None
    await here.closed_until(BOB.chat_id)  # as before each message that it sends, to whomever
    async with DraftSender(channel, OFTEN, gate=here).answer(ANN, 1, as_it_is) as draft:
        draft.offer(SENTENCE)
        await asyncio.sleep(0.05)
    assert (draft.is_shown, texts(server)) == (False, [])
    async with DraftSender(channel, OFTEN, gate=here).answer(BOB, 2, as_it_is) as other:
        await offered(server, other, SENTENCE)


async def test_the_block_is_answered_whatever_becomes_of_the_draft(
    server: BotApiServer, channel: TelegramChannel, caplog: pytest.LogCaptureFixture
) -> None:
    def stumbles(_: str) -> str:
        raise KeyError("a person's text")

    async with DraftSender(channel, OFTEN).answer(ANN, 1, stumbles) as draft:
        draft.offer(SENTENCE)
        await asyncio.sleep(0.05)
    assert server.calls == []
    assert "a person's text" not in caplog.text


async def test_once_nobody_waits_for_the_answer_no_draft_leaves(server: BotApiServer, channel: TelegramChannel) -> None:
    wanted = True

    async def is_wanted() -> bool:
        return wanted

    async with DraftSender(channel, OFTEN).answer(ANN, 1, as_it_is, is_wanted) as draft:
        await offered(server, draft, SENTENCE)
        wanted = False
        draft.offer(SENTENCE * 2)
        await asyncio.sleep(0.05)
        wanted = True
        draft.offer(SENTENCE * 3)
        await asyncio.sleep(0.05)
    assert len(texts(server)) == 1


async def test_an_error_of_the_work_comes_through(server: BotApiServer, channel: TelegramChannel) -> None:
    with pytest.raises(NotDelivered):
        async with DraftSender(channel, OFTEN).answer(ANN, 1, as_it_is):
            raise NotDelivered("the work failed")


@pytest.mark.parametrize("codec", [Codec.JSON, Codec.MARKDOWN])
async def test_an_answer_of_the_model_is_seen_growing_in_telegram(
    sandbox: Sandbox, patient: GeminiModel, script: Model, codec: Codec
) -> None:
    chat = await sandbox.private(await sandbox.person("Ann"))
    channel = TelegramChannel(sandbox.cloud.tokens["lull"], sandbox.cloud.telegram_url)
    answer = Send(id="1", text=f"**{SENTENCE}** " * 5 + "🙂 end")
    later = Send(id="2", depends_on=("1",), text="never in a draft")
    reply = reply_text((React(id="r", emoji="👍", message_id=1), answer, later), codec)
    hold = f"growing-{chat.id}"
    await script.will({"text": reply, "thoughts": "never seen", "chunk_chars": 40, "pause_s": 0.1, "hold": hold})
    prompt = Prompt(system="s", turns=(PromptTurn(role=TurnRole.USER, parts=("hi",)),))

    async def calls(**which: str) -> list[Json]:
        found = (await sandbox.telegram.get("/world/calls", params=which)).raise_for_status().json()["calls"]
        return [call for call in found if str(call["params"].get("chat_id")) == str(chat.id)]

    async def drafts() -> list[str]:
        return [call["params"]["text"] for call in await calls(method="sendMessageDraft")]

    async def goes_on() -> None:
        await until(drafts, "it is seen while it is written")
        await script.go_on(hold)

    async with (
        DraftSender(channel, OFTEN, last_s=30).answer(
            Recipient(chat_id=chat.id), 5, partial(first_text, codec=codec)
        ) as draft,
        asyncio.TaskGroup() as group,
    ):
        group.create_task(goes_on())
        options = PlanningOptions(clock=lambda: NOW, codec=codec, on_text=draft.offer)
        drafted = await make_plan(patient, prompt, ("send", "react"), options)
    (whole,) = render(answer.text)
    await channel.send_text(Recipient(chat_id=chat.id), whole, None)
    await channel.aclose()
    assert [task.kind for task in drafted.tasks] == ["react", "send", "send"]
    seen = await drafts()
    assert seen
    assert (await calls())[-1]["method"] == "sendMessage"
    assert all(whole.text.startswith(text) for text in seen)
    assert sorted(seen, key=len) == seen


async def test_interrupted_work_leaves_no_draft_behind(server: BotApiServer, channel: TelegramChannel) -> None:
    async def work() -> None:
        async with DraftSender(channel, OFTEN).answer(ANN, 1, as_it_is) as draft:
            await offered(server, draft, SENTENCE)
            await asyncio.sleep(600)

    task = asyncio.create_task(work())
    await soon(lambda: bool(server.calls))
    task.cancel()
    await asyncio.wait({task})
    await asyncio.sleep(0)
    assert [task for task in asyncio.all_tasks() if "show" in repr(task.get_coro())] == []


async def test_a_reading_model_is_seen_in_percent_until_it_writes(
    server: BotApiServer, channel: TelegramChannel
) -> None:
    async with DraftSender(channel, OFTEN).answer(ANN, 1, as_it_is, words=words_in("de")) as draft:
        report_reading(250, 1_000)
        await soon(lambda: texts(server) == ["Ich lese … 25 %"] and not draft.is_leaving)
        report_reading(1_000, 1_000)
        await offered(server, draft, f"{SENTENCE} And more.")
    assert len(texts(server)) == 2
    assert texts(server)[1].startswith(SENTENCE[:20])


async def test_progress_is_not_shown_beside_the_answer(server: BotApiServer, channel: TelegramChannel) -> None:
    async with DraftSender(channel, OFTEN).answer(ANN, 1, as_it_is, words=words_in("en")) as draft:
        await offered(server, draft, f"{SENTENCE} And more.")
        report_reading(250, 1_000)
        await offered(server, draft, f"{SENTENCE} And more. And more still.")
    assert all(text.startswith(SENTENCE[:20]) for text in texts(server))
