"""One file through all steps: the model's input, the stored documents, and the results of failures."""

import asyncio
import gzip
import hashlib
import json
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from shared.base.errors import WriteConflict
from shared.llm.metering import MeteredModels
from shared.media import failures
from shared.media.blobs import StorageBlobs
from shared.media.media_reader import DOWN, HttpMediaReader
from shared.media.model_source import AT_ONCE, LARGE_BYTES, claim_time, timeouts_for
from shared.reader.decode import sentences
from shared.spending.job_budget import JobBudgetService
from shared.spending.policy import SpendingPolicy
from shared.spending.store.accounts import FirestoreAccounts
from shared.spending.store.usage import FirestoreUsages
from shared.telegram.outbound.client import TelegramDownloads
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.money import AgentLimits, SpendingLimits
from shared.values.prepared import TOO_LARGE
from shared.values.reference import FileReference
from shared.values.stored_media import MOST_TRIES
from shared.values.trust import TrustTier
from tests.shared.media.describe_harness import DescribeHarness
from tests.shared.media.sendings import new_chat, ref_of, reference, sticker, uploaded
from tests.shared.reader.decode import files


def gzip_bomb() -> bytes:
    return gzip.compress(bytes(200_000_000), 1)


def unlike_any(content: bytes) -> bytes:
    """Return a file that no other test has; bytes after a file's end are ignored."""
    return content + random.Random().randbytes(16)


async def sent(describe_harness: DescribeHarness, kind: str, content: bytes, **more: Any) -> FileReference:
    return reference(await uploaded(describe_harness.sandbox, kind, content, **more), new_chat())


async def photo(describe_harness: DescribeHarness) -> FileReference:
    return await sent(describe_harness, "photo", unlike_any(files.photo()))


async def described(describe_harness: DescribeHarness, one: FileReference) -> Description:
    found = await describe_harness.by_model().describe(one)
    assert found is not None
    assert (await describe_harness.media(one.ref.unique_id)).description == found
    return found


async def test_a_photo_is_described_from_the_bytes_that_are_stored(describe_harness: DescribeHarness) -> None:
    one = await photo(describe_harness)
    await describe_harness.will_say(" A boat\non a lake. ")
    found = await described(describe_harness, one)
    assert (found.outcome, found.shows, found.says, found.why) == (
        DescriptionOutcome.DESCRIBED,
        "A boat on a lake.",
        "",
        "",
    )
    assert found.holds_outside(MediaKind.PHOTO)
    assert found.call is not None
    assert found.call.prompt_tokens > 0
    (request,) = await describe_harness.asked()
    picture, question = request["contents"][0]["parts"]
    kept = await describe_harness.media(one.ref.unique_id)
    (part,) = kept.parts
    ((path, content),) = describe_harness.stored(one.ref.unique_id).items()
    shown = {"mimeType": "image/jpeg", "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    assert (picture["inlineData"], question["text"]) == (shown, "This is a photo. Describe it.")
    assert path == part.path
    assert (part.mime_type, part.size, kept.facts.width) == ("image/jpeg", len(content), 60)
    assert files.SECRET.encode() not in content
    assert request["generationConfig"]["responseJsonSchema"]["required"] == ["shows", "written", "says"]
    assert "mediaResolution" not in request["generationConfig"]


@pytest.mark.parametrize("emoji", [False, True])
async def test_an_animated_sticker_goes_as_coarse_pictures(describe_harness: DescribeHarness, emoji: bool) -> None:
    more = {"type": "custom_emoji"} if emoji else {}
    moves = files.lottie(op=random.Random().randrange(100, 179))
    found = await sticker(describe_harness.sandbox, files.tgs(**moves), "🦊", **more)
    ref = ref_of("sticker", found)
    if emoji:
        name = found["custom_emoji_id"]
        ref = MediaRef(kind=MediaKind.CUSTOM_EMOJI, file_id=name, unique_id=f"emoji-{name}", emoji="🦊")
    await describe_harness.will_say("A red ball.")
    assert (await described(describe_harness, reference(ref, new_chat()))).shows == "A red ball."
    (request,) = await describe_harness.asked()
    *pictures, question = request["contents"][0]["parts"]
    assert [one["inlineData"]["mimeType"] for one in pictures] == ["image/jpeg"] * 3
    assert "🦊" in question["text"]
    assert request["generationConfig"]["mediaResolution"] == "MEDIA_RESOLUTION_LOW"
    stored = describe_harness.stored(ref.unique_id)
    names = [part.path for part in (await describe_harness.media(ref.unique_id)).parts]
    assert names == [
        f"{ref.unique_id}/{number}-{hashlib.sha256(stored[name]).hexdigest()[:16]}" for number, name in enumerate(names)
    ]
    assert set(stored) == set(names)
    assert len(names) == 3


async def test_what_is_said_is_kept_word_for_word(describe_harness: DescribeHarness) -> None:
    one = await sent(describe_harness, "voice", files.sound(seconds=random.Random().uniform(1, 2)))
    await describe_harness.will_say("A calm voice.", "Сколько сейчас времени? /help")
    assert (await described(describe_harness, one)).says == "Сколько сейчас времени? /help"


async def test_a_text_goes_as_text_to_a_model_that_sees_nothing(describe_harness: DescribeHarness) -> None:
    describe_harness.models = MeteredModels(
        {**describe_harness.models.by_name, "words": describe_harness.models.by_name[describe_harness.model]}
    )
    describe_harness.model = "words"
    text = f"Tea wants hot water, {random.Random().random()}."
    one = await sent(describe_harness, "document", text.encode(), name="tea.txt")
    await describe_harness.will_say("How to make tea.")
    assert (await described(describe_harness, one)).outcome is DescriptionOutcome.DESCRIBED
    (request,) = await describe_harness.asked()
    assert text in request["contents"][0]["parts"][0]["text"]
    assert "inlineData" not in json.dumps(request)
    assert list(describe_harness.stored(one.ref.unique_id).values()) == [text.encode()]
    # a file without a known type may be a text; this is a picture
    found = await described(
        describe_harness, await sent(describe_harness, "document", unlike_any(files.photo()), name="boat.bin")
    )
    assert (found.outcome, found.why) == (DescriptionOutcome.UNSUPPORTED, failures.NOT_TAKEN)
    assert len(await describe_harness.asked()) == 1


async def test_what_the_model_is_never_shown_is_not_even_downloaded(describe_harness: DescribeHarness) -> None:
    listener = "gemini-3.5-transcribe"
    describe_harness.models = MeteredModels({listener: describe_harness.models.by_name[describe_harness.model]})
    describe_harness.model = listener
    bots, describe_harness.downloads = describe_harness.downloads, {}
    pictures = [
        MediaRef(kind=MediaKind(kind), file_id="f", unique_id=f"{kind}-{random.Random().random()}", mime_type=mime)
        for kind, mime in (("photo", ""), ("video", "video/mp4"), ("sticker", ""), ("document", "image/png"))
    ]
    for ref in pictures:
        found = await described(describe_harness, reference(ref, new_chat()))
        assert (found.outcome, found.why) == (DescriptionOutcome.UNSUPPORTED, failures.NOT_TAKEN)
        assert describe_harness.stored(ref.unique_id) == {}
    describe_harness.downloads = bots
    await describe_harness.will_say("", "Good morning.")
    one = await sent(describe_harness, "voice", files.sound(seconds=random.Random().uniform(1, 2)))
    assert (await described(describe_harness, one)).says == "Good morning."


@pytest.mark.parametrize(
    ("kind", "size", "is_large"),
    [
        ("document", 0, True),
        ("photo", 0, True),
        ("document", LARGE_BYTES, False),
        ("document", LARGE_BYTES + 1, True),
        ("custom_emoji", 0, False),
        ("sticker", 0, False),
    ],
)
async def test_of_what_may_be_large_one_is_in_memory_at_once(
    describe_harness: DescribeHarness, kind: str, size: int, is_large: bool
) -> None:
    by_model = describe_harness.by_model()
    ref = MediaRef(kind=MediaKind(kind), file_id="f", unique_id=f"u-{random.Random().random()}", size=size)
    taken, other = (by_model.large, by_model.gate) if is_large else (by_model.gate, by_model.large)
    for _ in range(1 if is_large else AT_ONCE):
        await taken.acquire()
    assert not other.locked()
    waits = asyncio.create_task(by_model.describe(reference(ref, new_chat())))
    await asyncio.sleep(0.05)
    assert await describe_harness.store.find(ref.unique_id) is None, "it is not begun"
    taken.release()
    assert await waits is not None


def of(name: str) -> str:
    """Return the sentence about a file that is not opened."""
    return sentences.NOT_READ.format(name=name)


BROKEN_JPEG = sentences.BROKEN.format(name="a JPEG picture")
UNKNOWN = of("a file of no kind that is known here")
#: kind, bytes, the result, and its reason
HOSTILE: dict[str, tuple[str, Callable[[], bytes], DescriptionOutcome, str]] = {
    "bomb": ("document", files.bomb, DescriptionOutcome.UNSUPPORTED, sentences.TOO_LARGE_PICTURE.format(most=50)),
    "broken": ("document", lambda: files.photo()[:40], DescriptionOutcome.PERMANENT_FAILURE, BROKEN_JPEG),
    "gzip bomb": ("document", gzip_bomb, DescriptionOutcome.PERMANENT_FAILURE, sentences.UNPACKS),
    "zip": ("document", lambda: b"PK\x03\x04" + bytes(200), DescriptionOutcome.UNSUPPORTED, of("a zip archive")),
    # as no kind of file begins
    "noise": ("voice", lambda: b"\0" + random.Random().randbytes(5_000), DescriptionOutcome.UNSUPPORTED, UNKNOWN),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_file_is_recorded_and_nothing_else_is_hurt(
    describe_harness: DescribeHarness, name: str
) -> None:
    kind, make, outcome, why = HOSTILE[name]
    one = await sent(describe_harness, kind, unlike_any(make()), name="holiday.jpg")
    found = await described(describe_harness, one)
    assert (found.outcome, found.why, found.shows) == (outcome, why, "")
    assert describe_harness.stored(one.ref.unique_id) == {}
    with pytest.raises(WriteConflict):
        await describe_harness.by_model().describe(one)
    await describe_harness.will_say()
    assert (await described(describe_harness, await photo(describe_harness))).outcome is DescriptionOutcome.DESCRIBED


@pytest.mark.parametrize(
    ("name", "make", "type_"),
    [
        ("song.mp3", lambda: unlike_any(files.photo()), "image/jpeg"),
        ("ten thousand pages.pdf", lambda: unlike_any(files.pdf(10_000)), "application/pdf"),
    ],
)
async def test_what_a_file_is_called_does_not_count_and_neither_how_long_it_is(
    describe_harness: DescribeHarness, name: str, make: Callable[[], bytes], type_: str
) -> None:
    one = await sent(describe_harness, "document", make(), name=name)
    await describe_harness.will_say()
    assert (await described(describe_harness, one)).outcome is DescriptionOutcome.DESCRIBED
    (request,) = await describe_harness.asked()
    shown = [part["inlineData"] for part in request["contents"][0]["parts"] if "inlineData" in part]
    assert [part["mimeType"] for part in shown] == [type_]
    assert sum(part["size"] for part in shown) < 1_000_000
    assert name not in json.dumps(request)


async def test_more_than_20_mb_is_said_plainly(describe_harness: DescribeHarness) -> None:
    one = await sent(describe_harness, "document", random.Random().randbytes(64) + bytes(20 << 20), name="big.bin")
    found = await described(describe_harness, one)
    assert (found.outcome, found.why) == (DescriptionOutcome.UNSUPPORTED, TOO_LARGE)


async def test_a_file_of_another_bot_is_never_had(describe_harness: DescribeHarness) -> None:
    one = await photo(describe_harness)
    ref = evolve(one.ref, file_id="AgACAgIAb3RoZXI", unique_id=one.ref.unique_id + "-x")
    found = await described(describe_harness, evolve(one, ref=ref))
    assert (found.outcome, found.why) == (DescriptionOutcome.PERMANENT_FAILURE, failures.NOT_GIVEN)


async def test_what_telegram_does_not_give_one_bot_another_may_have(describe_harness: DescribeHarness) -> None:
    moss = reference(
        await uploaded(describe_harness.sandbox, "photo", unlike_any(files.photo()), "moss"), new_chat("moss")
    )
    ref = evolve(moss.ref, file_id="AgACAgIAb3RoZXI")
    dead = reference(ref, new_chat(), at=moss.at + timedelta(minutes=1))
    await describe_harness.keeps(moss, dead)
    await describe_harness.will_say()
    assert (await described(describe_harness, dead)).outcome is DescriptionOutcome.DESCRIBED


DOWN_URL = "http://127.0.0.1:1"


async def test_what_is_down_is_tried_again_and_what_is_stored_is_not_fetched_again(
    describe_harness: DescribeHarness,
) -> None:
    one = await photo(describe_harness)
    good = {"downloads": dict(describe_harness.downloads), "preparer": describe_harness.preparer}
    bad: dict[str, Any] = {
        "downloads": {"lull": TelegramDownloads(describe_harness.sandbox.cloud.tokens["lull"], DOWN_URL)},
        "preparer": HttpMediaReader(DOWN_URL),
    }
    for part, why in (("downloads", failures.NOT_DOWNLOADED), ("preparer", DOWN)):
        setattr(describe_harness, part, bad[part])
        found = await described(describe_harness, one)
        assert (found.outcome, found.why) == (DescriptionOutcome.TEMPORARY_FAILURE, why)
        setattr(describe_harness, part, good[part])
        kept = await describe_harness.media(one.ref.unique_id)
        assert kept.next_try_at is not None
        describe_harness.now = kept.next_try_at
    assert not (await describe_harness.media(one.ref.unique_id)).parts
    await describe_harness.sandbox.model.will({"status": 503, "error": "overloaded"})
    found = await described(describe_harness, one)
    assert (found.outcome, found.why) == (DescriptionOutcome.TEMPORARY_FAILURE, failures.MODEL_DOWN)
    kept = await describe_harness.media(one.ref.unique_id)
    assert len(kept.parts) == len(describe_harness.stored(one.ref.unique_id)) == 1
    assert kept.next_try_at is not None
    describe_harness.now, describe_harness.downloads, describe_harness.preparer = (
        kept.next_try_at,
        bad["downloads"],
        bad["preparer"],
    )
    await describe_harness.will_say()
    assert (await described(describe_harness, one)).outcome is DescriptionOutcome.DESCRIBED


async def test_at_a_limit_a_file_waits_for_its_end_however_often(describe_harness: DescribeHarness) -> None:
    one, client, usual = await photo(describe_harness), describe_harness.inbox.client, describe_harness.models
    terms = SpendingPolicy(is_on=True, deployment=SpendingLimits(day_usd=0.0))
    accounts, usages = FirestoreAccounts(client), FirestoreUsages(client)
    describe_harness.models = MeteredModels(
        usual.by_name, JobBudgetService(accounts=accounts, usages=usages, terms=terms, clock=describe_harness.clock)
    )
    for _ in range(MOST_TRIES + 1):
        found = await described(describe_harness, one)
        assert (found.outcome, found.why) == (DescriptionOutcome.TEMPORARY_FAILURE, failures.AT_LIMIT)
        kept = await describe_harness.media(one.ref.unique_id)
        assert kept.next_try_at is not None
        describe_harness.now = kept.next_try_at
    describe_harness.models = usual
    await describe_harness.will_say()
    assert (await described(describe_harness, one)).outcome is DescriptionOutcome.DESCRIBED


async def test_whoever_is_past_their_limit_has_nothing_described_and_others_have(
    describe_harness: DescribeHarness,
) -> None:
    one, client, usual = await photo(describe_harness), describe_harness.inbox.client, describe_harness.models
    agents = {one.agent: AgentLimits(stranger=SpendingLimits(day_usd=0.0), known=SpendingLimits(day_usd=1.0))}
    terms = SpendingPolicy(is_on=True, deployment=SpendingLimits(day_usd=1_000.0), agents=agents)
    accounts, usages = FirestoreAccounts(client), FirestoreUsages(client)
    describe_harness.models = MeteredModels(
        usual.by_name, JobBudgetService(accounts=accounts, usages=usages, terms=terms, clock=describe_harness.clock)
    )
    stranger = evolve(one, person=901, tier=TrustTier.STRANGER)
    found = await described(describe_harness, stranger)
    assert (found.outcome, found.why) == (DescriptionOutcome.TEMPORARY_FAILURE, failures.AT_LIMIT)
    with pytest.raises(WriteConflict):
        await describe_harness.by_model().describe(stranger)
    await describe_harness.will_say()
    known = evolve(one, person=902, tier=TrustTier.KNOWN)
    assert (await described(describe_harness, known)).outcome is DescriptionOutcome.DESCRIBED


async def test_a_bucket_that_is_down_is_tried_again_and_without_a_bucket_nothing_is_stored(
    describe_harness: DescribeHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, bucket = await photo(describe_harness), describe_harness.blobs
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", describe_harness.sandbox.cloud.storage_url)
    describe_harness.blobs = StorageBlobs("p", "no-such-bucket")
    found = await described(describe_harness, one)
    assert (found.outcome, found.why) == (DescriptionOutcome.TEMPORARY_FAILURE, failures.STORAGE_DOWN)
    kept = await describe_harness.media(one.ref.unique_id)
    assert len(kept.parts) == 1, "the record comes first"
    assert kept.next_try_at is not None
    describe_harness.now, describe_harness.blobs = kept.next_try_at, bucket
    await describe_harness.will_say()
    assert (await described(describe_harness, one)).outcome is DescriptionOutcome.DESCRIBED
    assert len(describe_harness.stored(one.ref.unique_id)) == 1
    other = await photo(describe_harness)
    describe_harness.blobs = None
    await describe_harness.will_say()
    assert (await described(describe_harness, other)).outcome is DescriptionOutcome.DESCRIBED
    assert (await describe_harness.media(other.ref.unique_id)).parts == ()


LATER, NEVER = DescriptionOutcome.TEMPORARY_FAILURE, DescriptionOutcome.PERMANENT_FAILURE
REPLIES: dict[str, tuple[dict[str, Any], DescriptionOutcome, str]] = {
    "blocked": ({"body": '{"promptFeedback": {"blockReason": "SAFETY"}}'}, NEVER, failures.BLOCKED),
    "unsafe answer": ({"text": "", "finish_reason": "SAFETY"}, NEVER, failures.BLOCKED),
    "wrong request": ({"status": 400, "error": "bad"}, NEVER, failures.MODEL_REFUSED),
    "wrong key": ({"status": 403, "error": "API key"}, LATER, failures.MODEL_DOWN),
    "quota": ({"status": 429, "error": "quota"}, LATER, failures.MODEL_DOWN),
    "no json": ({"text": "A boat."}, LATER, failures.UNREADABLE),
    "stopped": ({"text": "x", "finish_reason": "RECITATION"}, LATER, failures.UNREADABLE),
    "cut off": ({"text": '{"shows": "A b', "finish_reason": "MAX_TOKENS"}, LATER, failures.UNREADABLE),
}


@pytest.mark.parametrize("name", REPLIES)
async def test_what_the_model_does_not_say(describe_harness: DescribeHarness, name: str) -> None:
    reply, outcome, why = REPLIES[name]
    one = await photo(describe_harness)
    await describe_harness.sandbox.model.will(reply)
    found = await described(describe_harness, one)
    assert (found.outcome, found.why) == (outcome, why)


async def test_what_the_model_answers_nothing_about_twice_is_given_up_and_its_cost_is_kept(
    describe_harness: DescribeHarness,
) -> None:
    one = await photo(describe_harness)
    replies: list[dict[str, Any]] = [{"status": 503, "error": "overloaded"}, *[{"text": "A boat."}] * 2]
    for reply, outcome in zip(replies, (LATER, LATER, NEVER), strict=True):
        await describe_harness.sandbox.model.will(reply)
        found = await described(describe_harness, one)
        assert (found.outcome, found.call is not None) == (outcome, "text" in reply)
        describe_harness.now = (await describe_harness.media(one.ref.unique_id)).next_try_at or describe_harness.now
    assert found.call is not None
    assert found.call.prompt_tokens > 0


async def test_that_it_is_of_the_beginning_alone_is_known_after_a_retry_too(describe_harness: DescribeHarness) -> None:
    one = await sent(describe_harness, "document", unlike_any(files.pdf(30)), name="a.pdf")
    await describe_harness.sandbox.model.will({"status": 503, "error": "overloaded"})
    assert (await described(describe_harness, one)).outcome is LATER
    describe_harness.now = (await describe_harness.media(one.ref.unique_id)).next_try_at or describe_harness.now
    await describe_harness.will_say()
    assert (await described(describe_harness, one)).is_cut
    *_, question = (await describe_harness.asked())[-1]["contents"][0]["parts"]
    assert "Only its beginning is here." in question["text"]
    await describe_harness.will_say()
    assert not (await described(describe_harness, await photo(describe_harness))).is_cut


class Given:
    """A bot that gives a file at once."""

    async def download(self, file_id: str, within_s: float) -> bytes:
        return b"bytes"


class Hanging:
    """A port whose calls never return."""

    def __getattr__(self, name: str) -> Any:
        async def call(*given: object) -> None:
            await asyncio.Event().wait()

        return call


@pytest.mark.parametrize(
    ("part", "step", "why"),
    [
        ("preparer", "prepare_s", failures.READER_DOWN),
        ("blobs", "store_s", failures.STORAGE_DOWN),
        ("models", "ask_s", failures.MODEL_DOWN),
    ],
)
async def test_what_hangs_ends_a_try_and_the_file_waits(
    describe_harness: DescribeHarness, part: str, step: str, why: str
) -> None:
    one = await photo(describe_harness)
    hanging = MeteredModels({describe_harness.model: Hanging()}) if part == "models" else Hanging()
    setattr(describe_harness, part, hanging)
    given = timeouts_for(one.ref.kind)._replace(**{step: 0.01})
    if part == "preparer":  # the preparer has the time that the download leaves
        describe_harness.downloads, given = {one.agent: Given()}, given._replace(download_s=0.01)
    describe_harness.step_timeouts = lambda kind: given
    found = await described(describe_harness, one)
    assert (found.outcome, found.why) == (LATER, why)
    assert (await describe_harness.media(one.ref.unique_id)).claimed_until is None


async def test_a_file_whose_turn_does_not_come_is_not_begun(describe_harness: DescribeHarness) -> None:
    describe_harness.step_timeouts = lambda kind: timeouts_for(kind)._replace(turn_s=0.01)
    by_model, one = describe_harness.by_model(), await photo(describe_harness)
    gate = by_model.gate if one.ref.size else by_model.large
    for _ in range(AT_ONCE if one.ref.size else 1):
        await gate.acquire()
    with pytest.raises(WriteConflict):
        await by_model.describe(one)
    assert await describe_harness.store.find(one.ref.unique_id) is None
    gate.release()
    await describe_harness.will_say()
    assert await by_model.describe(one) is not None


async def test_a_file_whose_process_always_died_is_given_up(describe_harness: DescribeHarness) -> None:
    one = await photo(describe_harness)
    for _ in range(MOST_TRIES):
        await describe_harness.store.claim(one, describe_harness.now, describe_harness.now + claim_time(one.ref.kind))
        describe_harness.now += claim_time(one.ref.kind)
    found = await described(describe_harness, one)
    assert found.outcome is DescriptionOutcome.PERMANENT_FAILURE
    assert found.why == "It was tried 5 times and could not be described: each time something ended it."
    assert await describe_harness.asked() == []
