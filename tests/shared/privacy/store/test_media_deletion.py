"""Files that only one person sent, in the real Firestore."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.media.blobs import StorageBlobs
from shared.media.store.curations import CuratedEdit, FirestoreCurations
from shared.media.store.media import encode_media, encode_reference, merge_document
from shared.privacy.store.media_deletion import AT_ONCE, FirestoreMediaDeletion, SenderFilter
from shared.values.evolve import evolve
from shared.values.media import MediaKind, MediaRef
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia, StoredPart
from tests.shared.examples import NOW
from tests.shared.new_chats import key_of

ANNS = SenderFilter(person=7)


@dataclass
class Bucket(StorageBlobs):
    """A fake bucket of parts, by their names."""

    parts: set[str] = field(default_factory=lambda: {"mine/0", "ours/0"})

    async def delete(self, path: str) -> bool:
        """Delete a part. Return whether it was in the bucket."""
        there = path in self.parts
        self.parts.discard(path)
        return there


async def sent(
    chats: FirestoreChats, name: str, person: int, conversation: str = "", at: datetime = NOW, part: str = "0"
) -> None:
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=name, words="a photo")
    made = FileReference(
        ref=ref, agent="lull", chat=key_of(person).id, conversation=conversation, person=person, at=at, try_at=NOW
    )
    await chats.client.document(paths.reference_path(made.id)).set(encode_reference(made))
    parts = (StoredPart(path=f"{name}/{part}", mime_type="image/png", size=1),)
    media = StoredMedia(unique_id=name, kind=MediaKind.PHOTO, parts=parts, updated_at=NOW)
    await chats.client.document(paths.media_path(name)).set(encode_media(media))


async def test_a_file_that_others_sent_too_stays(chats: FirestoreChats) -> None:
    for name, person in (("mine", 7), ("ours", 7), ("ours", 8)):
        await sent(chats, name, person)
    bucket = Bucket()
    media = FirestoreMediaDeletion(chats.client, bucket)
    files, parts = await media.files_of(ANNS)
    assert (files, parts) == (["mine"], ["mine/0"])
    assert await media.erase(ANNS, files, parts) == {"documents": 3, "files": 1, "objects": 1}
    assert await media.erase(ANNS, files, parts) == {}
    kept = [one.id async for one in chats.client.collection("media").stream()]
    people = [one.get("person") async for one in chats.client.collection("references").stream()]
    assert (kept, people, bucket.parts) == (["ours"], [8], {"ours/0"})


async def test_what_the_owner_wrote_about_a_file_goes_with_it(chats: FirestoreChats) -> None:
    for name, person in (("mine", 7), ("ours", 7), ("ours", 8)):
        await sent(chats, name, person)
    store = FirestoreCurations(chats.client, lambda: NOW)
    for agent, name in (("lull", "mine"), ("lull", "ours"), ("moss", "mine")):
        kept = CuratedEdit(unique_id=name, kind=MediaKind.PHOTO, description="Ann's cat.", by=9, edited_at=NOW)
        await store.keep(agent, kept)
    media = FirestoreMediaDeletion(chats.client, Bucket())
    files, parts = await media.files_of(ANNS)
    assert await media.erase(ANNS, files, parts) == {"documents": 5, "files": 1, "objects": 1}
    after = FirestoreCurations(chats.client, lambda: NOW)
    assert [list(await after.of_agent(agent)) for agent in ("lull", "moss")] == [["ours"], []]


async def test_what_an_owner_wrote_about_files_of_others_goes_with_the_owner(chats: FirestoreChats) -> None:
    await sent(chats, "theirs", 8)
    store, cut = FirestoreCurations(chats.client, lambda: NOW), NOW + timedelta(minutes=1)
    plain = CuratedEdit(unique_id="old", kind=MediaKind.STICKER, description="A cat.", by=7, edited_at=NOW)
    later = evolve(plain, unique_id="new", edited_at=cut + timedelta(minutes=1))
    for edit in (plain, later, evolve(plain, unique_id="of another", by=9)):
        await store.keep("lull", edit)
    whose = replace(ANNS, cut=cut)
    media = FirestoreMediaDeletion(chats.client, Bucket())
    assert await media.erase(whose, (), ()) == {"documents": 1}
    left = await FirestoreCurations(chats.client, lambda: NOW).of_agent("lull")
    assert sorted(left) == ["new", "of another"]
    assert not await media.erase(SenderFilter(conversation="conv-1", cut=cut), (), ()), "nobody is forgotten"


async def test_of_many_files_all_go(chats: FirestoreChats) -> None:
    names = [f"file{number:03}" for number in range(2 * AT_ONCE + 7)]
    await asyncio.gather(*(sent(chats, name, 7) for name in names))
    bucket = Bucket({f"{name}/0" for name in names})
    media = FirestoreMediaDeletion(chats.client, bucket)
    files, parts = await media.files_of(ANNS)
    assert (files, parts) == (names, [f"{name}/0" for name in names])
    count = len(names)
    assert await media.erase(ANNS, files, parts) == {"documents": 2 * count, "files": count, "objects": count}
    assert bucket.parts == set()
    assert [one async for one in chats.client.collection("references").stream()] == []


async def test_of_a_chat_those_go_that_were_sent_nowhere_else(chats: FirestoreChats) -> None:
    await sent(chats, "mine", 7)
    await sent(chats, "ours", 8)
    media, whose = FirestoreMediaDeletion(chats.client, None), SenderFilter(chats=frozenset({key_of(8).id}))
    assert (await media.files_of(whose))[0] == ["ours"]
    assert (await media.erase(whose, ["ours"], ["ours/0"]))["documents"] == 2


async def test_of_a_conversation_those_go_that_were_sent_in_no_other(chats: FirestoreChats) -> None:
    await sent(chats, "mine", 7, "conv-1")
    await sent(chats, "ours", 7, "conv-2")
    media = FirestoreMediaDeletion(chats.client, None)
    whose = SenderFilter(conversation="conv-1")
    files, parts = await media.files_of(whose)
    assert (files, parts) == (["mine"], ["mine/0"])
    assert await media.erase(whose, files, parts) == {"documents": 2, "files": 1}
    assert [one.get("conversation") async for one in chats.client.collection("references").stream()] == ["conv-2"]


async def test_of_a_conversation_that_went_on_in_another_chat_those_of_both_go(chats: FirestoreChats) -> None:
    await sent(chats, "before", 7, "conv-1")
    await sent(chats, "after", 8, "conv-1")
    media, whose = FirestoreMediaDeletion(chats.client, None), SenderFilter(conversation="conv-1")
    files, parts = await media.files_of(whose)
    assert files == ["after", "before"]
    assert (await media.erase(whose, files, parts))["files"] == 2


async def test_a_file_of_the_console_goes_with_its_parts(chats: FirestoreChats) -> None:
    name = "web-" + "a" * 40
    await sent(chats, name, 7)
    bucket = Bucket({f"{name}/0", f"{name}/file"})
    media = FirestoreMediaDeletion(chats.client, bucket)
    files, parts = await media.files_of(ANNS)
    assert (await media.erase(ANNS, files, parts))["objects"] == 2
    assert bucket.parts == set()


async def test_what_was_sent_since_stays_and_what_was_sent_again_too(chats: FirestoreChats) -> None:
    await sent(chats, "old", 7)
    await sent(chats, "both", 7)
    media = FirestoreMediaDeletion(chats.client, Bucket({"old/0", "both/0", "both/1", "new/0"}))
    whose = replace(ANNS, cut=NOW)
    files, parts = await media.files_of(whose)
    assert files == ["both", "old"]
    later = NOW + timedelta(minutes=5)
    await sent(chats, "both", 7, at=later, part="1")
    await sent(chats, "new", 7, at=later)
    assert await media.erase(whose, files, parts) == {"documents": 2, "files": 1, "objects": 1}
    assert [one.id async for one in chats.client.collection("media").stream()] == ["both", "new"]
    assert len([one async for one in chats.client.collection("references").stream()]) == 2


async def test_what_was_sent_after_the_cut_in_a_conversation_that_goes_goes_too(chats: FirestoreChats) -> None:
    later = NOW + timedelta(minutes=5)
    await sent(chats, "mine", 7, "conv-1", at=later)
    await sent(chats, "new", 7, "conv-2", at=later)
    media = FirestoreMediaDeletion(chats.client, None)
    assert (await media.files_of(replace(ANNS, cut=NOW)))[0] == []
    assert (await media.files_of(replace(ANNS, cut=NOW, gone=frozenset({"conv-1"}))))[0] == ["mine"]


async def test_a_file_that_others_only_passed_on_goes_and_what_they_sent_themselves_stays(
    chats: FirestoreChats,
) -> None:
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="hers", words="a photo")
    passed_on = FileReference(
        ref=ref,
        agent="lull",
        chat=key_of(8).id,
        person=8,
        message_ids=(5,),
        at=NOW,
        try_at=NOW,
        passed_on_from=(7,),
        is_own=False,
    )
    hidden = evolve(passed_on, ref=evolve(ref, unique_id="hidden"), passed_on_from=(-9,))
    both = evolve(passed_on, ref=evolve(ref, unique_id="both"))
    others = evolve(passed_on, ref=evolve(ref, unique_id="others"), passed_on_from=(7, 6))
    own = evolve(both, passed_on_from=(), is_own=True)
    for one in (passed_on, hidden, both, own, others, evolve(own, person=9), both):
        batch = chats.client.batch()
        batch.set(chats.client.document(paths.reference_path(one.id)), merge_document(one), merge=True)
        await batch.commit()
    for name in ("hers", "hidden", "both", "others"):
        kept = StoredMedia(unique_id=name, kind=MediaKind.PHOTO, updated_at=NOW)
        await chats.client.document(paths.media_path(name)).set(encode_media(kept))
    media, whose = FirestoreMediaDeletion(chats.client, None), SenderFilter(person=7, names=frozenset({-9}))
    files, parts = await media.files_of(whose)
    assert files == ["hers", "hidden"]
    await media.erase(whose, files, parts)
    stay = [one.id async for one in chats.client.collection("media").stream()]
    left = [one.to_dict() or {} async for one in chats.client.collection("references").stream()]
    assert stay == ["both", "others"]
    told = sorted((one["ref"]["unique_id"], one["person"], *one.get("passed_on_from", ())) for one in left)
    assert told == [("both", 8), ("both", 9), ("others", 8, 6)]
