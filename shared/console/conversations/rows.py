"""Rows of the list of conversations: what a row shows, and which rows a filter accepts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pydantic import ValidationError

from shared.base.text import abridge
from shared.console.conversations.store import ListedConversation
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.conversation_row import LastWords, RowAuthor
from shared.values.trust import AccessList, TrustTier

_NOBODY: Final[tuple[RowAuthor, ...]] = ()
#: characters of topics and titles in a row
TITLE_CHARACTERS: Final = 120


@dataclass(frozen=True, kw_only=True)
class RowFilter:
    """The owner's choice of conversations: those of a trust tier, or all except external communication.

    External communication is a chat that the agent does not answer: with a stranger, or with a blocked person.
    """

    tier: TrustTier | None = None

    def passes(self, row: Mapping[str, Any]) -> bool:
        """Return whether the filter accepts a row."""
        if self.tier is not None:
            return bool(row["tier"] == self.tier.value)
        return not row["is_external"]


def row_of(stored: ListedConversation, access_list: AccessList) -> dict[str, Any] | None:
    """Return a conversation's row; None if its document names no chat. Documents of earlier versions lack most fields.

    `access_list` belongs to the conversation's agent.
    """
    key = key_of(stored)
    if key is None:
        return None
    fields, kind = stored.fields, kind_of(stored, key)
    turns, authors = _number(fields.get("turns")), authors_in(fields)
    last = _last_words(fields.get("last_words"))
    tier = tier_in(key, access_list)
    return {
        "id": stored.id,
        "agent": key.agent,
        "chat": key.id,
        "channel": key.channel.value,
        "kind": kind.value,
        "who": who_in(key, kind, fields, authors, access_list),
        "title": _text(fields.get("title")) or None,
        "is_named": fields.get("manually_named") is True,
        "opening": _text(fields.get("opening")),
        "topics": [_text(one) for one in fields.get("topics") or () if isinstance(one, str)],
        "last": last.model_dump(mode="json") if last is not None else None,
        "updated": moment_text(fields.get("updated_at")),
        "turns": turns,
        "entries": _number(fields.get("entries")),
        "unread": unread_turns(fields, key, access_list.owner),
        "cost": cost_in(fields),
        "is_cost_partial": fields.get("is_cost_partial") is True,
        "tier": tier.value,
        "is_external": fields.get("is_turned_away") is True or tier is TrustTier.BLOCKED,
        "is_current": fields.get("is_current") is True,
    }


def key_of(stored: ListedConversation) -> ChatKey | None:
    """Return the key of a conversation's chat; None if the document names none."""
    try:
        return ChatKey.from_id(str(stored.fields.get("chat", "")))
    except ValueError:
        return None


def kind_of(stored: ListedConversation, key: ChatKey) -> ChatKind:
    """Return the kind of a conversation's chat. If the document has none, the kind is derived from the chat's id."""
    known = stored.fields.get("chat_kind")
    found = next((one for one in ChatKind if one.value == known), ChatKind.NONE)
    if found is not ChatKind.NONE:
        return found
    if key.is_direct:
        return ChatKind.DIRECT
    return ChatKind.PRIVATE if key.is_private else ChatKind.GROUP


def tier_in(key: ChatKey, access_list: AccessList) -> TrustTier:
    """Return the trust tier of a private chat's person. A group is `known` if it is admitted, else `stranger`."""
    return access_list.tier_of(max(key.chat_id, 0), min(key.chat_id, 0))


def who_in(
    key: ChatKey, kind: ChatKind, fields: Mapping[str, Any], authors: tuple[RowAuthor, ...], access_list: AccessList
) -> str:
    """Return the name of a private chat's person, or a group's title; "" if unknown."""
    if not kind.is_of_one:
        group = access_list.groups.get(key.chat_id)
        return _text(fields.get("chat_title")) or (group.title if group is not None else "")
    person = access_list.people.get(key.chat_id) or access_list.blocked.get(key.chat_id)
    named = next((one.name for one in authors if key.is_direct or one.id == key.chat_id), "")
    return named or (person.name if person is not None else "")


def unread_turns(fields: Mapping[str, Any], key: ChatKey, owner: int) -> int:
    """Return how many turns the owner has not seen; 0 for their chat with the agent, which they read in Telegram."""
    if key.chat_id == owner and not key.is_direct:
        return 0
    return max(0, _number(fields.get("turns")) - _number(fields.get("looked_turn")))


def cost_in(fields: Mapping[str, Any]) -> float | None:
    """Return the known cost of a conversation's answers in US dollars; None if no cost is known."""
    cost = fields.get("cost")
    return round(float(cost), 9) if isinstance(cost, int | float) and not isinstance(cost, bool) else None


def moment_text(moment: object) -> str:
    """Return a stored time as ISO 8601; "" if the value is not a time."""
    return moment.isoformat() if isinstance(moment, datetime) else ""


def _text(value: object) -> str:
    return abridge(value, TITLE_CHARACTERS) if isinstance(value, str) else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def authors_in(fields: Mapping[str, Any]) -> tuple[RowAuthor, ...]:
    """Return the people who wrote last in a conversation, the latest first."""
    stored = fields.get("authors")
    try:
        return tuple(RowAuthor.model_validate(one) for one in stored) if isinstance(stored, list) else _NOBODY
    except ValidationError:
        return _NOBODY


def _last_words(stored: object) -> LastWords | None:
    try:
        return LastWords.model_validate(stored) if stored else None
    except ValidationError:
        return None
