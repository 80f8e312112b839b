"""The story of a lost database that held everything: what is kept of each kind of document is there again."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from local.cloud import LocalCloud
from shared.archiving.documents import KINDS, Archived, rule_of
from tests.conftest import HURRIED, SCHEDULED
from tests.forking import forked
from tests.stories.play import Json, Stage, until
from tests.stories.test_access import Owned, owned
from tests.stories.test_restore import FROM, archived, lose_everything, operations

__all__ = ["owned"]


@pytest.fixture(scope="module")
def cloud() -> Iterator[LocalCloud]:
    """A closed cloud, whose database may be lost."""
    with LocalCloud(forked(env=HURRIED | {"LULL_OPEN": "no"}, parts=(*SCHEDULED, "storage"))).running() as running:
        yield running


async def documents(stage: Stage) -> dict[str, dict[str, Json]]:
    """Every document of the database, by its kind and its path."""
    found = defaultdict[str, dict[str, Json]](dict)

    async def below(collections: AsyncIterator[Any]) -> None:
        async for collection in collections:
            async for ref in collection.list_documents():
                kept = await ref.get()
                kind = "/".join(ref.path.split("/")[::2])
                if kept.exists:
                    found[kind][ref.path] = kept.to_dict() or {}
                await below(ref.collections())

    await below(stage.firestore.collections())
    return found


async def fill(stage: Stage, owned: Owned) -> None:
    """Have people do what makes each kind of document that an archive has."""
    ben, eve = await stage.person("Ben"), await stage.person("Eve")
    with_ben, with_eve = await stage.private(ben), await stage.private(eve)
    group = await stage.group([owned.olga, ben])
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
        await stage.model.will_plan(*tasks, {"kind": "send", "text": "Noted."})
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


async def _more(chat: Any, seen: int) -> bool:
    return len(await chat.said()) > seen


async def test_every_kind_of_document_is_there_again_or_is_named_with_a_reason(stage: Stage, owned: Owned) -> None:
    await fill(stage, owned)
    await asyncio.sleep(6)  # a commit is archived when it has settled
    assert await until(lambda: archived(stage), "archived conversations")
    before = await documents(stage)
    undecided = {kind for kind in before if rule_of(kind) is None}
    assert undecided == set(), "say in shared/archiving/documents.py whether an archive has these, or why not"
    assert [kind for kind in KINDS if not before[kind]] == [], "the story makes a document of each kind"

    await lose_everything(stage)
    assert await documents(stage) == {}
    code, said = operations(stage.cloud, "restore", FROM)
    assert code == 0, said
    after = await documents(stage)
    for kind in KINDS:
        assert after[kind] == before[kind], kind
    for kind, kept in before.items():
        rule = rule_of(kind)
        if rule is not None and rule.archived is Archived.WITH_CONVERSATION:
            assert _counted(kept).keys() <= after[kind].keys() | _rewritten(kind, kept), kind
    chats = before["chats"]
    assert {path: _settings(one) for path, one in after["chats"].items()} == {
        path: _settings(one) for path, one in chats.items() if one.get("conversation")
    }
    assert _words(after["conversations/messages"]) == _words(before["conversations/messages"])


def _counted(kept: dict[str, Json]) -> dict[str, Json]:
    return {path: one for path, one in kept.items() if not path.startswith("chats/") or one.get("conversation")}


def _rewritten(kind: str, kept: dict[str, Json]) -> set[str]:
    """The pages of a transcript, which are cut anew."""
    return set(kept) if kind == "conversations/messages" else set()


def _settings(chat: Json) -> Json:
    kept = (
        "key",
        "kind",
        "title",
        "conversation",
        "seq",
        "turn",
        "model",
        "group_zone",
        "last_language",
        "muted_until",
    )
    return {name: chat.get(name) for name in kept}


def _words(pages: dict[str, Json]) -> dict[str, list[str]]:
    said = defaultdict[str, list[str]](list)
    for path, page in sorted(pages.items()):
        said[path.split("/")[1]] += [str(entry.get("text", "")) for entry in page["entries"]]
    return dict(said)
