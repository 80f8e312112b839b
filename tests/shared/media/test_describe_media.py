"""Descriptions of files and notes to chats in the local cloud: once, within a budget, even if a process dies."""

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from shared.base.errors import LullError, StoreUnavailable, WriteConflict
from shared.media import failures
from shared.media.jobs import LONGEST_RUN, TAKEN, describe_media
from shared.media.model_source import claim_time
from shared.media.sources import EmptySource
from shared.values.curated import CuratedMedia
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.reference import DescribeRequest, FileReference, MediaDescribedPayload
from shared.values.wake import WakeReason
from tests.shared.media.describe_harness import DescribeHarness
from tests.shared.media.sendings import is_open, new_chat, reference, told, uploaded
from tests.shared.reader.decode import files

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)


async def photo(describe_harness: DescribeHarness, agent: str = "lull", content: bytes = b"") -> MediaRef:
    """Make a new photo."""
    return await uploaded(
        describe_harness.sandbox, "photo", content or files.photo() + random.Random().randbytes(16), agent
    )


def due(describe_harness: DescribeHarness, ref: MediaRef, **more: Any) -> FileReference:
    """Return a reference that is left over."""
    return reference(ref, new_chat(), at=describe_harness.now, try_at=describe_harness.now, **more)


async def said(describe_harness: DescribeHarness, one: FileReference) -> list[MediaDescribedPayload]:
    """Return the messages to a chat about its files."""
    assert one.key is not None
    found = await told(describe_harness.inbox.client, one.key)
    return [MediaDescribedPayload.model_validate_json(json_of(update)) for update in found]


def json_of(update: Mapping[str, Any]) -> str:
    raw: str = update["raw"]
    return raw[raw.index('"media_described":') + len('"media_described":') : -1]


async def test_a_file_from_ten_people_and_two_agents_is_described_once_and_told_to_every_chat(
    describe_harness: DescribeHarness,
) -> None:
    content = files.photo() + random.Random().randbytes(16)
    refs = {agent: await photo(describe_harness, agent, content) for agent in ("lull", "moss")}
    assert refs["lull"].unique_id == refs["moss"].unique_id
    assert refs["lull"].file_id != refs["moss"].file_id
    group = new_chat()
    harness = [reference(refs["lull"], group, person=n, message_ids=(n,), is_awaited=n == 3) for n in range(1, 5)]
    elsewhere = [reference(refs[agent], new_chat(agent), person=9) for agent in ("lull", "moss") for _ in range(3)]
    await describe_harness.keeps(*harness, *elsewhere)
    await describe_harness.will_say("A boat.")
    orders = await asyncio.gather(
        *(describe_harness.describes(one) for one in (*harness, *elsewhere)), return_exceptions=True
    )
    assert {"described": 1} in orders
    assert all(isinstance(one, WriteConflict) or one in ({"described": 1}, {"temporary_failure": 1}) for one in orders)
    assert len(await describe_harness.asked()) == 1
    assert await describe_harness.describes(harness[0]) == {"described": 1}, "whoever comes late tells what is left"
    for one in (harness[0], *elsewhere):
        (found,) = await said(describe_harness, one)
        assert (found.description.shows, found.unique_id) == ("A boat.", one.ref.unique_id)
    assert (await said(describe_harness, harness[0]))[0].message_ids == (1, 2, 3, 4)
    assert not any([await is_open(describe_harness.inbox.client, one) for one in (*harness, *elsewhere)])
    wakes = await describe_harness.queue.wakes()
    reasons = {wake.key.id: wake.reason for wake in wakes}
    assert reasons == {one.chat: WakeReason.LATER for one in elsewhere} | {group.id: WakeReason.NOW}
    later = [wake.at - wake.since for wake in wakes if wake.since and wake.reason is WakeReason.LATER]
    assert later == [MINUTE] * 6


@dataclass
class Counted:
    """A store that counts the files that are looked up."""

    store: Any
    finds: int = 0

    def __getattr__(self, name: str) -> Any:
        self.finds += name == "find"
        return getattr(self.store, name)


async def test_a_run_stops_at_its_budget_and_the_next_one_goes_on(describe_harness: DescribeHarness) -> None:
    known = await photo(describe_harness)
    await describe_harness.will_say("Known.")
    await describe_harness.describes(due(describe_harness, known))
    new = [due(describe_harness, await photo(describe_harness)) for _ in range(5)]
    describe_harness.now += SECOND  # the files of others are older
    of_known = [due(describe_harness, known, is_awaited=True) for _ in range(3)]
    await describe_harness.keeps(*new, *of_known)
    describe_harness.budget = 2
    await describe_harness.will_say("New.", times=5)
    looked_up = Counted(describe_harness.store)
    describe_harness.store = looked_up
    assert await describe_harness.sweeps() == {"described": 3, "budget_exhausted": 1}
    assert looked_up.finds == 4, "it stops there"
    assert [len(await said(describe_harness, one)) for one in of_known] == [1, 1, 1], "what is known costs nothing"
    assert sum([await is_open(describe_harness.inbox.client, one) for one in new]) == 3
    assert await describe_harness.sweeps() == {"described": 2, "budget_exhausted": 1}
    assert await describe_harness.sweeps() == {"described": 1}
    assert await describe_harness.sweeps() == {}
    assert len(await describe_harness.asked()) == 6


async def test_a_chat_of_many_files_lets_another_have_its_turn(describe_harness: DescribeHarness) -> None:
    busy = new_chat()
    flood = [
        reference(await photo(describe_harness), busy, at=describe_harness.now, try_at=describe_harness.now)
        for _ in range(4)
    ]
    describe_harness.now += SECOND
    other = due(describe_harness, await photo(describe_harness))
    await describe_harness.keeps(*flood, other)
    describe_harness.budget = 2
    await describe_harness.will_say("New.", times=5)
    assert await describe_harness.sweeps() == {"described": 2, "budget_exhausted": 1}
    assert await describe_harness.sweeps() == {"described": 1}
    assert len(await said(describe_harness, other)) == 1
    describe_harness.now += timedelta(minutes=10)
    assert await describe_harness.sweeps() == {"described": 2}


async def test_what_a_message_waits_for_is_first(describe_harness: DescribeHarness) -> None:
    old = [due(describe_harness, await photo(describe_harness)) for _ in range(2)]
    describe_harness.now += SECOND
    awaited = due(describe_harness, await photo(describe_harness), is_awaited=True)
    await describe_harness.keeps(*old, awaited)
    describe_harness.budget = 1
    await describe_harness.will_say("New.")
    assert await describe_harness.sweeps() == {"described": 1, "budget_exhausted": 1}
    assert [len(await said(describe_harness, one)) for one in (*old, awaited)] == [0, 0, 1]


async def fails(describe_harness: DescribeHarness, one: FileReference, *minutes: int) -> None:
    """Make scheduled runs that fail, each some minutes after the one before; none asks a model too early."""
    for wait in minutes:
        tried = len(await describe_harness.asked())
        if wait:
            describe_harness.now += wait * MINUTE - SECOND
            assert await describe_harness.sweeps() == {}
            describe_harness.now += SECOND
        assert await describe_harness.sweeps() == {"temporary_failure": 1}
        assert (len(await describe_harness.asked()), await said(describe_harness, one)) == (tried + 1, [])


async def test_gemini_fails_for_an_hour_and_the_fifth_try_describes_the_file(describe_harness: DescribeHarness) -> None:
    one, began = due(describe_harness, await photo(describe_harness)), describe_harness.now
    await describe_harness.keeps(one)
    await describe_harness.sandbox.model.will({"status": 503, "error": "overloaded", "times": 4})
    await fails(describe_harness, one, 0, 1, 5, 30)
    await describe_harness.will_say("A boat.")
    describe_harness.now = began + timedelta(hours=1)
    assert await describe_harness.sweeps() == {}, "it waits for two hours by now"
    describe_harness.now = began + (1 + 5 + 30 + 120) * MINUTE
    assert await describe_harness.sweeps() == {"described": 1}
    assert [one.description.shows for one in await said(describe_harness, one)] == ["A boat."]
    assert (len(await describe_harness.asked()), (await describe_harness.media(one.ref.unique_id)).tries) == (5, 5)


async def test_after_five_tries_it_is_given_up_and_told(describe_harness: DescribeHarness) -> None:
    one = due(describe_harness, await photo(describe_harness), is_awaited=True)
    await describe_harness.keeps(one)
    await describe_harness.sandbox.model.will({"status": 503, "error": "overloaded", "times": 6})
    await fails(describe_harness, one, 0, 1, 5, 30)
    describe_harness.now += 120 * MINUTE
    assert await describe_harness.sweeps() == {"permanent_failure": 1}
    describe_harness.now += timedelta(days=1)
    assert await describe_harness.sweeps() == {}
    assert len(await describe_harness.asked()) == 5
    (found,) = await said(describe_harness, one)
    assert found.description.outcome is DescriptionOutcome.PERMANENT_FAILURE
    assert found.description.why == failures.GIVEN_UP.format(tries=5, why=failures.MODEL_DOWN)


class Killed(BaseException):
    """The process ends here."""


@dataclass
class Mortal:
    """Makes the process die before or after one of its calls, counted over all parts."""

    at: int
    calls: list[str] = field(default_factory=list)

    def of(self, part: Any) -> Any:
        mortal = self

        class Part:
            def __getattr__(self, name: str) -> Any:
                found = getattr(part, name)
                return mortal.around(name, found) if asyncio.iscoroutinefunction(found) else found

        return Part()

    def around(self, name: str, call: Any) -> Any:
        async def made(*args: Any, **more: Any) -> Any:
            self.step(f"before {name}")
            result = await call(*args, **more)
            self.step(f"after {name}")
            return result

        return made

    def step(self, name: str) -> None:
        self.calls.append(name)
        if len(self.calls) == self.at:
            raise Killed(name)


async def run_dying(describe_harness: DescribeHarness, one: FileReference, at: int) -> list[str]:
    """Make one run that is killed at a step, or all its steps if it is not killed."""
    mortal = Mortal(at)
    good = (
        describe_harness.store,
        describe_harness.inbox,
        describe_harness.blobs,
        describe_harness.preparer,
        dict(describe_harness.downloads),
    )
    describe_harness.store, describe_harness.inbox, describe_harness.blobs, describe_harness.preparer = (
        mortal.of(part) for part in good[:4]
    )
    describe_harness.downloads = {agent: mortal.of(bot) for agent, bot in good[4].items()}
    try:
        await describe_harness.describes(one)
    except Killed:
        pass
    finally:
        (
            describe_harness.store,
            describe_harness.inbox,
            describe_harness.blobs,
            describe_harness.preparer,
            describe_harness.downloads,
        ) = good
    return mortal.calls


async def test_killed_before_and_after_each_request_it_is_described_once_and_told_once(
    describe_harness: DescribeHarness,
) -> None:
    await describe_harness.will_say("A boat.", times=None)
    whole = await run_dying(describe_harness, await kept_photo(describe_harness), 0)
    assert len(whole) >= 20
    for at in range(1, len(whole) + 1):
        one = await kept_photo(describe_harness)
        before = len(await describe_harness.asked())
        steps = await run_dying(describe_harness, one, at)
        assert steps == whole[:at]
        await no_blob_is_without_its_record(describe_harness, one.ref.unique_id)
        describe_harness.now += claim_time(one.ref.kind)
        assert await describe_harness.sweeps() in ({"described": 1}, {}), steps[-1]
        assert not await is_open(describe_harness.inbox.client, one), steps[-1]
        assert [found.description.shows for found in await said(describe_harness, one)] == ["A boat."], steps[-1]
        # the answer of a call that was made just before the end is lost with it
        assert len(await describe_harness.asked()) - before <= 2
        await no_blob_is_without_its_record(describe_harness, one.ref.unique_id)
        assert len(describe_harness.stored(one.ref.unique_id)) == 1


async def kept_photo(describe_harness: DescribeHarness) -> FileReference:
    one = due(describe_harness, await photo(describe_harness))
    await describe_harness.keeps(one)
    return one


async def no_blob_is_without_its_record(describe_harness: DescribeHarness, unique_id: str) -> None:
    stored = set(describe_harness.stored(unique_id))
    if stored:
        assert stored <= {part.path for part in (await describe_harness.media(unique_id)).parts}


async def test_each_agent_is_told_what_is_written_for_it(describe_harness: DescribeHarness) -> None:
    content = files.photo() + random.Random().randbytes(16)
    refs = {agent: await photo(describe_harness, agent, content) for agent in ("lull", "moss")}
    ours, theirs = (
        reference(refs[agent], new_chat(agent), at=describe_harness.now, try_at=describe_harness.now)
        for agent in ("lull", "moss")
    )
    await describe_harness.keeps(ours, theirs)
    boat = CuratedMedia(unique_id=ours.ref.unique_id, kind=MediaKind.PHOTO, description="Our own boat.")
    describe_harness.curated = {"lull": dict.fromkeys(boat.names, boat)}
    await describe_harness.will_say("Some boat.")
    assert await describe_harness.sweeps() == {"described": 1}
    assert [(await said(describe_harness, one))[0].description.shows for one in (ours, theirs)] == [
        "Our own boat.",
        "Some boat.",
    ]


async def test_nobody_is_told_of_a_sticker_that_nobody_sent(describe_harness: DescribeHarness) -> None:
    ref = await photo(describe_harness)
    own = FileReference(ref=ref, agent="lull", at=describe_harness.now, try_at=describe_harness.now)
    await describe_harness.keeps(own)
    await describe_harness.will_say("A boat.")
    assert await describe_harness.sweeps() == {"described": 1}
    assert not await is_open(describe_harness.inbox.client, own)
    assert await describe_harness.queue.wakes() == []


async def test_what_nobody_will_ever_describe_is_not_looked_for_again(describe_harness: DescribeHarness) -> None:
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"u-{random.Random().random()}")
    of_nobody = reference(ref, new_chat("gone"), at=describe_harness.now, try_at=describe_harness.now)
    await describe_harness.keeps(of_nobody)
    await describe_harness.sweeps()
    assert not await is_open(describe_harness.inbox.client, of_nobody)
    of_nothing = due(describe_harness, ref)
    await describe_harness.keeps(of_nothing)
    await describe_media(describe_harness.describer(EmptySource()), DescribeRequest())
    assert not await is_open(describe_harness.inbox.client, of_nothing)
    assert await said(describe_harness, of_nothing) == []


@dataclass
class Failing:
    """A last source that fails for some files and describes the others."""

    errors: Mapping[str, LullError]
    described: list[str] = field(default_factory=list)

    async def describe(self, reference: FileReference) -> Description | None:
        if error := self.errors.get(reference.ref.unique_id):
            raise error
        self.described.append(reference.ref.unique_id)
        return Description(outcome=DescriptionOutcome.DESCRIBED, shows="A boat.", source="a-model")


async def test_what_fails_keeps_no_other_file_from_being_described(describe_harness: DescribeHarness) -> None:
    refs = [MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"u{n}-{random.Random().random()}") for n in range(3)]
    await describe_harness.keeps(*(due(describe_harness, ref) for ref in refs))
    store_down, taken = StoreUnavailable("Firestore did not do it"), WriteConflict("another run has it")
    source = Failing({refs[0].unique_id: store_down, refs[1].unique_id: taken})
    with pytest.raises(StoreUnavailable):
        await describe_media(describe_harness.describer(source), DescribeRequest())
    assert source.described == [refs[2].unique_id]
    source.errors = {refs[0].unique_id: taken, refs[1].unique_id: taken}
    assert await describe_media(describe_harness.describer(source), DescribeRequest()) == {TAKEN: 2}


async def test_a_run_has_an_end(describe_harness: DescribeHarness) -> None:
    refs = [MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"u{n}-{random.Random().random()}") for n in range(3)]
    await describe_harness.keeps(*(due(describe_harness, ref) for ref in refs))

    class Slow(Failing):
        async def describe(self, reference: FileReference) -> Description | None:
            describe_harness.now += LONGEST_RUN
            return await super().describe(reference)

    slow = Slow({})
    await describe_media(describe_harness.describer(slow), DescribeRequest())
    assert len(slow.described) == 2


async def test_what_people_sent_comes_before_a_personas_own_stickers(describe_harness: DescribeHarness) -> None:
    refs = [MediaRef(kind=MediaKind.STICKER, file_id="f", unique_id=f"u{random.Random().random()}") for _ in range(3)]
    own = [
        FileReference(ref=ref, agent="lull", at=describe_harness.now, try_at=describe_harness.now - MINUTE)
        for ref in refs[:2]
    ]
    await describe_harness.keeps(*own, due(describe_harness, refs[2]))
    source = Failing({})
    await describe_media(describe_harness.describer(source), DescribeRequest())
    assert source.described[0] == refs[2].unique_id
    assert set(source.described) == {ref.unique_id for ref in refs}


async def test_who_is_past_a_limit_keeps_a_file_from_nobody_else_who_sent_it(describe_harness: DescribeHarness) -> None:
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"u-{random.Random().random()}")
    eve = due(describe_harness, ref, person=901)
    bob = evolve(due(describe_harness, ref, person=902), at=eve.at - SECOND)

    class Limited(Failing):
        async def describe(self, reference: FileReference) -> Description | None:
            if reference.person == eve.person:
                return Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why=failures.AT_LIMIT)
            return await super().describe(reference)

    await describe_harness.keeps(eve, bob)
    assert await describe_media(describe_harness.describer(Limited({})), DescribeRequest(reference=eve)) == {
        "described": 1
    }
    assert [(await said(describe_harness, one))[0].description.shows for one in (eve, bob)] == ["A boat.", "A boat."]


async def test_whoever_sends_a_file_while_it_is_described_is_told_too(describe_harness: DescribeHarness) -> None:
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"u-{random.Random().random()}")
    first, late = due(describe_harness, ref), due(describe_harness, ref)

    class Meanwhile(Failing):
        async def describe(self, reference: FileReference) -> Description | None:
            await describe_harness.keeps(late)
            return await super().describe(reference)

    await describe_harness.keeps(first)
    source = Meanwhile({})
    assert await describe_media(describe_harness.describer(source), DescribeRequest(reference=first)) == {
        "described": 1
    }
    assert len(source.described) == 1
    assert [(await said(describe_harness, one))[0].description.shows for one in (first, late)] == ["A boat.", "A boat."]
