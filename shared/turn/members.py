"""Members: find the people of a group who appear in a batch, to record that they are in the group."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from shared.recall.store.memberships import MembersChangedRecord, MembershipRecord
from shared.telegram.inbound.entries import ParsedUpdate
from shared.turn.batch import InboxBatch
from shared.values.chat_key import ChatKind
from shared.values.message import AnyEntry, Message

GROUPS = frozenset({ChatKind.GROUP, ChatKind.SUPERGROUP})


def seen_in(
    batch: InboxBatch, window: Sequence[AnyEntry], moved_seq: int = 0
) -> Iterator[MembershipRecord | MembersChangedRecord]:
    """Yield a record of each person who joined or left, or who wrote for the first time in the window (the newest
    entries).

    Other people in the window are recorded already. `moved_seq`: the number of the last entry from before the group
    became a supergroup.
    """
    if batch.kind not in {*GROUPS, ChatKind.DIRECT}:
        return
    before = writers_in(entry for entry in window if not 0 < entry.seq <= moved_seq)
    joined, left = _moments(batch, lambda one: one.members.joined), _moments(batch, lambda one: one.members.gone)
    new = (person for person in writers_in(batch.entries) if person not in before)
    for person in dict.fromkeys((*new, *joined)):
        if person not in batch.members.gone:
            yield MembershipRecord(person=person, is_member=True, joined_at=tuple(joined[person]))
    for person in batch.members.gone:
        yield MembershipRecord(
            person=person, is_member=False, left_at=tuple(left[person]), joined_at=tuple(joined[person])
        )
    if batch.members.come or batch.members.gone:
        yield MembersChangedRecord()


def _moments(batch: InboxBatch, whom: Callable[[ParsedUpdate], Iterable[int]]) -> defaultdict[int, list[datetime]]:
    """Return the times at which people joined or left, by person id. `whom` returns the people of one update."""
    moments = defaultdict[int, list[datetime]](list)
    for one in batch.moves:
        for person in whom(one):
            moments[person].append(one.entry.at)
    return moments


def writers_in(entries: Iterable[AnyEntry]) -> dict[int, None]:
    """Return the ids of the people who wrote, without repetitions; not of bots, channels and groups."""
    said = (entry.author for entry in entries if isinstance(entry, Message))
    return dict.fromkeys(author.id for author in said if author.id > 0 and not author.is_bot)
