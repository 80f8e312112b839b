"""A tick's work on files, over the real Firestore, Cloud Tasks, Bot API and scripted model.

Only the test describes files here, in the way of describe_media.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.chat.store.paths import REFERENCES, inbox_path, media_path
from shared.deciding.circumstances import OwnIdentity
from shared.media.store.media import FirestoreMedia, decode_reference, encode_media
from shared.turn.media import TickMedia
from shared.turn.situation import ChatSituation
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.prepared import TOO_LARGE
from shared.values.reference import DescribeRequest, FileReference, media_described_update
from shared.values.showing import FileLimits
from shared.values.stored_media import StoredMedia
from shared.values.trust import TrustTier
from shared.values.wake import Wake, WakeReason
from tests import media_files
from tests.shared.examples import ME
from tests.shared.paused_queue import PausedQueue
from tests.shared.turn.harness import ChatHarness, HarnessBackend, make_harness
from tests.shared.turn.scenes import assert_at_rest as at_rest_with
from tests.stories.play import Model


@pytest.fixture
async def files(new_queue: Callable[[], Awaitable[PausedQueue]]) -> PausedQueue:
    """Make the queue of files to describe."""
    return await new_queue()


@pytest.fixture
async def alone(
    shared_backend: HarnessBackend, paused_queue: PausedQueue, files: PausedQueue, script: Model
) -> ChatHarness:
    """Make a private chat."""
    return await make_harness(shared_backend, paused_queue, script, files=files)


@pytest.fixture
async def among(
    shared_backend: HarnessBackend, paused_queue: PausedQueue, files: PausedQueue, script: Model
) -> ChatHarness:
    """Make a group."""
    return await make_harness(shared_backend, paused_queue, script, people=2, files=files)


async def asked(files: PausedQueue) -> list[FileReference]:
    """Return the files that wait to be described."""
    orders = [DescribeRequest.model_validate_json(task.http_request.body) for task in await files.tasks()]
    return [order.reference for order in orders if order.reference is not None]


async def references(harness: ChatHarness) -> list[FileReference]:
    """Return the references to files in the chat."""
    sent = harness.backend.chats.client.collection(REFERENCES).where(filter=FieldFilter("chat", "==", harness.key.id))
    return [decode_reference(one.to_dict() or {}) for one in await sent.get()]


async def is_described(
    harness: ChatHarness, some: Sequence[FileReference], shows: str = "", says: str = ""
) -> Description:
    """Describe a file, and tell the chat."""
    first, found = some[0], Description(outcome=DescriptionOutcome.DESCRIBED, shows=shows, says=says, source="scripted")
    await keep(harness, first, found)
    update = media_described_update(some, found, harness.clock.now)
    await FirestoreMedia(harness.backend.chats.client).tell(update, some)
    of = str(update.envelope.update_id)
    await harness.tick_services.queue.enqueue(Wake(key=harness.key, reason=WakeReason.NOW, at=harness.clock.now, of=of))
    return found


async def keep(harness: ChatHarness, reference: FileReference, found: Description) -> None:
    """Store the description of a file."""
    kept = StoredMedia(
        unique_id=reference.ref.unique_id, kind=reference.ref.kind, description=found, updated_at=harness.clock.now
    )
    await harness.backend.chats.client.document(media_path(kept.unique_id)).set(encode_media(kept))


async def assert_at_rest(harness: ChatHarness) -> None:
    """Assert that every update is read and reported once, and that nothing waits."""
    inbox = harness.backend.chats.client.collection(inbox_path(harness.key))
    await at_rest_with(harness, [int(one.id) async for one in inbox.list_documents()])


def colour(harness: ChatHarness, shade: int = 1) -> bytes:
    """Return a picture that no other chat has."""
    return media_files.png((harness.person % 251, harness.person // 251 % 251, shade))


def voice(harness: ChatHarness) -> bytes:
    """Return a voice message that no other chat has, by its length."""
    return media_files.ogg(1 + 0.02 * (harness.person % 997))


async def waits_for_voice(harness: ChatHarness) -> FileReference:
    """Send a voice message that waits; return its reference."""
    await harness.sends("voice", voice(harness))
    assert (await harness.next_tick()) is not None
    assert await harness.said() == []
    (sent,) = await references(harness)
    return sent


async def test_a_voice_message_is_answered_when_its_words_are_known(alone: ChatHarness, files: PausedQueue) -> None:
    sent = await waits_for_voice(alone)
    assert (sent.is_open, sent.is_awaited, sent.person, sent.ref.kind) == (True, True, alone.person, MediaKind.VOICE)
    assert sent.tier == TrustTier.STRANGER, "whoever sent it pays for it"
    assert [one.id for one in await asked(files)] == [sent.id]
    chat = await alone.document()
    assert chat.planning.waits_until == chat.due_at == alone.clock.now + timedelta(seconds=20)
    await alone.will_plan({"kind": "send", "text": "Four."})
    await is_described(alone, [sent], says="what is two and two?")
    await alone.rests()
    assert await alone.said() == ["Four."]
    assert "what is two and two?" in (await alone.asked())[-1]
    assert (await alone.document()).planning.waits_until is None
    assert not (await references(alone))[0].is_open
    await assert_at_rest(alone)


async def test_what_is_not_known_in_time_is_answered_all_the_same_and_honestly(alone: ChatHarness) -> None:
    sent = await waits_for_voice(alone)
    await alone.will_plan({"kind": "send", "text": "I cannot hear it yet."})
    ran = await alone.rests()
    assert [wake.reason for wake in ran] == [WakeReason.WAITED]
    assert await alone.said() == ["I cannot hear it yet."]
    assert "is not known yet" in (await alone.asked())[-1]
    # a late description is told, and nothing is answered twice
    await is_described(alone, [sent], says="hello")
    await alone.rests()
    assert await alone.said() == ["I cannot hear it yet."]
    assert [e["description"]["says"] for e in await alone.transcript() if e["type"] == "described"] == ["", "hello"]
    await assert_at_rest(alone)


async def test_while_the_model_is_away_too_there_is_no_tick_after_the_other(alone: ChatHarness) -> None:
    await waits_for_voice(alone)
    await alone.model.will({"status": 503, "times": None, "match": f"chat_id={alone.key.chat_id} "})
    ran = await alone.rests()
    assert [wake.reason for wake in ran] == [WakeReason.WAITED, *[WakeReason.RETRY] * 3]
    (apology,) = await alone.said()
    assert apology
    assert (await alone.document()).planning.waits_until is None


async def test_what_others_write_meanwhile_is_not_held_up(among: ChatHarness) -> None:
    await among.sends("voice", voice(among))
    await among.will_plan({"kind": "send", "text": "At noon."})
    await among.writes("lull, when is lunch?", **{"from": among.others[0]})
    await among.next_tick()
    assert await among.said() == ["At noon."]
    (sent,) = await references(among)
    await is_described(among, [sent], says="see you all tomorrow")
    await among.rests()
    assert await among.said() == ["At noon."]
    *_, heard = [e for e in await among.transcript() if e["type"] == "described"]
    assert heard["decision"]["respond"] is False
    await assert_at_rest(among)


async def test_a_command_that_is_spoken_is_carried_out_without_a_model(alone: ChatHarness) -> None:
    sent = await waits_for_voice(alone)
    await is_described(alone, [sent], says="/whoami")
    await alone.rests()
    (answer,) = await alone.said()
    assert str(alone.person) in answer
    assert await alone.asked() == []
    await assert_at_rest(alone)


async def test_a_spoken_command_has_its_words_once(alone: ChatHarness) -> None:
    sent = await waits_for_voice(alone)
    await is_described(alone, [sent], says="/title Tea party")
    await alone.rests()
    assert (await alone.document()).talk.conversation_title == "Tea party"


async def test_a_spoken_new_conversation_says_that_it_begins(alone: ChatHarness) -> None:
    sent = await waits_for_voice(alone)
    before = (await alone.document()).conversation
    await is_described(alone, [sent], says="/new tell me a joke")
    await alone.rests()
    assert (await alone.document()).conversation != before
    assert len(await alone.said()) == 1


async def test_a_command_below_a_file_is_carried_out_at_once_and_once(alone: ChatHarness) -> None:
    await alone.sends("document", b"PK\x03\x04" + bytes(40), caption="/whoami")
    await alone.rests()
    assert len(await alone.said()) == 1
    (sent,) = await references(alone)
    assert (await alone.document()).planning.waits_until is None
    await is_described(alone, [sent], shows="an archive")
    await alone.rests()
    assert len(await alone.said()) == 1


async def test_what_was_answered_after_its_file_was_known_is_not_answered_again_when_it_is_edited(
    alone: ChatHarness,
) -> None:
    sent = await waits_for_voice(alone)
    await alone.will_plan({"kind": "send", "text": "Four."})
    await is_described(alone, [sent], says="what is two and two?")
    await alone.rests()
    place = f"/world/chats/{alone.chat}/messages/{alone.message_id}"
    edit = {"from": alone.person, "text": "please"}
    (await alone.backend.telegram.patch(place, json=edit)).raise_for_status()
    await alone.arrive()
    await alone.rests()
    assert await alone.said() == ["Four."]


async def test_a_description_is_not_told_in_another_conversation(alone: ChatHarness) -> None:
    await alone.sends("photo", colour(alone))
    await alone.next_tick()
    await alone.next_tick()
    old = await references(alone)
    await alone.writes("/new")
    await alone.next_tick()
    await is_described(alone, old, shows="a secret garden")
    await alone.will_plan({"kind": "send", "text": "Hello."})
    await alone.writes("hello")
    await alone.rests()
    assert "secret garden" not in (await alone.asked())[-1]


async def test_what_is_known_by_the_end_of_the_wait_is_found_though_nobody_told_it(alone: ChatHarness) -> None:
    sent = await waits_for_voice(alone)
    await keep(
        alone, sent, Description(outcome=DescriptionOutcome.DESCRIBED, says="what is two and two?", source="scripted")
    )
    await alone.will_plan({"kind": "send", "text": "Four."})
    await alone.rests()
    assert "what is two and two?" in (await alone.asked())[-1]


async def test_after_a_stop_request_nothing_waits(alone: ChatHarness) -> None:
    sent = await waits_for_voice(alone)
    await alone.writes("/stop")
    await alone.rests()
    answered = await alone.said()
    await is_described(alone, [sent], says="what is two and two?")
    await alone.rests()
    assert await alone.said() == answered
    assert (await alone.document()).planning.waits_until is None
    await assert_at_rest(alone)


async def test_a_picture_is_told_when_it_is_known_and_holds_nothing_up(among: ChatHarness) -> None:
    await among.sends("photo", colour(among), caption="from my garden")
    await among.will_plan({"kind": "send", "text": "Hello."})
    await among.writes("lull, hello")
    await among.rests()
    assert await among.said() == ["Hello."]
    (sent,) = await references(among)
    await is_described(among, [sent], shows="a ginger cat")
    await among.will_plan({"kind": "send", "text": "A cat."})
    await among.writes("lull, what did I send?")
    await among.rests()
    first, second = await among.asked()
    assert "a ginger cat" not in first
    assert 'sent with "from my garden": a ginger cat' in second
    # earlier lines stay unchanged, so that the cached beginning of the prompt stays valid
    assert "[media: a photo]" in first
    assert "[media: a photo]" in second
    assert "what a picture or another file shows" in second
    await assert_at_rest(among)


async def test_a_picture_that_is_asked_about_is_waited_for_by_a_model_that_cannot_see(alone: ChatHarness) -> None:
    await alone.sends("photo", colour(alone), caption="what is it?")
    await alone.next_tick()
    await alone.next_tick()
    assert await alone.said() == []
    await alone.will_plan({"kind": "send", "text": "A cat."})
    await is_described(alone, await references(alone), shows="a ginger cat")
    await alone.rests()
    assert await alone.said() == ["A cat."]
    assert "[media: a photo: a ginger cat]" in (await alone.asked())[-1]
    await assert_at_rest(alone)


async def test_what_is_known_already_stands_in_the_message_and_asks_nobody(
    alone: ChatHarness, files: PausedQueue
) -> None:
    await alone.will_plan({"kind": "send", "text": "1"})
    await alone.sends("photo", colour(alone))
    await alone.rests()
    (sent,) = await references(alone)
    await keep(alone, sent, Description(outcome=DescriptionOutcome.DESCRIBED, shows="a dog", source="scripted"))
    before = len(await asked(files))
    await alone.will_plan({"kind": "send", "text": "2"})
    await alone.sends("photo", colour(alone))
    await alone.rests()
    assert "a photo: a dog" in (await alone.asked())[-1]
    assert len(await asked(files)) == before
    # the first message still waits for its description; the second needs none, and is noted
    (sent,) = await references(alone)
    assert sent.is_open
    assert len(sent.message_ids) == 2


async def test_one_tick_has_few_files_described_and_leaves_the_rest_over(
    among: ChatHarness, files: PausedQueue
) -> None:
    for shade in range(4):
        await among.sends("photo", colour(among, shade))
    await among.rests()
    open_ones = await references(among)
    assert len(await asked(files)) == 2
    assert sum(one.try_at > one.at + timedelta(minutes=1) for one in open_ones) == 2
    assert all(one.is_open for one in open_ones)


async def test_what_was_left_over_of_what_somebody_waits_for_is_asked_for_by_the_next_tick(
    alone: ChatHarness, files: PausedQueue
) -> None:
    for number in range(3):
        await alone.sends("voice", media_files.ogg(1 + 0.02 * (alone.person % 997) + 30 * number))
    assert (await alone.next_tick()) is not None
    first, second = await asked(files)
    await alone.will_plan({"kind": "send", "text": "I hear you."}, times=None)
    await is_described(alone, [first], says="one")
    await alone.next_tick()
    (third,) = (one for one in await asked(files) if one.id not in {first.id, second.id})
    await is_described(alone, [second], says="two")
    await is_described(alone, [third], says="three")
    await alone.rests()
    told = [entry["description"]["says"] for entry in await alone.transcript() if entry["type"] == "described"]
    assert sorted(told) == ["one", "three", "two"]
    assert "three" in (await alone.asked())[-1]


async def test_what_was_described_between_two_looks_is_asked_for_again(alone: ChatHarness, files: PausedQueue) -> None:
    await alone.will_plan({"kind": "send", "text": "1"})
    await alone.sends("photo", colour(alone))

    async def described_meanwhile() -> None:
        (only,) = await asked(files)
        await keep(alone, only, Description(outcome=DescriptionOutcome.DESCRIBED, shows="x", source="scripted"))

    # after the wake that waits for quiet, the claim and the reading; before the commit that notes the waiting chats
    alone.steps.at = 4
    alone.steps.happens = described_meanwhile
    await alone.rests()
    assert len(await asked(files)) == 2


@pytest.mark.parametrize(("is_seeing", "sees"), [(True, True), (False, False)])
async def test_where_nobody_prepares_files_for_the_model_it_counts_as_one_that_sees_none(
    alone: ChatHarness, is_seeing: bool, sees: bool
) -> None:
    services = alone.tick_services.agents["lull"].media
    assert services is not None
    limits = FileLimits(pictures=2)
    media = TickMedia(services=replace(services, is_seeing=is_seeing, limits=limits))
    situation = ChatSituation(me=OwnIdentity(ME.id, "lull_bot"))
    found = await media.with_known_files(situation, [], "gemini-3.8-flash", alone.clock.now)
    assert (bool(found.files.describing.planner.takes), found.files.describing.limits) == (sees, limits)


async def test_a_file_that_is_too_large_is_told_at_once(alone: ChatHarness, files: PausedQueue) -> None:
    await alone.will_plan({"kind": "send", "text": "Too large."})
    await alone.sends("document", b"x" * (21 * 1024 * 1024))
    await alone.rests()
    assert f"({TOO_LARGE})" in (await alone.asked())[-1]
    assert await asked(files) == []
    (sent,) = await references(alone)
    assert not sent.is_open


async def test_what_files_show_is_waited_for_and_no_longer_than_some_looks(alone: ChatHarness) -> None:
    services = alone.tick_services.agents["lull"].media
    assert services is not None
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"unseen-{alone.key.chat_id}")
    hurried = replace(services, looks_s=(0.0, 0.01))
    assert await TickMedia(services=hurried).wait_until_seen([ref]) == [ref]
    garden = Description(outcome=DescriptionOutcome.DESCRIBED, shows="a garden", written="")
    now = alone.clock.now
    kept = StoredMedia(unique_id=ref.unique_id, kind=ref.kind, description=garden, updated_at=now)
    looking = asyncio.create_task(
        TickMedia(services=replace(services, looks_s=(0.0, *[0.05] * 100))).wait_until_seen([ref])
    )
    await asyncio.sleep(0.1)
    await alone.backend.chats.client.document(media_path(ref.unique_id)).set(encode_media(kept))
    (seen,) = await looking
    assert seen.description is not None
    assert seen.description.shows == "a garden"
    for nobody in (None, replace(services, is_describing=False)):
        assert await TickMedia(services=nobody).wait_until_seen([ref]) == [ref], "nobody is going to look"
