"""Covers: for every place where lull keeps something, what it holds of a person and how forgetting them reaches it.

Whoever adds a collection to `shared/chat/store/paths.py`, or a bucket, adds its cover here; a test fails until
it is here. Where documents name their person in a field, a cover is one line:

    Cover("usage", "what each turn cost", Way.STRIPPED, field="person", kept=("agent", "day", "usd")),
    Cover("requests", "their wish to be let in", Way.DELETED, field="person"),
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Way(StrEnum):
    """How what a place holds of a person is erased."""

    #: it is part of a chat: it goes with a private chat; in a group what the person said becomes a mark
    WITH_CHAT = "with_chat"
    #: the same, of a conversation and of what is made from it, which is then made again
    WITH_CONVERSATION = "with_conversation"
    #: each document whose `field` is the person's id is deleted
    DELETED = "deleted"
    #: each such document keeps the fields `kept` alone: sums stay, without the person
    STRIPPED = "stripped"
    #: the document is named after the person's id, and is deleted
    NAMED_AFTER = "named_after"
    #: code of its own, in the step of that name (`shared/privacy/jobs/erase.py`)
    BY_STEP = "by_step"
    #: it holds nothing of a person, or what must stay: `holds` says why
    NOTHING = "nothing"


@dataclass(frozen=True)
class Cover:
    """How one place is covered."""

    #: the names of the collections on the way to its documents, as in `chats/inbox`
    collection: str
    #: what it may hold of a person; where nothing is erased, why not
    holds: str
    way: Way
    #: the field that has the person's id, as a number
    field: str = ""
    kept: tuple[str, ...] = ()
    #: of `Way.BY_STEP`
    step: str = ""


@dataclass(frozen=True)
class BucketCover:
    """How the objects of one bucket are covered."""

    #: the bucket by its name in infra/buckets.tf, or of another cloud
    bucket: str
    #: what the names of the objects begin with; empty: of all others
    prefix: str
    holds: str
    way: Way


#: what stays of usage: sums, without the person and the chat
_USAGE: Final = ("id", "agent", "day", "month", "at", "used", "expired", "by", "expires_at")

COVERS: Final = (
    Cover("chats", "titles, names, what is offered by buttons, what was just said", Way.WITH_CHAT),
    Cover("chats/inbox", "what Telegram told, raw, for some days", Way.WITH_CHAT),
    Cover("chats/window", "the newest entries", Way.WITH_CHAT),
    Cover("chats/memories", "what was learned of a chat, with who said it", Way.WITH_CHAT),
    Cover("plans", "what is planned in a chat, or was last", Way.WITH_CHAT),
    Cover("plans/past", "plans that others replaced", Way.WITH_CHAT),
    Cover("summaries", "what was said in a chat in some days", Way.WITH_CHAT),
    Cover("entities", "how many are in a chat; sticker sets", Way.WITH_CHAT),
    Cover("conversations", "title, first words, abbreviation, its vector", Way.WITH_CONVERSATION),
    Cover("conversations/messages", "the transcript, and whom it names", Way.WITH_CONVERSATION),
    Cover("conversations/segments", "what is searched: texts, terms, vectors", Way.WITH_CONVERSATION),
    Cover("conversations/observations", "statements about people", Way.WITH_CONVERSATION),
    Cover("conversations/compression", "the summary of the older part", Way.WITH_CONVERSATION),
    Cover("people", "pronouns, time zone, how much was sent and read today", Way.NAMED_AFTER),
    Cover("people/memories", "what was learned of a person", Way.NAMED_AFTER),
    Cover("requests", "their wish to be let in, with their first words", Way.DELETED, field="person"),
    Cover("events", "reminders", Way.DELETED, field="person"),
    Cover("memberships", "in which groups they were seen", Way.DELETED, field="person"),
    Cover("takeouts", "how far what they asked for by /export is", Way.DELETED, field="person"),
    Cover("references", "which files they sent", Way.BY_STEP, step="media"),
    Cover("media", "what files show and say", Way.BY_STEP, step="media"),
    Cover("lookups", "what services said, for some hours: it may repeat a question", Way.BY_STEP, step="lookups"),
    Cover("incidents", "updates that could not be handled, raw", Way.BY_STEP, step="incidents"),
    Cover("bots", "who is let in or blocked, flood waits; ids of owner and blocked stay", Way.BY_STEP, step="bots"),
    Cover("bots/memories", "what the owner had an agent know", Way.BY_STEP, step="bots"),
    Cover("usage", "what a person's answers cost, in which chat", Way.STRIPPED, field="person", kept=_USAGE),
    Cover("accounts", "sums of a month under a hash of a person; else forgetting renewed a limit", Way.NOTHING),
    Cover("budgets", "sums of all; which chats borrow just now, for half an hour", Way.NOTHING),
    Cover("notices", "that an owner was told of a trouble: its kind and its day, of nobody", Way.NOTHING),
    Cover("archives", "how far each archive came", Way.NOTHING),
    Cover("sweeps", "how far the sweep came", Way.NOTHING),
    Cover("rebuilds", "how far a rebuilding came", Way.NOTHING),
    Cover("erasures", "who was forgotten, and when: by it a restored backup is erased again", Way.NOTHING),
    Cover("canaries", "what the last canary saw: its own update", Way.NOTHING),
)  # fmt: skip

BUCKETS: Final = (
    BucketCover("media", "", "what models are shown of files", Way.BY_STEP),
    BucketCover("archive", "conversations/", "transcripts and other documents, every version", Way.WITH_CONVERSATION),
    BucketCover("takeouts", "", "what they asked for by /export, until it is sent", Way.BY_STEP),
    BucketCover("erasures", "", "who was forgotten, and when: by it a restored backup is erased again", Way.NOTHING),
    BucketCover("sources", "", "lull's own code", Way.NOTHING),
)


def cover_of(path: str) -> Cover | None:
    """The cover of a document or a collection, by its path; none: nobody has said how it is erased."""
    collection = "/".join(path.split("/")[::2])
    return next((one for one in COVERS if one.collection == collection), None)
