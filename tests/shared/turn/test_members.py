"""People who are seen in a group."""

from dataclasses import replace
from datetime import datetime, timedelta

from shared.recall.store.memberships import MembersChangedRecord, MembershipRecord
from shared.telegram.inbound.entries import MemberChanges, ParsedUpdate
from shared.turn.batch import InboxBatch
from shared.turn.members import seen_in
from shared.values.chat_key import ChatKind
from shared.values.message import Event
from tests.shared.examples import ANN, BOB, ME, NOW, said

CAT = 31


def batch(*entries: object, kind: ChatKind = ChatKind.GROUP, gone: tuple[int, ...] = ()) -> InboxBatch:
    return InboxBatch(update_ids=(1,), entries=entries, kind=kind, members=MemberChanges(gone=gone))  # type: ignore[arg-type]


def at(second: int) -> datetime:
    return NOW + timedelta(seconds=second)


def told(second: int, **of: tuple[int, ...]) -> ParsedUpdate:
    event = Event(at=at(second), kind="chat_member")
    return ParsedUpdate(update_id=second, entry=event, chat_kind=ChatKind.GROUP, members=MemberChanges(**of))  # type: ignore[arg-type]


def test_who_wrote_for_the_first_time_is_seen_and_usual_talkers_cost_nothing() -> None:
    seen = list(
        seen_in(batch(said("hi", author=ANN), said("ho", author=BOB), said("x", author=ME)), [said("", author=ANN)])
    )
    assert seen == [MembershipRecord(person=BOB.id, is_member=True)]


def test_who_left_is_seen_as_gone_even_if_the_note_is_theirs() -> None:
    seen = list(seen_in(batch(said("left the group", author=BOB), gone=(BOB.id,)), ()))
    assert seen == [MembershipRecord(person=BOB.id, is_member=False), MembersChangedRecord()]
    come = replace(batch(said("joined the group", author=BOB)), members=MemberChanges(come=(BOB.id,)))
    assert list(seen_in(come, ())) == [MembershipRecord(person=BOB.id, is_member=True), MembersChangedRecord()]


def test_when_somebody_left_and_came_is_told_each_time() -> None:
    moves = (
        told(10, gone=(BOB.id,)),
        told(20, come=(BOB.id, 9), joined=(BOB.id,)),
        told(30, gone=(BOB.id,)),
        told(40, come=(CAT, 9), joined=(CAT,)),
    )
    moved = replace(batch(), members=MemberChanges(come=(BOB.id, 9, CAT), gone=(BOB.id,)), moves=moves)
    assert list(seen_in(moved, ())) == [
        MembershipRecord(person=CAT, is_member=True, joined_at=(at(40),)),
        MembershipRecord(person=BOB.id, is_member=False, left_at=(at(10), at(30)), joined_at=(at(20),)),
        MembersChangedRecord(),
    ]


def test_in_private_nobody_is() -> None:
    assert not list(seen_in(batch(said("hi", author=ANN), kind=ChatKind.PRIVATE), ()))
