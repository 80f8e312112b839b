"""The times in which a person was in a group."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from shared.privacy.export.own_entries import GroupPresence, GroupPresenceFinder
from shared.recall.store.memberships import FRESH, Membership
from shared.values.evolve import evolve
from shared.values.message import Author
from tests.shared.examples import ANN, BOB, NOW
from tests.shared.exports import said


def at(second: int) -> datetime:
    return NOW + timedelta(seconds=second)


def member(
    *, left: Sequence[int] = (), joined: Sequence[int] = (), is_member: bool = True, checked: int | None = 100,
    seen: int = 0,
) -> Membership:  # fmt: skip
    return Membership(
        agent="lull", chat_id=-5, person=ANN.id, places=("lull.-5",), seen_at=at(seen), is_member=is_member,
        fresh_until=at(checked) + FRESH if checked is not None else None,
        left_at=tuple(map(at, left)), joined_at=tuple(map(at, joined)),
    )  # fmt: skip


def presence(*known: Membership, wrote: Sequence[int] = (), author: Author = ANN) -> GroupPresence:
    finder = GroupPresenceFinder(ANN.id, known, at(100))
    for second in wrote:
        finder.see(said(author, "here", second))
    return finder.result()


def seconds(found: GroupPresence) -> list[int]:
    return [second for second in range(0, 100, 5) if found.covers(at(second))]


ALL = list(range(0, 100, 5))


@pytest.mark.parametrize(
    ("known", "wrote", "there"),
    [
        (member(), (), ALL),
        # left, and did not come back
        (member(left=[50], is_member=False), (10, 45), ALL[:10]),
        # Telegram reports that they are back, but not since when
        (member(left=[50]), (10,), ALL[:10]),
        # they came back: shown by their own message, by an update of Telegram, and twice
        (member(left=[50]), (10, 70), [*ALL[:10], *ALL[14:]]),
        (member(left=[50], joined=[60]), (10, 70), [*ALL[:10], *ALL[12:]]),
        (member(left=[20, 50]), (10, 30, 70), [*ALL[:4], *ALL[6:10], *ALL[14:]]),
        # leaving is reported twice: a bot that is an administrator gets two updates about it
        (member(left=[50, 51]), (70,), [*ALL[:10], *ALL[14:]]),
        # in the second in which they leave, they count as absent: the message about leaving does not show that they are
        # there
        (member(left=[50]), (50,), ALL[:10]),
        # they left, and Telegram sent no update about it: they count as present until the last thing that they did
        (member(is_member=False), (10, 40), ALL[:8]),
        (member(checked=None), (10, 40), ALL[:8]),
        (member(checked=-210), (10, 40), ALL[:8]),
        (member(is_member=False), (), []),
        # Telegram's answer is valid for the time of the answer, and no longer
        (member(checked=60), (10,), ALL[:13]),
        (member(checked=60, left=[20]), (30,), [*ALL[:4], *ALL[6:13]]),
        # they joined, and leaving before was not reported: absent since their last action before, or since ever
        (member(joined=[60]), (10, 70), [*ALL[:2], *ALL[12:]]),
        (member(joined=[60]), (70,), ALL[12:]),
        (member(joined=[40, 60]), (10, 45), [0, 5, 40, *ALL[12:]]),
        (member(left=[20], joined=[60]), (10,), [*ALL[:4], *ALL[12:]]),
        (member(left=[20], joined=[60, 80]), (10, 65), [*ALL[:4], 60, *ALL[16:]]),
        # they came back, and left again without an update about it
        (member(left=[20], is_member=False), (10, 40, 60), [*ALL[:4], *ALL[8:12]]),
    ],
)
def test_by_when_they_left_and_what_they_did(known: Membership, wrote: Sequence[int], there: list[int]) -> None:
    assert seconds(presence(known, wrote=wrote)) == there


def test_what_is_said_while_the_export_is_made_is_not_in_it() -> None:
    found = presence(member(checked=110))
    assert (found.covers(at(100)), found.covers(at(101))) == (True, False)


def test_telegram_s_word_counts_whichever_agent_asked() -> None:
    other = member(seen=90, checked=None)
    assert seconds(presence(member(), evolve(other, agent="moss", places=("moss.-5",)))) == ALL


def test_what_others_and_agents_write_is_no_sign_of_them() -> None:
    assert seconds(presence(member(left=[50]), wrote=(70,), author=BOB)) == ALL[:10]
    agent = evolve(ANN, is_agent=True)
    assert seconds(presence(member(left=[50]), wrote=(70,), author=agent)) == ALL[:10]


def test_a_group_that_became_a_supergroup_is_one_group() -> None:
    before = member(left=[20], joined=[30], checked=None)
    assert seconds(presence(before, member(seen=40))) == [*ALL[:4], *ALL[6:]]
    assert seconds(presence(member(), member(seen=40, left=[60], is_member=False))) == ALL[:12]
    # not seen since then, so it is unknown whether they are there
    assert seconds(presence(before, wrote=(35,))) == [*ALL[:4], *ALL[6:7]]


def test_what_is_said_there_is_read_only_where_it_matters() -> None:
    assert not GroupPresenceFinder(ANN.id, [member()], at(100)).needs_entries
    assert GroupPresenceFinder(ANN.id, [member(left=[50])], at(100)).needs_entries
    assert GroupPresenceFinder(ANN.id, [member(is_member=False)], at(100)).needs_entries
    assert GroupPresenceFinder(ANN.id, [], at(100)).needs_entries
