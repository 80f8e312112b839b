"""Deletion rules: for each collection and bucket, the data that it has about a person, and how that data is deleted.

A new collection in `shared/chat/store/paths.py`, or a new bucket, needs a rule here; a test fails without one. If its
documents have the person's id in a field, the rule is one line:

    DeletionRule("votes", "what a person voted for", DeletionMethod.DELETED, field="person"),
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class DeletionMethod(StrEnum):
    """The ways to delete a person's data from a collection."""

    #: Deleted with a private chat. In a group, the person's words are replaced by a mark.
    WITH_CHAT = "with_chat"
    #: The same for a conversation and its derived data, which is then rebuilt.
    WITH_CONVERSATION = "with_conversation"
    #: Each document whose `field` holds the person's id is deleted.
    DELETED = "deleted"
    #: Each such document keeps only the fields `kept`: sums without the person.
    STRIPPED = "stripped"
    #: The document whose name is the person's id is deleted.
    NAMED_BY_ID = "named_after"
    #: Deleted by separate code, in the step of that name (`shared/privacy/jobs/erase.py`).
    BY_STEP = "by_step"
    #: Nothing is deleted; `holds` says why.
    NOTHING = "nothing"


@dataclass(frozen=True)
class DeletionRule:
    """The rule by which one collection is treated when a person is forgotten."""

    #: names of the collections on the path to its documents, as in `chats/inbox`
    collection: str
    #: the data that it may have about a person, or the reason why nothing is deleted
    holds: str
    method: DeletionMethod
    #: field with the person's id, a number
    field: str = ""
    kept: tuple[str, ...] = ()
    #: step of the deletion, for `DeletionMethod.BY_STEP`
    step: str = ""


@dataclass(frozen=True)
class BucketDeletionRule:
    """The rule by which one bucket is treated when a person is forgotten."""

    #: name of the bucket in infra/buckets.tf, or in another cloud
    bucket: str
    #: prefix of the objects' names; empty for all others
    prefix: str
    holds: str
    method: DeletionMethod


#: fields of usage that stay: sums without the person and the chat
_USAGE: Final = ("id", "agent", "day", "month", "at", "used", "expired", "by", "expires_at")

DELETION_RULES: Final = (
    DeletionRule("chats", "titles, names, what is offered by buttons, what was just said", DeletionMethod.WITH_CHAT),
    DeletionRule("chats/inbox", "what Telegram told, raw, for some days", DeletionMethod.WITH_CHAT),
    DeletionRule("chats/window", "the newest entries", DeletionMethod.WITH_CHAT),
    DeletionRule("chats/memories", "what was learned of a chat, with who said it", DeletionMethod.WITH_CHAT),
    DeletionRule("plans", "what is planned in a chat, or was last", DeletionMethod.WITH_CHAT),
    DeletionRule("plans/past", "plans that others replaced", DeletionMethod.WITH_CHAT),
    DeletionRule("summaries", "what was said in a chat in some days", DeletionMethod.WITH_CHAT),
    DeletionRule("entities", "how many are in a chat; sticker sets", DeletionMethod.WITH_CHAT),
    DeletionRule("conversations", "title, first words, abbreviation, its vector", DeletionMethod.WITH_CONVERSATION),
    DeletionRule("conversations/messages", "the transcript, and whom it names", DeletionMethod.WITH_CONVERSATION),
    DeletionRule("conversations/segments", "what is searched: texts, terms, vectors", DeletionMethod.WITH_CONVERSATION),
    DeletionRule("conversations/observations", "statements about people", DeletionMethod.WITH_CONVERSATION),
    DeletionRule("conversations/compression", "the summary of the older part", DeletionMethod.WITH_CONVERSATION),
    DeletionRule("people", "pronouns, time zone, how much was sent and read today", DeletionMethod.NAMED_BY_ID),
    DeletionRule("people/memories", "what was learned of a person", DeletionMethod.NAMED_BY_ID),
    DeletionRule("requests", "their wish to be let in, with their first words", DeletionMethod.DELETED, field="person"),
    DeletionRule("events", "reminders", DeletionMethod.DELETED, field="person"),
    DeletionRule("memberships", "in which groups they were seen", DeletionMethod.DELETED, field="person"),
    DeletionRule("takeouts", "how far what they asked for by /export is", DeletionMethod.DELETED, field="person"),
    DeletionRule("references", "which files they sent", DeletionMethod.BY_STEP, step="media"),
    DeletionRule("media", "what files show and say", DeletionMethod.BY_STEP, step="media"),
    DeletionRule(
        "lookups",
        "what services said, for some hours: it may repeat a question",
        DeletionMethod.BY_STEP,
        step="lookups",
    ),
    DeletionRule("incidents", "updates that could not be handled, raw", DeletionMethod.BY_STEP, step="incidents"),
    DeletionRule(
        "bots",
        "who is let in or blocked, flood waits; ids of owner and blocked stay",
        DeletionMethod.BY_STEP,
        step="bots",
    ),
    DeletionRule("bots/memories", "what the owner had an agent know", DeletionMethod.BY_STEP, step="bots"),
    DeletionRule(
        "usage", "what a person's answers cost, in which chat", DeletionMethod.STRIPPED, field="person", kept=_USAGE
    ),
    DeletionRule(
        "accounts", "sums of a month under a hash of a person; else forgetting renewed a limit", DeletionMethod.NOTHING
    ),
    DeletionRule("budgets", "sums of all; which chats borrow just now, for half an hour", DeletionMethod.NOTHING),
    DeletionRule(
        "notices", "that an owner was told of a trouble: its kind and its day, of nobody", DeletionMethod.NOTHING
    ),
    DeletionRule("archives", "how far each archive came", DeletionMethod.NOTHING),
    DeletionRule("sweeps", "how far the sweep came", DeletionMethod.NOTHING),
    DeletionRule("rebuilds", "how far a rebuilding came", DeletionMethod.NOTHING),
    DeletionRule(
        "erasures", "who was forgotten, and when: by it a restored backup is erased again", DeletionMethod.NOTHING
    ),
    DeletionRule("canaries", "what the last canary saw: its own update", DeletionMethod.NOTHING),
)

BUCKET_RULES: Final = (
    BucketDeletionRule("media", "", "what models are shown of files", DeletionMethod.BY_STEP),
    BucketDeletionRule(
        "archive", "conversations/", "transcripts and other documents, every version", DeletionMethod.WITH_CONVERSATION
    ),
    BucketDeletionRule("takeouts", "", "what they asked for by /export, until it is sent", DeletionMethod.BY_STEP),
    BucketDeletionRule(
        "erasures", "", "who was forgotten, and when: by it a restored backup is erased again", DeletionMethod.NOTHING
    ),
    BucketDeletionRule("sources", "", "lull's own code", DeletionMethod.NOTHING),
)


def deletion_rule_of(path: str) -> DeletionRule | None:
    """Return the rule for a document or a collection, given by its path. None if there is no rule."""
    collection = "/".join(path.split("/")[::2])
    return next((one for one in DELETION_RULES if one.collection == collection), None)
