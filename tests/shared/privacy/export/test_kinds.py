"""The table in docs/privacy.md names the files of an export for each kind of document. The kind is in these, and in no
others.
"""

from collections.abc import Mapping
from typing import Any

from shared.chat.store import paths
from shared.privacy.deletion.rules import DELETION_RULES
from shared.privacy.export.gathering import README
from shared.privacy.export.sources import SOURCES
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.memory import MemoryOwner, MemoryScope
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia, StoredPart
from tests.shared.examples import NOW
from tests.shared.exports import ExportHarness, said, somebody

#: kinds of documents without personal data
OF_NOBODY = {"budgets", "notices", "archives", "sweeps", "rebuilds", "erasures", "canaries"}
#: kinds of which only the effect is in an export: memberships show in the groups. The progress of an export is not in
#: it
INDIRECT = {"memberships", "takeouts"}


def word(kind: str) -> str:
    """Return a word that only documents of one kind contain."""
    return f"zebra-{kind.replace('/', '-')}-stripe"


async def test_each_kind_is_in_the_files_that_are_named(export_harness: ExportHarness) -> None:
    ann = somebody("Ann")
    planted = await plant(export_harness, ann.id)
    assert planted | OF_NOBODY | INDIRECT == {one.collection for one in DELETION_RULES}, (
        "plant a document of a new kind here"
    )
    (files,) = await export_harness.gathered(ann)
    told = {name: content.decode(errors="replace") for name, content in files.items() if name != README}
    for kind in sorted(planted):
        named = {one.name for one in SOURCES if kind in one.of}
        found = {_source(name) for name, content in told.items() if word(kind) in name + content}
        assert found == named, kind
    assert str(-ann.id) in told["about.jsonl"]


def _source(name: str) -> str:
    return "files" if name.startswith("media/") else name.removesuffix(".jsonl")


async def plant(export_harness: ExportHarness, person: int) -> set[str]:
    """Store a document of each kind with the kind's word. Return the kinds."""
    agent = f"a{person}"
    own, group = ChatKey(agent=agent, chat_id=person), ChatKey(agent=agent, chat_id=-person)
    ann = evolve(somebody("Ann"), id=person)
    spoken = [said(ann, word("conversations/messages"), 1)]
    conversation = await export_harness.talk(own, spoken, title=word("chats"))
    await export_harness.talk(group, [said(ann, "hello", 1)])
    await export_harness.saw(group, ann)
    documents = {
        **_of_chats(own, conversation),
        **_of_conversations(conversation, person, agent),
        **_of_people(person, agent, own),
        **await _of_files(export_harness, person, own),
    }
    for path, document in documents.items():
        await export_harness.client.document(path).set(dict(document), merge=True)
    return {"/".join(path.split("/")[::2]) for path in documents} | {"chats", "conversations/messages"}


def _of_chats(own: ChatKey, conversation: str) -> dict[str, Mapping[str, Any]]:
    return {
        paths.update_path(own, 1): {"body": word("chats/inbox")},
        paths.window_path(own): {"entries": word("chats/window")},
        paths.exchange_path(own, "e"): {"body": word("chats/exchanges")},
        paths.screen_path(own): {"messages": {"1": word("chats/screen")}},
        paths.plan_path(own): {"text": word("plans")},
        paths.past_plan_path(own, "p"): {"text": word("plans/past")},
        paths.summary_path(own.id, "shown"): {"shown": {"7day": {"text": word("summaries")}}},
        paths.entity_path(own): {"title": word("entities")},
        paths.incident_path(f"i{own.chat_id}"): {"chat": own.id, "body": word("incidents")},
        paths.lookup_path(f"https://{own.chat_id}.example"): {"text": word("lookups")},
        paths.usage_path(f"u{own.chat_id}"): {
            "person": own.chat_id, "day": "2026-11-01", "conversation": conversation, "by": word("usage"),
        },
    }  # fmt: skip


def _of_conversations(conversation: str, person: int, agent: str) -> dict[str, Mapping[str, Any]]:
    observed = {
        "id": "o", "conversation": conversation, "agent": agent, "place": "p", "about": [person], "entries": [1],
        "text": word("conversations/observations"), "made_at": NOW,
    }  # fmt: skip
    return {
        paths.conversation_path(conversation): {"title": word("conversations")},
        paths.segment_path(conversation, 1): {"text": word("conversations/segments")},
        paths.observation_path(conversation, "o"): observed,
        paths.compression_path(conversation): {"text": word("conversations/compression")},
    }


def _of_people(person: int, agent: str, own: ChatKey) -> dict[str, Mapping[str, Any]]:
    owners = {
        "people/memories": MemoryOwner(scope=MemoryScope.PERSON, agent=agent, person=person),
        "chats/memories": MemoryOwner(scope=MemoryScope.CHAT, agent=agent, chat_id=-person),
        "bots/memories": MemoryOwner(scope=MemoryScope.AGENT, agent=agent),
    }
    memories = {
        paths.memories_path(owner): {"memories": {"m": {
            "id": "m", "text": word(kind), "scope": owner.scope, "made_at": NOW, "changed_at": NOW,
            "source": {"place": f"{agent}.{person}", "person": person},
        }}}
        for kind, owner in owners.items()
    }  # fmt: skip
    return memories | {
        paths.person_path(person): {"pronouns": word("people")},
        paths.request_path(f"q{person}"): {"person": person, "words": word("requests")},
        paths.mark_path(f"m{person}"): {"person": person, "verdict": word("marks"), "by": 1},
        paths.mark_path(f"by{person}"): {"person": 1, "verdict": word("marks"), "by": person},
        paths.event_path(f"e{person}"): {"person": person, "text": word("events")},
        paths.bot_path(agent): {"people": {str(person): {"name": word("bots")}}},
        paths.console_record_path(f"c{person}"): {"person": person, "about": word("console_records")},
        paths.account_path(agent, person): {"sums": {word("accounts"): 1}},
    }


async def _of_files(export_harness: ExportHarness, person: int, own: ChatKey) -> dict[str, Mapping[str, Any]]:
    part = StoredPart(path=f"of-{person}/0", mime_type="image/jpeg", size=len(word("media")))
    await export_harness.media.put(part, word("media").encode())
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"of-{person}", words=word("references"))
    sent = FileReference(ref=ref, agent=own.agent, chat=own.id, person=person, message_ids=(1,), at=NOW, try_at=NOW)
    edit = {
        "unique_id": ref.unique_id,
        "kind": "photo",
        "description": word("bots/curations"),
        "by": person,
        "edited_at": NOW,
    }
    shown = Description(outcome=DescriptionOutcome.DESCRIBED, shows=word("media"))
    kept = StoredMedia(unique_id=ref.unique_id, kind=ref.kind, parts=(part,), description=shown, updated_at=NOW)
    return {
        paths.reference_path(sent.id): sent.model_dump(),
        paths.media_path(ref.unique_id): kept.model_dump(),
        paths.curations_path(own.agent): {"edits": {ref.unique_id: edit}},
    }
