"""Who is seen in a group."""

from dataclasses import replace

from shared.models.chat_key import ChatKind
from shared.records import MembersChanged, SeenInGroup
from shared.turn.batch import Batch
from shared.turn.members import seen_in
from tests.shared.values import ANN, BOB, ME, said


def batch(*entries: object, kind: ChatKind = ChatKind.GROUP, gone: tuple[int, ...] = ()) -> Batch:
    return Batch(update_ids=(1,), entries=entries, kind=kind, title="", gone=gone)  # type: ignore[arg-type]


def test_who_wrote_for_the_first_time_is_seen_and_usual_talkers_cost_nothing() -> None:
    seen = list(
        seen_in(batch(said("hi", author=ANN), said("ho", author=BOB), said("x", author=ME)), [said("", author=ANN)])
    )
    assert seen == [SeenInGroup(person=BOB.id, is_member=True)]


def test_who_left_is_seen_as_gone_even_if_the_note_is_theirs() -> None:
    seen = list(seen_in(batch(said("left the group", author=BOB), gone=(BOB.id,)), ()))
    assert seen == [SeenInGroup(person=BOB.id, is_member=False), MembersChanged()]
    come = replace(batch(said("joined the group", author=BOB)), come=(BOB.id,))
    assert list(seen_in(come, ())) == [SeenInGroup(person=BOB.id, is_member=True), MembersChanged()]


def test_in_private_nobody_is() -> None:
    assert not list(seen_in(batch(said("hi", author=ANN), kind=ChatKind.PRIVATE), ()))
