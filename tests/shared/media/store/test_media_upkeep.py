"""Counts of media, and files that are tried again, in the real Firestore."""

import itertools
import os
from collections.abc import AsyncIterator

import pytest

from shared.chat.store import paths
from shared.chat.store.writes import CommitContext, WriteBatch
from shared.media.store.media import FirestoreMedia, FirestoreMediaUpkeep, SentFile, encode_media
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.stored_media import StoredMedia
from tests.shared.examples import NOW, SECOND
from tests.shared.media.sendings import is_open, kept, media, new_chat, reference

_numbers = itertools.count(1)


@pytest.fixture
async def upkeep(emulator: str) -> AsyncIterator[FirestoreMediaUpkeep]:
    """Make a store with short pages in its own project, so that its counts are exact."""
    found = FirestoreMediaUpkeep(f"{emulator}-{os.getpid()}-{next(_numbers)}", page=2)
    yield found
    found.client.close()  # type: ignore[no-untyped-call]


async def keep(upkeep: FirestoreMediaUpkeep, unique_id: str, outcome: DescriptionOutcome | None) -> StoredMedia:
    description = Description(outcome=outcome, why="So it is.") if outcome else None
    one = StoredMedia(unique_id=unique_id, kind=MediaKind.PHOTO, description=description, tries=5, updated_at=NOW)
    await upkeep.client.document(paths.media_path(unique_id)).set(encode_media(one))
    return one


async def test_files_are_counted_by_what_came_of_them(upkeep: FirestoreMediaUpkeep) -> None:
    empty = await upkeep.counts()
    assert (set(empty.by_outcome.values()), empty.open_references) == ({0}, 0)
    for number, outcome in enumerate((*DescriptionOutcome, DescriptionOutcome.DESCRIBED, None)):
        await keep(upkeep, f"u{number}", outcome)
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u1")
    await kept(upkeep.client, reference(ref, new_chat()), reference(ref, new_chat(), is_open=False))
    counts = await upkeep.counts()
    assert counts.by_outcome == dict.fromkeys(DescriptionOutcome, 1) | {DescriptionOutcome.DESCRIBED: 2}
    assert counts.open_references == 1


async def test_whoever_sent_it_once_it_was_given_up_is_told_too(upkeep: FirestoreMediaUpkeep) -> None:
    failed = await keep(upkeep, "failed", DescriptionOutcome.PERMANENT_FAILURE)
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="failed")
    late = [reference(ref, new_chat(), message_ids=(number,), is_open=False) for number in range(5)]
    for one in late:
        assert one.key is not None
        batch = WriteBatch(upkeep.client)
        for write in SentFile(one).writes(CommitContext(chat=Chat(key=one.key), at=NOW)):
            batch.add(write)
        await batch.commit()
    await upkeep.give_back(failed, NOW)
    assert sorted(one.id for one in await FirestoreMedia(upkeep.client).open_references("failed")) == sorted(
        one.id for one in late
    )
    assert await upkeep.given_up(10) == []


async def test_what_was_sent_is_found_from_the_chat_and_from_the_person(upkeep: FirestoreMediaUpkeep) -> None:
    here, there, elsewhere = new_chat(), new_chat("moss"), new_chat()
    refs = [MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"u{number}") for number in range(5)]
    ours = [reference(ref, here, person=n % 2, at=NOW - n * SECOND, is_open=n > 2) for n, ref in enumerate(refs)]
    theirs = reference(refs[0], there, person=1, at=NOW + SECOND)
    await kept(upkeep.client, *ours, theirs)
    assert await upkeep.of_chat(here) == ours[::-1]
    assert await upkeep.of_person(1) == [ours[3], ours[1], theirs]
    assert (await upkeep.of_chat(elsewhere), await upkeep.of_person(2)) == ([], [])


async def test_what_was_given_up_is_given_back_for_everybody_who_sent_it(upkeep: FirestoreMediaUpkeep) -> None:
    failed = await keep(upkeep, "failed", DescriptionOutcome.PERMANENT_FAILURE)
    await keep(upkeep, "unsupported", DescriptionOutcome.UNSUPPORTED)
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="failed")
    ann, bob = (reference(ref, new_chat(), is_open=False, is_awaited=True) for _ in range(2))
    other = reference(evolve(ref, unique_id="unsupported"), new_chat(), is_open=False)
    await kept(upkeep.client, ann, bob, other)
    assert await upkeep.given_up(10) == [failed]
    await upkeep.give_back(failed, NOW + SECOND)
    assert await upkeep.given_up(10) == []
    found = await media(upkeep.client, "failed")
    assert found is not None
    assert (found.description, found.tries, found.is_due(NOW + SECOND)) == (None, 0, True)
    assert [await is_open(upkeep.client, one) for one in (ann, bob, other)] == [True, True, False]
    document = (await upkeep.client.document(paths.reference_path(ann.id)).get()).to_dict() or {}
    assert (document["try_at"], document["is_awaited"]) == (NOW + SECOND, False)
