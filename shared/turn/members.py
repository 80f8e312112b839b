"""Members: which people of a group were seen in a batch, so that they are known to have been there."""

from collections.abc import Iterable, Iterator, Sequence

from shared.models.chat_key import ChatKind
from shared.models.message import AnyEntry, Message
from shared.records import MembersChanged, SeenInGroup
from shared.turn.batch import Batch

GROUPS = frozenset({ChatKind.GROUP, ChatKind.SUPERGROUP})


def seen_in(batch: Batch, window: Sequence[AnyEntry], moved_seq: int = 0) -> Iterator[SeenInGroup | MembersChanged]:
    """Who wrote and had not yet, as far as the window before the batch tells; who left; and that somebody came or left.

    A group's usual talkers cost no write. `moved_seq`: the last entry from before it was a supergroup.
    """
    if batch.kind not in GROUPS:
        return
    before = writers_in(entry for entry in window if not 0 < entry.seq <= moved_seq)
    for person in writers_in(batch.entries):
        if person not in before and person not in batch.gone:
            yield SeenInGroup(person=person, is_member=True)
    for person in batch.gone:
        yield SeenInGroup(person=person, is_member=False)
    if batch.come or batch.gone:
        yield MembersChanged()


def writers_in(entries: Iterable[AnyEntry]) -> dict[int, None]:
    """The people who wrote, each once: neither bots nor channels and groups, whose ids are below 0."""
    said = (entry.author for entry in entries if isinstance(entry, Message))
    return dict.fromkeys(author.id for author in said if author.id > 0 and not author.is_bot)
