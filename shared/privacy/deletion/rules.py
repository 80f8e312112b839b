"""Deletion rules: which data about a person a collection contains, and how that data is deleted.

A new collection in `shared/chat/store/paths.py` needs a rule here. Without a rule, a test fails. If the documents of a
collection have the person's id in a field, the rule is one line:

    DeletionRule("votes", "what a person voted for", DeletionMethod.DELETED, field="person"),
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class DeletionMethod(StrEnum):
    """The ways to delete a person's data from a collection."""

    #: Deleted together with a private chat. In a group, the person's words are replaced by a mark.
    WITH_CHAT = "with_chat"
    #: Deleted in the same way with a conversation. Data derived from the conversation is then made again.
    WITH_CONVERSATION = "with_conversation"
    #: Each document with the person's id in its `field` or `maker_field` is deleted.
    DELETED = "deleted"
    #: Of each document with the person's id in its `field`, only the fields `kept` stay: sums that do not name the
    #: person.
    STRIPPED = "stripped"
    #: The document whose name is the person's id is deleted.
    NAMED_BY_ID = "named_after"
    #: Deleted by code of its own, in the step with this name (`shared/privacy/jobs/erase.py`).
    BY_STEP = "by_step"
    #: Nothing is deleted; `holds` gives the reason.
    NOTHING = "nothing"


@dataclass(frozen=True)
class DeletionRule:
    """The rule for one collection: how its data is treated when a person is forgotten."""

    #: names of the collections on the path to the documents, as in `chats/inbox`
    collection: str
    #: the data about a person that the collection may contain, or the reason why nothing is deleted
    holds: str
    method: DeletionMethod
    #: name of the field with the person's id, a number
    field: str = ""
    #: name of the field with the id of the owner who made the document
    maker_field: str = ""
    kept: tuple[str, ...] = ()
    #: name of the step of the deletion, for `DeletionMethod.BY_STEP`
    step: str = ""


#: fields of usage that stay: the sums, without the person and the chat
_USAGE: Final = ("id", "agent", "day", "month", "at", "used", "expired", "by", "models", "expires_at")

DELETION_RULES: Final = (
    DeletionRule("chats", "titles, names, offers of buttons, the latest messages", DeletionMethod.WITH_CHAT),
    DeletionRule("chats/inbox", "updates as Telegram sent them, for some days", DeletionMethod.WITH_CHAT),
    DeletionRule("chats/window", "the newest entries", DeletionMethod.WITH_CHAT),
    DeletionRule("chats/screen", "the agent's newest messages in a web conversation", DeletionMethod.WITH_CHAT),
    DeletionRule(
        "chats/exchanges",
        "exchanges with models, word for word, for as long as the owner has switched that on",
        DeletionMethod.WITH_CHAT,
    ),
    DeletionRule("chats/memories", "facts about a chat, and the person who said each", DeletionMethod.WITH_CHAT),
    DeletionRule("plans", "the current or last plan of a chat", DeletionMethod.WITH_CHAT),
    DeletionRule("plans/past", "earlier plans, each replaced by a newer one", DeletionMethod.WITH_CHAT),
    DeletionRule("summaries", "summaries of a chat's last 7 and 30 days", DeletionMethod.WITH_CHAT),
    DeletionRule("entities", "the number of members of a chat; sticker sets", DeletionMethod.WITH_CHAT),
    DeletionRule(
        "conversations",
        "title, first and last words, latest authors, notes and their vector, counts of decisions and answers",
        DeletionMethod.WITH_CONVERSATION,
    ),
    DeletionRule(
        "conversations/messages", "the transcript, and the people whom it names", DeletionMethod.WITH_CONVERSATION
    ),
    DeletionRule("conversations/segments", "the search index: texts, terms, vectors", DeletionMethod.WITH_CONVERSATION),
    DeletionRule("conversations/observations", "statements about people", DeletionMethod.WITH_CONVERSATION),
    DeletionRule("conversations/compression", "the summaries of the older part", DeletionMethod.WITH_CONVERSATION),
    DeletionRule("people", "pronouns, time zone, counts of messages and reads of today", DeletionMethod.NAMED_BY_ID),
    DeletionRule("people/memories", "facts about a person", DeletionMethod.NAMED_BY_ID),
    DeletionRule(
        "requests",
        "the person's request to be admitted, with their first words",
        DeletionMethod.DELETED,
        field="person",
    ),
    DeletionRule("events", "reminders", DeletionMethod.DELETED, field="person"),
    DeletionRule("memberships", "the groups in which the person was seen", DeletionMethod.DELETED, field="person"),
    DeletionRule("takeouts", "the progress of the person's `/export`", DeletionMethod.DELETED, field="person"),
    DeletionRule(
        "marks",
        "the owner's verdicts on decisions and answers, and the people whose messages these are about",
        DeletionMethod.DELETED,
        field="person",
        maker_field="by",
    ),
    DeletionRule("references", "the files that the person sent", DeletionMethod.BY_STEP, step="media"),
    DeletionRule("media", "descriptions of files", DeletionMethod.BY_STEP, step="media"),
    DeletionRule(
        "bots/curations",
        "descriptions of files that the owner wrote",
        DeletionMethod.BY_STEP,
        step="media",
    ),
    DeletionRule(
        "lookups",
        "answers of services, for some hours; an answer may repeat the question",
        DeletionMethod.BY_STEP,
        step="lookups",
    ),
    DeletionRule(
        "incidents",
        "updates that could not be handled, as Telegram sent them",
        DeletionMethod.BY_STEP,
        step="incidents",
    ),
    DeletionRule(
        "bots",
        "admitted and blocked people, flood waits; the ids of the owner and of blocked people stay",
        DeletionMethod.BY_STEP,
        step="bots",
    ),
    DeletionRule("bots/memories", "facts that the owner gave to an agent", DeletionMethod.BY_STEP, step="bots"),
    DeletionRule(
        "usage", "the cost of answers to a person, by chat", DeletionMethod.STRIPPED, field="person", kept=_USAGE
    ),
    DeletionRule(
        "accounts",
        "sums of a month by a hash of the person, so that `/forget` does not reset a limit",
        DeletionMethod.NOTHING,
    ),
    DeletionRule(
        "budgets",
        "sums of all people; chats that have borrowed from a budget in the last half hour",
        DeletionMethod.NOTHING,
    ),
    DeletionRule(
        "notices",
        "kind and day of the problems that owners were notified of; nothing about a person",
        DeletionMethod.NOTHING,
    ),
    DeletionRule(
        "console_records",
        "what an owner did and looked at in the console: the time, the button, and the id of what it was about",
        DeletionMethod.DELETED,
        field="person",
    ),
    DeletionRule("archives", "the progress of each archive", DeletionMethod.NOTHING),
    DeletionRule("sweeps", "the progress of the sweep", DeletionMethod.NOTHING),
    DeletionRule("rebuilds", "the progress of `make rebuild`", DeletionMethod.NOTHING),
    DeletionRule(
        "erasures", "ids of forgotten people, and times: a restore erases these people again", DeletionMethod.NOTHING
    ),
    DeletionRule("canaries", "the report of the last canary, about its own update only", DeletionMethod.NOTHING),
)
