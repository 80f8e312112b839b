"""Many messages at once may exceed one commit: all of them are read, found, and answered once."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
import pytest_asyncio

from local.cloud import LocalCloud
from shared.chat.store.writes import Write, WriteMode
from shared.recall.store.segments import decode_segment
from shared.values.incident import IncidentKind
from shared.values.update import Json
from tests.shared.firestore_limits import assert_within_limits
from tests.shared.fixtures import OpenHarness
from tests.shared.turn.harness import ChatHarness, HarnessBackend, backend
from tests.shared.turn.scenes import assert_at_rest
from tests.shared.turn.watched import Killed

HAN = "".join(chr(0x4E00 + (n * 7919) % 20_000) for n in range(100_000))
CYRILLIC = "".join(chr(0x430 + (n * n * 31 + n // 7) % 32) if n % 7 else " " for n in range(100_000))
EMOJI = "".join(chr(0x1F400 + (n * 37) % 0x150) for n in range(100_000))
UNDERSCORED = "".join(f"{n:x}_" for n in range(20_000))
SIGNS = "\U0001d11e" * 100_000


@pytest_asyncio.fixture(scope="module")
async def shared_backend(
    cloud: LocalCloud, model_url: str, project: str, own_firestore: LocalCloud
) -> AsyncIterator[HarnessBackend]:
    """Make a backend with its own Firestore, as these tests fill most of an emulator's memory."""
    async with backend(cloud, model_url, project, own_firestore) as found:
        yield found


def pieces(text: str, count: int, length: int) -> list[str]:
    """Return this many different texts."""
    return [text[(n * 977) % (len(text) - length) :][:length] for n in range(count)]


async def have_arrived(harness: ChatHarness, texts: Sequence[str], **more: Any) -> list[int]:
    for text in texts:
        body = {"from": harness.person, "text": text, **more}
        (await harness.backend.telegram.post(f"/world/chats/{harness.chat}/messages", json=body)).raise_for_status()
    return await harness.arrive()


async def found_in(harness: ChatHarness) -> str:
    """Return the text of all segments of the conversation, without what is between words."""
    conversation = (await harness.document()).conversation
    found = await harness.backend.chats.client.collection(f"conversations/{conversation}/segments").get()
    segments = sorted((decode_segment(one.to_dict() or {}) for one in found), key=lambda one: one.number)
    assert [one.number for one in segments] == list(range(1, len(segments) + 1))
    return "".join("".join(m.text for s in segments for m in s.messages if not m.is_agent).split())


@pytest.mark.parametrize(
    ("text", "count", "length"),
    [
        pytest.param(HAN, 100, 4_096, id="a-hundred-of-the-longest-chinese"),
        pytest.param(EMOJI, 60, 2_048, id="emoji"),
        pytest.param(CYRILLIC, 100, 4_096, id="cyrillic"),
        pytest.param(UNDERSCORED, 60, 4_096, id="words-of-many-parts"),
        pytest.param(SIGNS, 30, 2_048, id="signs-that-are-no-words"),
    ],
)
async def test_all_of_it_is_read_and_found_and_answered(
    harness: ChatHarness, text: str, count: int, length: int
) -> None:
    await harness.will_plan({"kind": "send", "text": "I have read them."}, times=None)
    texts = pieces(text, count, length)
    updates = await have_arrived(harness, texts)
    assert len(updates) == count
    await harness.rests()
    await assert_at_rest(harness, updates)
    assert 1 <= len(await harness.said()) <= 3
    assert await found_in(harness) == "".join("".join(texts).split())
    await harness.writes("hello?")
    await harness.rests()
    assert await harness.incidents() == []


async def test_a_message_as_long_as_a_rich_one_may_be_is_read_and_found(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "I have read it."}, times=None)
    await harness.take(raw_message(harness, 1, text=HAN[:32_000]))
    await harness.rests()
    await assert_at_rest(harness, [1])
    assert await harness.said() == ["I have read it."]
    assert await found_in(harness) == HAN[:32_000]


async def test_the_captions_of_many_albums_are_read_and_found(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "I have seen them."}, times=None)
    texts = pieces(HAN, 60, 1_024)
    for n, text in enumerate(texts, 1):
        photo = {"file_id": f"photo-{n}", "file_unique_id": f"u{harness.person}-{n}", "width": 90, "height": 60}
        await harness.take(raw_message(harness, n, caption=text, photo=[photo], media_group_id=f"album-{n // 10}"))
    await harness.rests()
    await assert_at_rest(harness, list(range(1, 61)))
    found = await found_in(harness)
    assert all(text in found for text in texts)


async def test_a_long_answer_to_much_is_sent_whole_and_once(harness: ChatHarness) -> None:
    answer = HAN[50_000:80_000]
    await harness.will_plan({"kind": "send", "text": answer}, times=None)
    updates = await have_arrived(harness, pieces(HAN, 12, 4_000))
    assert len(updates) == 12
    await harness.rests()
    await assert_at_rest(harness, updates)
    assert "".join(await harness.said()) == answer


async def test_whoever_dies_between_its_commits_loses_none_of_it(open_harness: OpenHarness) -> None:
    first = await open_harness()
    texts = pieces(HAN, 12, 4_000)

    async def played(harness: ChatHarness) -> list[int]:
        await harness.will_plan({"kind": "send", "text": "I have read them."}, times=None)
        updates = await have_arrived(harness, texts)
        await harness.rests()
        await assert_at_rest(harness, updates)
        assert await found_in(harness) == "".join(texts)
        return updates

    await played(first)
    commits = [at for at, name in enumerate(first.steps.taken) if name == "before commit"]
    assert len(commits) > 8
    for at in (commits[0], commits[2], commits[3], commits[-3], commits[-1], commits[-1] + 1):
        harness = await open_harness()
        harness.steps.at = at

        async def die() -> None:
            raise Killed

        harness.steps.happens = die
        await played(harness)
        said, unknown = len(await harness.said()), len(await harness.incidents())
        assert said <= 1, at
        assert 1 - said <= unknown <= 1, at


LONG = "long " * 7_000
NAMED = {"first_name": HAN[:400], "last_name": HAN[:400], "username": "u" * 400}
LINK = "https://a.example/" + "a" * 100
LINKS = [{"type": "text_link", "offset": n, "length": 1, "url": LINK + HAN[:200]} for n in range(10_000)]
BUTTONS = {"inline_keyboard": [[{"text": HAN[:2_000], "callback_data": "x" * 5_000}]] * 20}
QUOTED = {"message_id": 1, "date": 1, "text": HAN[:4_096], "from": {"id": 8, "is_bot": False, **NAMED}}
PHOTO = {"file_id": "f" * 4_000, "file_unique_id": "u", "width": 9, "height": 9}
ORIGIN = {"type": "user", "date": 1, "sender_user": {"id": 7, "is_bot": False, **NAMED}}
#: of each kind, so many updates of such content
HUGE: dict[str, tuple[int, dict[str, Any]]] = {
    "forwards-with-captions": (100, {"photo": [PHOTO], "caption": HAN[:1_024], "forward_origin": ORIGIN}),
    "ten-thousand-entities": (3, {"text": HAN[:10_000], "entities": LINKS}),
    "long-entities": (3, {"text": HAN[:100], "entities": [one | {"url": LINK * 50} for one in LINKS[:100]]}),
    "rich-messages": (3, {"rich_message": {"blocks": [{"type": "paragraph", "text": HAN[:3_000]}] * 60}}),
    "keyboards": (4, {"text": "so", "reply_markup": BUTTONS, "reply_to_message": QUOTED | {"reply_markup": BUTTONS}}),
    "quotes": (40, {"text": HAN[:4_096], "quote": {"text": HAN[:4_096], "position": 0}, "reply_to_message": QUOTED}),
    "combining-marks": (40, {"text": "e\u0301\u0323\u0302" * 1_024}),
    "families": (40, {"text": "👩\u200d👩\u200d👧" * 512}),
    "many-who-come": (1, {"new_chat_members": [{"id": n, "first_name": "A"} for n in range(1, 9_000)]}),
    "polls": (20, {"poll": {"id": "1", "question": HAN[:4_000], "options": [{"text": HAN[:4_000]}] * 10}}),
    "contacts": (20, {"contact": {"phone_number": "1" * 9_000, "first_name": HAN[:4_000], "vcard": HAN[:9_000]}}),
    "names": (
        3,
        {"text": "so", "from": {"id": 9, "is_bot": False, "first_name": HAN[:90_000]}, "media_group_id": "g" * 40_000},
    ),
    "as-much-as-an-update-may-be": (2, {"text": LONG * 8, "caption": LONG, "dice": {"emoji": HAN[:90_000]}}),
}


@pytest.mark.parametrize(("count", "content"), HUGE.values(), ids=HUGE)
async def test_nothing_that_telegram_may_send_is_more_than_documents_hold(
    harness: ChatHarness, count: int, content: dict[str, Any]
) -> None:
    await harness.will_plan({"kind": "send", "text": "I have seen it."}, times=None)
    for n in range(1, count + 1):
        await harness.take(raw_message(harness, n, **content))
    await harness.rests()
    await harness.writes("hello?")
    await harness.rests()
    assert await harness.said()
    assert await harness.incidents() == []
    await assert_all_documents_fit(harness)


async def assert_all_documents_fit(harness: ChatHarness) -> None:
    """Assert that every document of the chat and its conversation is within Firestore's limits."""
    client, chat = harness.backend.chats.client, await harness.document()
    whole = [f"chats/{harness.key.id}", f"plans/{harness.key.id}", f"conversations/{chat.conversation}"]
    found = [await client.document(path).get() for path in whole]
    below = [f"{whole[0]}/inbox", f"{whole[0]}/window", f"{whole[1]}/past"]
    below += [f"{whole[2]}/{name}" for name in ("messages", "segments", "compression")]
    found += [one for path in below for one in await client.collection(path).get()]
    for one in found:
        if one.exists:
            assert_within_limits([Write(path=one.reference.path, document=one.to_dict() or {}, mode=WriteMode.SET)])


#: replies that are as long as one may be
REPLIES: dict[str, list[Json]] = {
    "long-sends": [{"kind": "send", "text": f"{n} {HAN[n:][:1_900]}"} for n in range(49)],
    "sends-with-links": [{"kind": "send", "text": f"{n} " + f"{LINK}{n} " * 40} for n in range(49)],
    "schedules": [{"kind": "schedule", "text": EMOJI[n:][:1_400], "after": f"{n + 2} hours"} for n in range(49)],
    "promises": [{"kind": k, "seconds": 9_000, "text": HAN[n:][:3_800]} for n in range(24) for k in ("send", "wait")],
}


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
async def test_a_plan_as_long_as_one_may_be_is_stored_and_followed_by_another(
    harness: ChatHarness, reply: list[Json]
) -> None:
    await harness.will_plan({"kind": "wait", "seconds": 9_000}, *reply, times=2)
    await harness.will_plan({"kind": "send", "text": "Yes."})
    for text in (f"What of {' '.join(f'{LINK}{n}' for n in range(25))}?", "and again?", "hello?"):
        await harness.writes(text)
        await harness.next_tick()
        await assert_all_documents_fit(harness)
    assert "Yes." in await harness.said()
    assert {one.kind for one in await harness.incidents()} <= {IncidentKind.DROPPED_PLAN}


async def test_a_reply_that_no_plan_holds_is_told_to_the_model(harness: ChatHarness) -> None:
    await harness.will_plan(*({"kind": "send", "text": HAN[n:][:3_900]} for n in range(30)))
    await harness.will_plan({"kind": "send", "text": "Shorter."})
    await harness.writes("hello?")
    await harness.rests()
    assert await harness.said() == ["Shorter."]


def raw_message(harness: ChatHarness, number: int, **content: Any) -> Json:
    """Return an update as Telegram sends it, of a kind that the local one cannot produce."""
    author = {"id": harness.person, "is_bot": False, "first_name": "Ann"}
    chat = {"id": harness.key.chat_id, "type": "private", "first_name": "Ann"}
    at = int(harness.clock.now.timestamp())
    return {"update_id": number, "message": {"message_id": number, "date": at, "chat": chat, "from": author, **content}}
