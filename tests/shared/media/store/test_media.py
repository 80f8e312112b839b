"""Claims of files, and open references, in the real Firestore."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest

from shared.base.errors import WriteConflict
from shared.chat.store import paths
from shared.chat.store.inbox import FirestoreInbox
from shared.media.store.media import UNREADABLE_WAITS, FirestoreMedia, MediaSnapshot
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.media import CURATED, Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.reference import FileReference, media_described_update
from shared.values.stored_media import StoredMedia
from tests.shared.examples import NOW, SECOND
from tests.shared.media.sendings import is_open, kept, new_chat, reference, told

UNTIL = NOW + timedelta(minutes=5)
SHOWN = Description(outcome=DescriptionOutcome.DESCRIBED, shows="A boat.", source="a-model")


@pytest.fixture
def store(inbox: FirestoreInbox) -> FirestoreMedia:
    return FirestoreMedia(inbox.client)


@pytest.fixture
def ref() -> MediaRef:
    return MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"u-{uuid4().hex}")


@pytest.fixture
def one(ref: MediaRef, key: ChatKey) -> FileReference:
    return reference(ref, key, at=NOW, try_at=NOW)


async def test_a_file_is_claimed_by_one_and_by_another_when_the_claim_runs_out(
    store: FirestoreMedia, one: FileReference
) -> None:
    first = await store.claim(one, NOW, UNTIL)
    assert (first.media.tries, first.media.claimed_until) == (1, UNTIL)
    assert await store.find(one.ref.unique_id) == first.media
    with pytest.raises(WriteConflict):
        await store.claim(one, UNTIL - SECOND, UNTIL)
    second = await store.claim(one, UNTIL, UNTIL + SECOND)
    assert second.media.tries == 2
    with pytest.raises(WriteConflict):
        await store.keep(first, evolve(first.media, description=SHOWN))
    assert await store.find(one.ref.unique_id) == second.media


async def test_of_many_at_once_one_has_it(store: FirestoreMedia, one: FileReference) -> None:
    claims = [store.claim(one, NOW, UNTIL) for _ in range(8)]
    found = await asyncio.gather(*claims, return_exceptions=True)
    assert sum(isinstance(claim, MediaSnapshot) for claim in found) == 1
    assert all(isinstance(claim, MediaSnapshot | WriteConflict) for claim in found)


async def test_a_write_follows_a_write_of_the_same_run(store: FirestoreMedia, one: FileReference) -> None:
    held = await store.claim(one, NOW, UNTIL)
    for shows in ("A boat.", "Two boats."):
        described = evolve(held.media, description=evolve(SHOWN, shows=shows))
        held = await store.keep(held, described)
    assert await store.find(one.ref.unique_id) == held.media
    with pytest.raises(WriteConflict):
        await store.claim(one, UNTIL, UNTIL)


async def test_a_commit_that_finds_itself_is_done(store: FirestoreMedia, one: FileReference) -> None:
    # as after a lost answer, when the client repeats the request
    held = await store.claim(one, NOW, UNTIL)
    written = evolve(held.media, description=SHOWN)
    after = await store.keep(held, written)
    assert await store.keep(held, written) == after


async def test_who_is_open_is_found_by_file_and_by_time(store: FirestoreMedia, ref: MediaRef) -> None:
    old = NOW - timedelta(days=9_000)  # before what any other test leaves
    late, soon, closed = (reference(ref, new_chat(), at=NOW, try_at=old + n * SECOND, is_open=n < 2) for n in range(3))
    await kept(store.client, late, soon, closed)
    assert {found.id for found in await store.open_references(ref.unique_id)} == {late.id, soon.id}
    assert list(await store.left_over(old + SECOND, 2)) == [late, soon]
    assert await store.left_over(old, 1) == [late]
    await store.put_off([late, soon], NOW)
    assert not {late.id, soon.id} & {one.id for one in await store.left_over(old + SECOND, 10)}
    await store.close([late, soon])
    assert await store.open_references(ref.unique_id) == []


async def test_a_chat_is_told_once_and_its_references_are_closed(
    store: FirestoreMedia, one: FileReference, key: ChatKey
) -> None:
    await kept(store.client, one)
    update = media_described_update([one], SHOWN, NOW)
    for _ in range(2):
        await store.tell(update, [one])
    (found,) = await told(store.client, key)
    assert (found["update_id"], found["read"]) == (update.envelope.update_id, False)
    assert not await is_open(store.client, one)


async def test_a_chat_is_told_in_spite_of_a_reference_that_is_gone(
    store: FirestoreMedia, one: FileReference, key: ChatKey
) -> None:
    gone = evolve(one, person=2)
    await kept(store.client, one)
    await store.tell(media_described_update([one, gone], SHOWN, NOW), [one, gone])
    assert len(await told(store.client, key)) == 1
    assert not await is_open(store.client, one)
    assert not (await store.client.document(paths.reference_path(gone.id)).get()).exists
    await store.put_off([gone], NOW)


async def test_what_is_left_to_be_described_is_left_once(store: FirestoreMedia, ref: MediaRef) -> None:
    one = FileReference(ref=ref, agent="lull", at=NOW, try_at=NOW)
    other = FileReference(ref=evolve(ref, unique_id=f"{ref.unique_id}-2"), agent="lull", at=NOW, try_at=NOW)
    await store.leave([one])
    await store.close([one])
    await store.leave([one, other])
    assert not await is_open(store.client, one)
    assert await is_open(store.client, other)
    await store.close([other])


async def test_what_somebody_wrote_by_hand_is_never_begun(store: FirestoreMedia, one: FileReference) -> None:
    await store.client.document(paths.media_path(one.ref.unique_id)).set({"description": "a cat"})
    kept_ = await store.find(one.ref.unique_id)
    assert kept_ is not None
    assert kept_.description == Description(outcome=DescriptionOutcome.DESCRIBED, shows="a cat", source=CURATED)
    with pytest.raises(WriteConflict):
        await store.claim(one, NOW, UNTIL)


async def test_what_another_version_kept_is_begun_anew(store: FirestoreMedia, one: FileReference) -> None:
    path = paths.media_path(one.ref.unique_id)
    await store.client.document(path).set({"description": 7})
    assert await store.find(one.ref.unique_id) is None
    held = await store.claim(one, NOW, UNTIL)
    assert held.media == StoredMedia(
        unique_id=one.ref.unique_id,
        kind=one.ref.kind,
        tries=1,
        claimed_until=UNTIL,
        claim=held.media.claim,
        updated_at=NOW,
    )
    strange = store.client.document(paths.reference_path(f"strange-{one.id}"))
    await strange.set({"ref": {"unique_id": one.ref.unique_id}, "is_open": True})
    assert await store.open_references(one.ref.unique_id) == []
    await strange.delete()


async def test_what_is_stored_otherwise_holds_nobody_up(
    store: FirestoreMedia, one: FileReference, key: ChatKey
) -> None:
    old = NOW - timedelta(days=9_100)  # before what any other test leaves
    odd = store.client.document(paths.reference_path(f"odd-{one.id}"))
    await odd.set(one.model_dump() | {"chat": "x", "try_at": old})
    bare = store.client.document(paths.reference_path(one.id))
    fields = one.model_dump(exclude={"message_ids"}) | {"try_at": old}
    await bare.set(fields)
    (found,) = await store.left_over(old, 10)
    assert (found.id, found.message_ids) == (one.id, ())
    # a document that cannot be read is not read again each time
    assert ((await odd.get()).to_dict() or {})["try_at"] == old + UNREADABLE_WAITS
    await store.tell(media_described_update([found], SHOWN, NOW), [found])
    assert len(await told(store.client, key)) == 1
    assert not await is_open(store.client, one)
    await odd.delete()
