"""What people send at once may be more than one commit takes: all of it is read, found, and answered once."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
import pytest_asyncio

from local.cloud import LocalCloud
from shared.adapters.firestore.records.segments import decode_segment
from shared.models.update import Json
from tests.shared.flows.conftest import OpenRoom
from tests.shared.flows.room import House, Room, house
from tests.shared.flows.scenes import assert_at_rest
from tests.shared.flows.watched import Killed

HAN = "".join(chr(0x4E00 + (n * 7919) % 20_000) for n in range(100_000))
CYRILLIC = "".join(chr(0x430 + (n * n * 31 + n // 7) % 32) if n % 7 else " " for n in range(100_000))
EMOJI = "".join(chr(0x1F400 + (n * 37) % 0x150) for n in range(100_000))
UNDERSCORED = "".join(f"{n:x}_" for n in range(20_000))
SIGNS = "\U0001d11e" * 100_000


@pytest_asyncio.fixture(scope="module")
async def shared_house(cloud: LocalCloud) -> AsyncIterator[House]:
    """A house with a Firestore of its own: the emulator reads through all of this for each search of another test."""
    async with house(cloud, "much-at-once") as found:
        yield found


def pieces(text: str, count: int, length: int) -> list[str]:
    """So many texts, which differ."""
    return [text[(n * 977) % (len(text) - length) :][:length] for n in range(count)]


async def have_arrived(here: Room, texts: Sequence[str], **more: Any) -> list[int]:
    for text in texts:
        body = {"from": here.person, "text": text, **more}
        (await here.house.telegram.post(f"/world/chats/{here.chat}/messages", json=body)).raise_for_status()
    return await here.arrive()


async def found_in(here: Room) -> str:
    """All that the segments of the conversation say, without what is between words."""
    conversation = (await here.document()).conversation
    found = await here.house.chats.client.collection(f"conversations/{conversation}/segments").get()
    segments = sorted((decode_segment(one.to_dict() or {}) for one in found), key=lambda one: one.number)
    assert [one.number for one in segments] == list(range(1, len(segments) + 1))
    return "".join("".join(m.text for s in segments for m in s.messages if not m.is_agent).split())


@pytest.mark.parametrize(
    ("text", "count", "length"),
    [
        pytest.param(HAN, 40, 4_000, id="forty-long-chinese"),
        pytest.param(HAN, 100, 4_096, id="a-hundred-of-the-longest-chinese"),
        pytest.param(EMOJI, 60, 2_048, id="emoji"),
        pytest.param(CYRILLIC, 100, 4_096, id="cyrillic"),
        pytest.param(UNDERSCORED, 60, 4_096, id="words-of-many-parts"),
        pytest.param(SIGNS, 30, 2_048, id="signs-that-are-no-words"),
    ],
)
async def test_all_of_it_is_read_and_found_and_answered(here: Room, text: str, count: int, length: int) -> None:
    await here.will_plan({"kind": "send", "text": "I have read them."}, times=None)
    texts = pieces(text, count, length)
    updates = await have_arrived(here, texts)
    assert len(updates) == count
    await here.rests()
    await assert_at_rest(here, updates)
    assert 1 <= len(await here.said()) <= 3
    assert await found_in(here) == "".join("".join(texts).split())
    await here.writes("hello?")
    await here.rests()
    assert await here.incidents() == []


async def test_a_message_as_long_as_a_rich_one_may_be_is_read_and_found(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "I have read it."}, times=None)
    await here.take(raw_message(here, 1, text=HAN[:32_000]))
    await here.rests()
    await assert_at_rest(here, [1])
    assert await here.said() == ["I have read it."]
    assert await found_in(here) == HAN[:32_000]


async def test_the_captions_of_many_albums_are_read_and_found(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "I have seen them."}, times=None)
    texts = pieces(HAN, 60, 1_024)
    for n, text in enumerate(texts, 1):
        photo = {"file_id": f"photo-{n}", "file_unique_id": f"u{here.person}-{n}", "width": 90, "height": 60}
        await here.take(raw_message(here, n, caption=text, photo=[photo], media_group_id=f"album-{n // 10}"))
    await here.rests()
    await assert_at_rest(here, list(range(1, 61)))
    found = await found_in(here)
    assert all(text in found for text in texts)


async def test_a_long_answer_to_much_is_sent_whole_and_once(here: Room) -> None:
    answer = HAN[50_000:80_000]
    await here.will_plan({"kind": "send", "text": answer}, times=None)
    updates = await have_arrived(here, pieces(HAN, 40, 4_000))
    await here.rests()
    await assert_at_rest(here, updates)
    assert "".join(await here.said()) == answer


async def test_whoever_dies_between_its_commits_loses_none_of_it(rooms: OpenRoom) -> None:
    first = await rooms()
    texts = pieces(HAN, 12, 4_000)

    async def played(here: Room) -> list[int]:
        await here.will_plan({"kind": "send", "text": "I have read them."}, times=None)
        updates = await have_arrived(here, texts)
        await here.rests()
        await assert_at_rest(here, updates)
        assert await found_in(here) == "".join(texts)
        return updates

    await played(first)
    commits = [at for at, name in enumerate(first.steps.taken) if name == "before commit"]
    assert len(commits) > 8
    for at in (commits[0], commits[2], commits[3], commits[-3], commits[-1], commits[-1] + 1):
        here = await rooms()
        here.steps.at = at

        async def die() -> None:
            raise Killed

        here.steps.happens = die
        await played(here)
        said, unknown = len(await here.said()), len(await here.incidents())
        assert said <= 1, at
        assert 1 - said <= unknown <= 1, at


def raw_message(here: Room, number: int, **content: Any) -> Json:
    """An update as Telegram sends it, of what the local one cannot have somebody write."""
    author = {"id": here.person, "is_bot": False, "first_name": "Ann"}
    chat = {"id": here.key.chat_id, "type": "private", "first_name": "Ann"}
    at = int(here.clock.now.timestamp())
    return {"update_id": number, "message": {"message_id": number, "date": at, "chat": chat, "from": author, **content}}
