"""The story of a lost database with every kind of document: the archived data of each kind come back."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from local.cloud import LocalCloud
from shared.chat.lines import NOT_KEPT
from shared.chat.store import paths
from shared.chat.store.conversations import encode_compression
from shared.console.marks import FirestoreMarks
from shared.media.store.curations import CuratedEdit, FirestoreCurations
from shared.privacy.deletion.rules import DELETION_RULES
from shared.privacy.document_files import KINDS, RULES, Archived, rule_of
from shared.values.mark import Mark, Verdict
from shared.values.media import MediaKind
from shared.values.prompt import CompressionSummary
from tests.conftest import HURRIED, SCHEDULED
from tests.forking import forked
from tests.stories.play import Chat, Json, Person, Sandbox, until
from tests.stories.test_access import Owned, owned
from tests.stories.test_restore import FROM, archived, lose_everything, operations

__all__ = ["owned"]

EVER: Final = datetime.min.replace(tzinfo=UTC)
#: the kinds that a restore brings back in full
ARCHIVED: Final = {one.collection for one in RULES if one.archived is not Archived.NOT}
#: fields of a chat about ticks, wakes and buttons, and the generation, which is far higher than before
OF_THE_MOMENT: Final = {"stamp", "generation", *NOT_KEPT}


@pytest.fixture(scope="module")
def cloud() -> Iterator[LocalCloud]:
    """Run a closed cloud whose database may be lost."""
    with LocalCloud(forked(env=HURRIED | {"LULL_OPEN": "no"}, parts=(*SCHEDULED, "storage"))).running() as running:
        yield running


async def documents(sandbox: Sandbox) -> dict[str, dict[str, Json]]:
    """Map each kind to its documents by path."""
    found = defaultdict[str, dict[str, Json]](dict)

    async def below(collections: AsyncIterator[Any]) -> None:
        async for collection in collections:
            async for ref in collection.list_documents():
                kept = await ref.get()
                kind = "/".join(ref.path.split("/")[::2])
                if kept.exists:
                    found[kind][ref.path] = kept.to_dict() or {}
                await below(ref.collections())

    await below(sandbox.firestore.collections())
    return found


async def fill(sandbox: Sandbox, owned: Owned) -> None:
    """Let people act so that each archived kind of document exists."""
    ben, eve = await sandbox.person("Ben"), await sandbox.person("Eve")
    with_ben, with_eve = await sandbox.private(ben), await sandbox.private(eve)
    group = await sandbox.group([owned.olga, ben])
    await owned.chat.writes(owned.olga, "/invite")
    link = (await owned.chat.answers())[0].rsplit("start=", 1)[1]
    await with_ben.writes(ben, f"/start {link}")
    await with_ben.answers()
    await owned.chat.answers()
    await owned.chat.writes(owned.olga, "/invite")  # one that is open still
    await owned.chat.answers()
    await with_eve.writes(eve, "may I come in?")
    await with_eve.answers()

    async def tells(chat: Any, person: Any, text: str, *tasks: Json) -> None:
        seen = len(await chat.said())
        await sandbox.model.will_plan(*tasks, {"kind": "send", "text": "Noted."})
        await chat.writes(person, text)

        async def answered() -> bool:
            return len(await chat.said()) > seen

        await until(answered, f"an answer to {text}")
        await chat.rests()

    reminder = {"kind": "schedule", "text": "Time for tea!", "after": "2 days"}

    async def asks(command: str) -> None:
        seen = len(await with_ben.said())
        await with_ben.writes(ben, command)
        await until(lambda: _more(with_ben, seen), f"an answer to {command}")

    for command in ("/zone Europe/Kyiv", "/pronouns she/her"):
        await asks(command)
    await tells(with_ben, ben, "I cannot bear nuts", {"kind": "remember", "text": "Ben is allergic to nuts."}, reminder)
    known = {"kind": "remember", "text": "The group meets on Fridays.", "scope": "chat"}
    await tells(group, ben, "@lull_bot we meet on Fridays, remember that", known)
    known = {"kind": "remember", "text": "The wifi is boat.", "scope": "agent"}
    await tells(owned.chat, owned.olga, "everyone may know: the wifi is boat", known)
    for chat in (with_ben, with_eve, group, owned.chat):
        await chat.rests()
    await group.writes(ben, "/mute 1h")
    await group.writes(owned.olga, "/zone Europe/Kyiv")
    await owned.chat.writes(owned.olga, "/title boats")
    await with_ben.writes(ben, "/new")
    for chat in (with_ben, group, owned.chat):
        await chat.rests()
    await _becomes_a_supergroup(sandbox, await sandbox.group([owned.olga, ben], type="group"), ben)
    older = CompressionSummary(text="They spoke of boats.", made_at=datetime.now(UTC), up_to_seq=1)
    conversation = (await owned.chat.document())["conversation"]
    await sandbox.firestore.document(paths.compression_path(conversation)).set(encode_compression(older))
    # the owner does these in the console
    edit = CuratedEdit(
        unique_id="unique", kind=MediaKind.PHOTO, description="A boat.", by=owned.olga.id, edited_at=datetime.now(UTC)
    )
    await FirestoreCurations(sandbox.firestore, lambda: datetime.now(UTC)).keep("lull", edit)
    mark = Mark(
        agent="lull",
        chat=owned.chat.chat_key.id,
        conversation=conversation,
        seq=1,
        person=owned.olga.id,
        answered=True,
        verdict=Verdict.RIGHT,
        at=datetime.now(UTC),
        by=owned.olga.id,
    )
    await FirestoreMarks(sandbox.firestore).keep(mark)


async def _becomes_a_supergroup(sandbox: Sandbox, group: Chat, person: Person) -> None:
    await group.writes(person, "hello from the group that was")
    await group.rests()
    made = (await sandbox.telegram.post(f"/world/chats/{group.key}/migrate", json={})).raise_for_status().json()

    async def points_there() -> bool:
        return bool((await group.document()).get("moved_to"))

    await until(points_there, "the old chat points to the new one")
    await replace(group, key=made["key"], id=made["id"]).rests()  # that it came of the old one is noted later


async def plant_all_else(sandbox: Sandbox) -> None:
    """Store a document of each other kind; kinds outside of the archive do not come back."""
    there = await documents(sandbox)
    for rule in DELETION_RULES:
        if not there.get(rule.collection):
            path = "/".join(f"{name}/planted" for name in rule.collection.split("/"))
            await sandbox.firestore.document(path).set({"planted": True})


async def _more(chat: Any, seen: int) -> bool:
    return len(await chat.said()) > seen


async def test_every_kind_of_document_is_there_again_or_is_named_with_a_reason(sandbox: Sandbox, owned: Owned) -> None:
    await fill(sandbox, owned)
    before = await documents(sandbox)
    assert [kind for kind in ARCHIVED if not before[kind]] == [], "the story makes a document of each kind"
    newest = max(one["changed_at"] for one in before["conversations"].values())

    async def has_all() -> bool:
        """Whether the archive has the newest commit, which comes last, and nothing has changed meanwhile."""
        seen = await documents(sandbox)
        for path, cursor in seen["archives"].items():
            if cursor["archive"].endswith(" documents"):
                await sandbox.firestore.document(path).delete()
        await archived(sandbox)
        kept = await documents(sandbox)
        there = {one["archive"]: one["at"] for one in kept["archives"].values()}
        return there.get(FROM, EVER) >= newest and all(seen[kind] == kept[kind] for kind in KINDS)

    await until(has_all, "an archive of all that was said")
    await plant_all_else(sandbox)
    before = await documents(sandbox)
    undecided = {kind for kind in before if rule_of(kind) is None}
    assert undecided == set(), "say in shared/privacy/document_files.py whether an archive has these, or why not"
    assert {one.collection for one in DELETION_RULES} == before.keys()

    await lose_everything(sandbox)
    assert await documents(sandbox) == {}
    code, said = operations(sandbox.cloud, "restore", FROM)
    assert code == 0, said
    after = await documents(sandbox)
    for kind in KINDS:
        assert after[kind] == before[kind], kind
    for kind in ("conversations", "conversations/compression"):
        assert after[kind] == before[kind], kind
    assert _words(after["conversations/messages"]) == _words(before["conversations/messages"])
    assert {path: _lasting(one) for path, one in after["chats"].items()} == {
        path: _lasting(one) for path, one in before["chats"].items()
    }
    # and no other files; deletions have their own
    assert after.keys() == ARCHIVED

    code, said = operations(sandbox.cloud, "restore", FROM)
    assert (code, "ADD=yes" in said, await documents(sandbox)) == (1, True, after)
    code, said = operations(sandbox.cloud, "restore", FROM, "--add")
    assert (code, await documents(sandbox)) == (0, after), said


def _lasting(chat: Json) -> Json:
    """Return the restored fields of a chat: the pointer to its new chat, or all fields that are not temporary."""
    if chat["moved_to"]:
        return {"key": chat["key"], "kind": chat["kind"], "moved_to": chat["moved_to"]}
    return {name: value for name, value in chat.items() if name not in OF_THE_MOMENT}


def _words(pages: dict[str, Json]) -> dict[str, list[Json]]:
    """Map conversations to their entries, as a restore divides pages differently."""
    said = defaultdict[str, list[Json]](list)
    for path, page in sorted(pages.items(), key=lambda one: one[1]["first_seq"]):
        said[path.split("/")[1]] += page["entries"]
    return dict(said)
