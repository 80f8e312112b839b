"""A batch: the updates that one round of a tick takes in, as entries with a decision on each message."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.deciding.rules import Self, decide
from shared.inbox.entries import entries_of
from shared.inbox.text import clean
from shared.models.chat import ChatKind
from shared.models.message import AnyEntry, Edit, Message
from shared.models.update import InboxUpdate


@dataclass(frozen=True, kw_only=True)
class Batch:
    """What was taken in: the update ids, their entries, and what the updates say of the chat."""

    update_ids: tuple[int, ...]
    entries: tuple[AnyEntry, ...]
    kind: ChatKind
    title: str

    @property
    def targets(self) -> tuple[Message, ...]:
        """The messages to be answered, oldest first."""
        messages = (entry for entry in self.entries if isinstance(entry, Message))
        return tuple(m for m in messages if m.decision is not None and m.decision.respond)

    def calls_for_another_plan(self, earlier: "Batch") -> bool:
        """Whether what came since an earlier reading changes what is to be answered.

        It does when there is more to answer, when somebody who is being answered wrote on, or changed the question.
        """
        asking = {m.author.id for m in earlier.targets}
        asked = {m.message_id for m in earlier.targets}
        newer = [e for e in self.entries if not set(e.updates) <= set(earlier.update_ids)]
        wrote_on = any(isinstance(e, Message) and e.author.id in asking for e in newer)
        changed = any(isinstance(e, Edit) and e.message_id in asked for e in newer)
        return len(self.targets) > len(earlier.targets) or wrote_on or changed


def read_batch(updates: Sequence[InboxUpdate], me: Self) -> Batch:
    """The batch of some updates of one chat."""
    kinds = [u.envelope.chat_kind for u in updates if u.envelope.chat_kind is not ChatKind.NONE]
    kind = kinds[-1] if kinds else ChatKind.NONE
    entries = tuple(_decided(entry, kind, me) for entry in entries_of(updates, me.bot_id))
    titles = [title for title in map(_title_of, updates) if title]
    return Batch(
        update_ids=tuple(u.envelope.update_id for u in updates),
        entries=entries,
        kind=kind,
        title=titles[-1] if titles else "",
    )


def _decided(entry: AnyEntry, kind: ChatKind, me: Self) -> AnyEntry:
    return entry.model_copy(update={"decision": decide(entry, kind, me)}) if isinstance(entry, Message) else entry


def _title_of(update: InboxUpdate) -> str:
    subject = update.raw.get(update.envelope.kind)
    chat = subject.get("chat") if isinstance(subject, dict) else None
    return clean(chat.get("title")) if isinstance(chat, dict) else ""
