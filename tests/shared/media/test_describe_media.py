"""Describing files and telling their chats over the local cloud: once, within a budget, whatever process dies."""

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
from tests.shared.media.sendings import is_open, new_chat, reference, told, uploaded
from tests.shared.media.workshop import Workshop
from tests.shared.reader.decode import files

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)


async def photo(shop: Workshop, agent: str = "lull", content: bytes = b"") -> MediaRef:
    """A photo that no other test has."""
    return await uploaded(shop.stage, "photo", content or files.photo() + random.Random().randbytes(16), agent)


def due(shop: Workshop, ref: MediaRef, **more: Any) -> FileReference:
    """Return a reference that is left over."""
    return reference(ref, new_chat(), at=shop.now, try_at=shop.now, **more)


async def said(shop: Workshop, one: FileReference) -> list[MediaDescribedPayload]:
    """Return what a chat was told."""
    assert one.key is not None
    found = await told(shop.inbox.client, one.key)
    return [MediaDescribedPayload.model_validate_json(json_of(update)) for update in found]


def json_of(update: Mapping[str, Any]) -> str:
    raw: str = update["raw"]
    return raw[raw.index('"media_described":') + len('"media_described":') : -1]


async def test_a_file_from_ten_people_and_two_agents_is_described_once_and_told_to_every_chat(shop: Workshop) -> None:
    content = files.photo() + random.Random().randbytes(16)
    refs = {agent: await photo(shop, agent, content) for agent in ("lull", "moss")}
    assert refs["lull"].unique_id == refs["moss"].unique_id
    assert refs["lull"].file_id != refs["moss"].file_id
    group = new_chat()
    here = [reference(refs["lull"], group, person=n, message_ids=(n,), is_awaited=n == 3) for n in range(1, 5)]
    elsewhere = [reference(refs[agent], new_chat(agent), person=9) for agent in ("lull", "moss") for _ in range(3)]
    await shop.keeps(*here, *elsewhere)
    await shop.will_say("A boat.")
    orders = await asyncio.gather(*(shop.describes(one) for one in (*here, *elsewhere)), return_exceptions=True)
    assert {"described": 1} in orders
    assert all(isinstance(one, WriteConflict) or one in ({"described": 1}, {"temporary_failure": 1}) for one in orders)
    assert len(await shop.asked()) == 1
    assert await shop.describes(here[0]) == {"described": 1}, "whoever comes late tells what is left"
    for one in (here[0], *elsewhere):
        (found,) = await said(shop, one)
        assert (found.description.shows, found.unique_id) == ("A boat.", one.ref.unique_id)
    assert (await said(shop, here[0]))[0].message_ids == (1, 2, 3, 4)
    assert not any([await is_open(shop.inbox.client, one) for one in (*here, *elsewhere)])
    wakes = await shop.queue.wakes()
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


async def test_a_run_stops_at_its_budget_and_the_next_one_goes_on(shop: Workshop) -> None:
    known = await photo(shop)
    await shop.will_say("Known.")
    await shop.describes(due(shop, known))
    new = [due(shop, await photo(shop)) for _ in range(5)]
    shop.now += SECOND  # the files of others are older
    of_known = [due(shop, known, is_awaited=True) for _ in range(3)]
    await shop.keeps(*new, *of_known)
    shop.budget = 2
    await shop.will_say("New.", times=5)
    looked_up = Counted(shop.store)
    shop.store = looked_up
    assert await shop.sweeps() == {"described": 3, "budget_exhausted": 1}
    assert looked_up.finds == 4, "it stops there"
    assert [len(await said(shop, one)) for one in of_known] == [1, 1, 1], "what is known costs nothing"
    assert sum([await is_open(shop.inbox.client, one) for one in new]) == 3
    assert await shop.sweeps() == {"described": 2, "budget_exhausted": 1}
    assert await shop.sweeps() == {"described": 1}
    assert await shop.sweeps() == {}
    assert len(await shop.asked()) == 6


async def test_a_chat_of_many_files_lets_another_have_its_turn(shop: Workshop) -> None:
    busy = new_chat()
    flood = [reference(await photo(shop), busy, at=shop.now, try_at=shop.now) for _ in range(4)]
    shop.now += SECOND
    other = due(shop, await photo(shop))
    await shop.keeps(*flood, other)
    shop.budget = 2
    await shop.will_say("New.", times=5)
    assert await shop.sweeps() == {"described": 2, "budget_exhausted": 1}
    assert await shop.sweeps() == {"described": 1}
    assert len(await said(shop, other)) == 1
    shop.now += timedelta(minutes=10)
    assert await shop.sweeps() == {"described": 2}


async def test_what_a_message_waits_for_is_first(shop: Workshop) -> None:
    old = [due(shop, await photo(shop)) for _ in range(2)]
    shop.now += SECOND
    awaited = due(shop, await photo(shop), is_awaited=True)
    await shop.keeps(*old, awaited)
    shop.budget = 1
    await shop.will_say("New.")
    assert await shop.sweeps() == {"described": 1, "budget_exhausted": 1}
    assert [len(await said(shop, one)) for one in (*old, awaited)] == [0, 0, 1]


async def fails(shop: Workshop, one: FileReference, *minutes: int) -> None:
    """Make scheduled runs that fail, each some minutes after the one before; none asks a model too early."""
    for wait in minutes:
        tried = len(await shop.asked())
        if wait:
            shop.now += wait * MINUTE - SECOND
            assert await shop.sweeps() == {}
            shop.now += SECOND
        assert await shop.sweeps() == {"temporary_failure": 1}
        assert (len(await shop.asked()), await said(shop, one)) == (tried + 1, [])


async def test_gemini_fails_for_an_hour_and_the_fifth_try_describes_the_file(shop: Workshop) -> None:
    one, began = due(shop, await photo(shop)), shop.now
    await shop.keeps(one)
    await shop.stage.model.will({"status": 503, "error": "overloaded", "times": 4})
    await fails(shop, one, 0, 1, 5, 30)
    await shop.will_say("A boat.")
    shop.now = began + timedelta(hours=1)
    assert await shop.sweeps() == {}, "it waits for two hours by now"
    shop.now = began + (1 + 5 + 30 + 120) * MINUTE
    assert await shop.sweeps() == {"described": 1}
    assert [one.description.shows for one in await said(shop, one)] == ["A boat."]
    assert (len(await shop.asked()), (await shop.media(one.ref.unique_id)).tries) == (5, 5)


async def test_after_five_tries_it_is_given_up_and_told(shop: Workshop) -> None:
    one = due(shop, await photo(shop), is_awaited=True)
    await shop.keeps(one)
    await shop.stage.model.will({"status": 503, "error": "overloaded", "times": 6})
    await fails(shop, one, 0, 1, 5, 30)
    shop.now += 120 * MINUTE
    assert await shop.sweeps() == {"permanent_failure": 1}
    shop.now += timedelta(days=1)
    assert await shop.sweeps() == {}
    assert len(await shop.asked()) == 5
    (found,) = await said(shop, one)
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


async def run_dying(shop: Workshop, one: FileReference, at: int) -> list[str]:
    """Make one run that is killed at a step, or all its steps if it is not killed."""
    mortal = Mortal(at)
    good = shop.store, shop.inbox, shop.blobs, shop.preparer, dict(shop.downloads)
    shop.store, shop.inbox, shop.blobs, shop.preparer = (mortal.of(part) for part in good[:4])
    shop.downloads = {agent: mortal.of(bot) for agent, bot in good[4].items()}
    try:
        await shop.describes(one)
    except Killed:
        pass
    finally:
        shop.store, shop.inbox, shop.blobs, shop.preparer, shop.downloads = good
    return mortal.calls


async def test_killed_before_and_after_each_request_it_is_described_once_and_told_once(shop: Workshop) -> None:
    await shop.will_say("A boat.", times=None)
    whole = await run_dying(shop, await kept_photo(shop), 0)
    assert len(whole) >= 20
    for at in range(1, len(whole) + 1):
        one = await kept_photo(shop)
        before = len(await shop.asked())
        steps = await run_dying(shop, one, at)
        assert steps == whole[:at]
        await no_blob_is_without_its_record(shop, one.ref.unique_id)
        shop.now += claim_time(one.ref.kind)
        assert await shop.sweeps() in ({"described": 1}, {}), steps[-1]
        assert not await is_open(shop.inbox.client, one), steps[-1]
        assert [found.description.shows for found in await said(shop, one)] == ["A boat."], steps[-1]
        # the answer of a call that was made just before the end is lost with it
        assert len(await shop.asked()) - before <= 2
        await no_blob_is_without_its_record(shop, one.ref.unique_id)
        assert len(shop.stored(one.ref.unique_id)) == 1


async def kept_photo(shop: Workshop) -> FileReference:
    one = due(shop, await photo(shop))
    await shop.keeps(one)
    return one


async def no_blob_is_without_its_record(shop: Workshop, unique_id: str) -> None:
    stored = set(shop.stored(unique_id))
    if stored:
        assert stored <= {part.path for part in (await shop.media(unique_id)).parts}


async def test_each_agent_is_told_what_is_written_for_it(shop: Workshop) -> None:
    content = files.photo() + random.Random().randbytes(16)
    refs = {agent: await photo(shop, agent, content) for agent in ("lull", "moss")}
    ours, theirs = (reference(refs[agent], new_chat(agent), at=shop.now, try_at=shop.now) for agent in ("lull", "moss"))
    await shop.keeps(ours, theirs)
    boat = CuratedMedia(unique_id=ours.ref.unique_id, kind=MediaKind.PHOTO, description="Our own boat.")
    shop.curated = {"lull": dict.fromkeys(boat.names, boat)}
    await shop.will_say("Some boat.")
    assert await shop.sweeps() == {"described": 1}
    assert [(await said(shop, one))[0].description.shows for one in (ours, theirs)] == ["Our own boat.", "Some boat."]


async def test_nobody_is_told_of_a_sticker_that_nobody_sent(shop: Workshop) -> None:
    ref = await photo(shop)
    own = FileReference(ref=ref, agent="lull", at=shop.now, try_at=shop.now)
    await shop.keeps(own)
    await shop.will_say("A boat.")
    assert await shop.sweeps() == {"described": 1}
    assert not await is_open(shop.inbox.client, own)
    assert await shop.queue.wakes() == []


async def test_what_nobody_will_ever_describe_is_not_looked_for_again(shop: Workshop) -> None:
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"u-{random.Random().random()}")
    of_nobody = reference(ref, new_chat("gone"), at=shop.now, try_at=shop.now)
    await shop.keeps(of_nobody)
    await shop.sweeps()
    assert not await is_open(shop.inbox.client, of_nobody)
    of_nothing = due(shop, ref)
    await shop.keeps(of_nothing)
    await describe_media(shop.describer(EmptySource()), DescribeRequest())
    assert not await is_open(shop.inbox.client, of_nothing)
    assert await said(shop, of_nothing) == []


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


async def test_what_fails_keeps_no_other_file_from_being_described(shop: Workshop) -> None:
    refs = [MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"u{n}-{random.Random().random()}") for n in range(3)]
    await shop.keeps(*(due(shop, ref) for ref in refs))
    store_down, taken = StoreUnavailable("Firestore did not do it"), WriteConflict("another run has it")
    source = Failing({refs[0].unique_id: store_down, refs[1].unique_id: taken})
    with pytest.raises(StoreUnavailable):
        await describe_media(shop.describer(source), DescribeRequest())
    assert source.described == [refs[2].unique_id]
    source.errors = {refs[0].unique_id: taken, refs[1].unique_id: taken}
    assert await describe_media(shop.describer(source), DescribeRequest()) == {TAKEN: 2}


async def test_a_run_has_an_end(shop: Workshop) -> None:
    refs = [MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"u{n}-{random.Random().random()}") for n in range(3)]
    await shop.keeps(*(due(shop, ref) for ref in refs))

    class Slow(Failing):
        async def describe(self, reference: FileReference) -> Description | None:
            shop.now += LONGEST_RUN
            return await super().describe(reference)

    slow = Slow({})
    await describe_media(shop.describer(slow), DescribeRequest())
    assert len(slow.described) == 2


async def test_what_people_sent_comes_before_a_personas_own_stickers(shop: Workshop) -> None:
    refs = [MediaRef(kind=MediaKind.STICKER, file_id="f", unique_id=f"u{random.Random().random()}") for _ in range(3)]
    own = [FileReference(ref=ref, agent="lull", at=shop.now, try_at=shop.now - MINUTE) for ref in refs[:2]]
    await shop.keeps(*own, due(shop, refs[2]))
    source = Failing({})
    await describe_media(shop.describer(source), DescribeRequest())
    assert source.described[0] == refs[2].unique_id
    assert set(source.described) == {ref.unique_id for ref in refs}


async def test_who_is_past_a_limit_keeps_a_file_from_nobody_else_who_sent_it(shop: Workshop) -> None:
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"u-{random.Random().random()}")
    eve = due(shop, ref, person=901)
    bob = evolve(due(shop, ref, person=902), at=eve.at - SECOND)

    class Limited(Failing):
        async def describe(self, reference: FileReference) -> Description | None:
            if reference.person == eve.person:
                return Description(outcome=DescriptionOutcome.TEMPORARY_FAILURE, why=failures.AT_LIMIT)
            return await super().describe(reference)

    await shop.keeps(eve, bob)
    assert await describe_media(shop.describer(Limited({})), DescribeRequest(reference=eve)) == {"described": 1}
    assert [(await said(shop, one))[0].description.shows for one in (eve, bob)] == ["A boat.", "A boat."]


async def test_whoever_sends_a_file_while_it_is_described_is_told_too(shop: Workshop) -> None:
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"u-{random.Random().random()}")
    first, late = due(shop, ref), due(shop, ref)

    class Meanwhile(Failing):
        async def describe(self, reference: FileReference) -> Description | None:
            await shop.keeps(late)
            return await super().describe(reference)

    await shop.keeps(first)
    source = Meanwhile({})
    assert await describe_media(shop.describer(source), DescribeRequest(reference=first)) == {"described": 1}
    assert len(source.described) == 1
    assert [(await said(shop, one))[0].description.shows for one in (first, late)] == ["A boat.", "A boat."]
