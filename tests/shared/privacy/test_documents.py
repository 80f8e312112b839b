"""Documents in a file of an archive, and the documents of an older file that may not be restored."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from shared.base.errors import TranscriptUnreadable
from shared.privacy.document_files import documents_content, read_documents, without_forgotten
from shared.values.chat_key import ChatKey
from shared.values.deletion import Deletion, DeletionScope
from shared.values.transcript import StoredDocument, Vector
from tests.shared.examples import NOW

AFTER, BEFORE = NOW + timedelta(hours=1), NOW - timedelta(hours=1)


def test_they_come_back_as_they_were_and_the_same_is_the_same_file() -> None:
    fields = {"at": NOW, "list": [1, "ü", None], "map": {"$x": 1.5}, "vector": Vector([1.0, 2.0]), "bytes": b"b"}
    those = [StoredDocument("people/2", fields), StoredDocument("people/1", {})]
    content = documents_content("people", NOW, those)
    assert documents_content("people", NOW, reversed(those)) == content
    made_at, found = read_documents(content, lambda line, what: pytest.fail(f"{line} {what}"))
    assert made_at == NOW
    assert found == those[::-1]


def test_a_corrupt_line_costs_itself_and_a_file_without_a_head_everything() -> None:
    content = documents_content("people", NOW, [StoredDocument("people/1", {"zone": "UTC"})])
    told: list[int] = []
    broken = content + b'{"path"\n[1]\n{"path": "bots/lull", "fields": {"owner": 7}}\n'
    assert len(read_documents(broken, lambda line, _: told.append(line))[1]) == 1
    assert told == [3, 4, 5]
    for other in (b"", b"[]", b'{"type": "documents"}', b'{"type": "meta", "collection": "a", "made": "2026-01-01"}'):
        with pytest.raises(TranscriptUnreadable):
            read_documents(other, lambda *_: None)


def forgotten(scope: DeletionScope, chat: str = "lull.7", **more: Any) -> Deletion:
    person = 7 if scope is DeletionScope.PERSON else 0
    return Deletion(id="e", scope=scope, person=person, chat=chat, asked_at=NOW, cut=NOW, due_at=None, **more)


PERSON = forgotten(DeletionScope.PERSON)
ROOM = ChatKey(agent="lull", chat_id=-5).id
GROUP = forgotten(DeletionScope.GROUP, ROOM)
CONVERSATION = forgotten(DeletionScope.CONVERSATION, conversation="conv-x")


def memory(person: int, place: str = "lull.7", conversation: str = "") -> dict[str, Any]:
    return {"text": "tea", "source": {"person": person, "place": place, "conversation": conversation}}


@pytest.mark.parametrize(
    ("deletion", "path", "fields", "left"),
    [
        (PERSON, "people/7", {"zone": "UTC"}, None),
        (PERSON, "people/8", {"zone": "UTC"}, {"zone": "UTC"}),
        (PERSON, "people/7/memories/lull", {"memories": {"m": memory(8)}}, None),
        (PERSON, "events/r", {"person": 7}, None),
        (PERSON, "events/r", {"person": 8}, {"person": 8}),
        (PERSON, "memberships/m", {"person": 7}, None),
        (PERSON, "requests/q", {"person": 7}, None),
        (
            PERSON, f"chats/{ROOM}/memories/current", {"memories": {"a": memory(7), "b": memory(8)}},
            {"memories": {"b": memory(8)}},
        ),
        (PERSON, "bots/lull/memories/current", {"memories": {"a": memory(7)}}, None),
        (
            PERSON, "bots/lull",
            {
                "owner": 7, "people": {"7": {"name": "Ann"}, "8": {"name": "Bob"}},
                "blocked": {"7": {"name": "Ann", "n": 1}},
            },
            {"owner": 7, "people": {"8": {"name": "Bob"}}, "blocked": {"7": {"name": "", "why": "", "n": 1}}},
        ),
        (GROUP, "memberships/m", {"agent": "lull", "chat_id": -5, "person": 8}, None),
        (GROUP, "memberships/m", {"agent": "moss", "chat_id": -5}, {"agent": "moss", "chat_id": -5}),
        (GROUP, "events/r", {"chat": ChatKey(agent="lull", chat_id=-5, topic_id=9).id}, None),
        (GROUP, f"chats/{ROOM}/memories/current", {"memories": {"a": memory(8)}}, None),
        (
            GROUP, "people/8/memories/lull", {"memories": {"a": memory(8, "lull.-5"), "b": memory(8)}},
            {"memories": {"b": memory(8)}},
        ),
        (GROUP, "bots/lull", {"groups": {"-5": {"title": "We", "n": 1}}}, {"groups": {"-5": {"title": "", "n": 1}}}),
        (CONVERSATION, "events/r", {"conversation": "conv-x"}, None),
        (
            CONVERSATION, "people/8/memories/lull",
            {"memories": {"a": memory(8, conversation="conv-x"), "b": memory(8)}}, {"memories": {"b": memory(8)}},
        ),
        (
            PERSON, "bots/lull/curations/current", {"edits": {"a": {"kind": "photo"}, "b": {"kind": "sticker"}}},
            {"edits": {"b": {"kind": "sticker"}}},
        ),
        (
            PERSON, "bots/lull/curations/current",
            {"edits": {"a": {"kind": "sticker", "by": 7}, "b": {"kind": "sticker", "by": 9}}},
            {"edits": {"b": {"kind": "sticker", "by": 9}}},
        ),
        (PERSON, "marks/a", {"person": 8, "by": 7}, None),
        (PERSON, "marks/a", {"person": 8, "by": 9}, {"person": 8, "by": 9}),
        (CONVERSATION, "bots/lull", {"people": {"7": {}}}, {"people": {"7": {}}}),
    ],
)  # fmt: skip
def test_who_was_forgotten_does_not_come_back_by_an_older_file(
    deletion: Deletion, path: str, fields: Mapping[str, Any], left: Mapping[str, Any] | None
) -> None:
    document = StoredDocument(path, fields)
    found = without_forgotten(document, BEFORE, [deletion])
    assert (found.fields if found is not None else None) == left
    assert without_forgotten(document, AFTER, [deletion]) == document, "what is of after it stays"
