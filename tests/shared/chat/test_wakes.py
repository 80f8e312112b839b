"""The next tick and its name: a wake must never be dropped because its name was used."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.chat.wakes import (
    AFTER_LEASE,
    CLOCK_TOLERANCE,
    FIRST_FOLLOW_UP,
    KEPT_REASONS,
    QuietPeriod,
    compress_wake,
    due_wake,
    follow_up,
    is_about,
    quiet_wake,
    rest_until,
    retry_wake,
)
from shared.values.chat import Chat, ChatClaim, Lease
from shared.values.evolve import evolve
from shared.values.wake import Wake, WakeReason
from tests.shared.examples import KEY, NOW, PROPERTY, SECOND

CHAT = Chat(key=KEY, claim=ChatClaim(generation=4))
LEASE = Lease(owner="tick-1", until=NOW + 30 * SECOND)
REASONS = st.sampled_from(WakeReason)


def wake(reason: WakeReason = WakeReason.SOON, of: str = "4", attempt: int = 0) -> Wake:
    return Wake(key=KEY, reason=reason, at=NOW, of=of, attempt=attempt, since=NOW, traceparent="00-t")


@pytest.mark.parametrize("reason", sorted({*WakeReason} - KEPT_REASONS - {WakeReason.AFTER}))
def test_a_wake_of_another_reason_is_looked_for_soon_whatever_it_is_of(reason: WakeReason) -> None:
    made = follow_up(wake(reason, LEASE.owner, 3), LEASE, NOW)
    assert (made.attempt, made.at) == (0, NOW + FIRST_FOLLOW_UP)


@PROPERTY
@given(REASONS, st.sampled_from(["4", "5", "tick-1", "p1"]), st.integers(0, 3))
def test_no_wake_is_swallowed_by_the_name_of_the_tick_that_makes_it(reason: WakeReason, of: str, attempt: int) -> None:
    running = wake(reason, of, attempt)
    due = f"p1@{NOW.timestamp():.6f}"
    made = [
        follow_up(running, LEASE, NOW),
        quiet_wake(running, CHAT, NOW),
        retry_wake(running, CHAT, NOW),
        due_wake(running, "p1", NOW),
        due_wake(replace(running, reason=WakeReason.DUE, of=due), "p1", NOW),
    ]
    assert running.name not in {w.name for w in made}
    assert len({w.name for w in made[:4]}) == 4
    assert {w.key for w in made} == {KEY}
    assert {w.traceparent for w in made} == {"00-t"}


def test_a_follow_up_is_named_for_the_lease_and_its_attempt() -> None:
    first = follow_up(wake(), LEASE, NOW)
    assert (first.reason, first.of, first.attempt) == (WakeReason.AFTER, "tick-1", 0)
    assert follow_up(wake(WakeReason.DUE, "p1@0"), LEASE, NOW).name == first.name
    early = follow_up(first, LEASE, NOW)
    assert (early.attempt, early.of) == (1, "tick-1")
    assert follow_up(early, evolve(LEASE, owner="tick-2"), NOW).attempt == 0


@pytest.mark.parametrize("reason", sorted(KEPT_REASONS))
def test_follow_ups_keep_reasons_that_no_other_tick_handles(reason: WakeReason) -> None:
    first = follow_up(wake(reason, "run@ready"), LEASE, NOW)
    assert (first.reason, first.of, first.attempt) == (reason, "run@ready", 1)


def test_follow_ups_look_again_every_few_seconds_and_at_last_after_the_lease() -> None:
    waits = list[timedelta]()
    running, now = wake(), NOW
    while now <= LEASE.until:
        running = follow_up(running, LEASE, now)
        waits.append(running.at - now)
        now = running.at
    assert waits[:3] == [2 * SECOND, 4 * SECOND, 4 * SECOND]
    assert (max(waits), now) == (4 * SECOND, LEASE.until + AFTER_LEASE)


def test_the_wait_of_a_burst_is_named_for_its_generation_and_attempt() -> None:
    first = quiet_wake(wake(), CHAT, NOW + SECOND)
    assert (first.reason, first.of, first.attempt, first.since) == (WakeReason.QUIET, "4", 1, NOW)
    second = quiet_wake(first, CHAT, NOW + SECOND)
    assert second.attempt == 2
    assert quiet_wake(second, CHAT.with_part(evolve(CHAT.claim, generation=5)), NOW).attempt == 1


@pytest.mark.parametrize(
    ("newest_s", "since_s", "expected_s"),
    [
        (0, 0, 1.5),
        (-1, -1, 0.5),
        (-1.5, -1.5, None),
        (-1.46, -1.46, None),
        (-1.44, -1.44, 0.06),
        (0, -9, 1),
        (0, -10, None),
        (0, -11, None),
        (0, None, 1.5),
        (5, 0, 6.5),
    ],
)
def test_people_have_rested_after_the_quiet_time_or_waited_long_enough(
    newest_s: float, since_s: float | None, expected_s: float | None
) -> None:
    waking = replace(wake(), since=None if since_s is None else NOW + timedelta(seconds=since_s))
    rest = QuietPeriod(NOW, timedelta(seconds=1.5), timedelta(seconds=10))
    until = rest_until(waking, NOW + timedelta(seconds=newest_s), rest)
    assert until == (None if expected_s is None else NOW + timedelta(seconds=expected_s))


@PROPERTY
@given(st.floats(-20, 20), st.floats(-20, 0), st.floats(0, 20), st.floats(0, 20))
def test_nobody_waits_longer_than_the_longest_wait(newest: float, since: float, quiet: float, longest: float) -> None:
    waking = replace(wake(), since=NOW + timedelta(seconds=since))
    rest = QuietPeriod(NOW, timedelta(seconds=quiet), timedelta(seconds=longest))
    until = rest_until(waking, NOW + timedelta(seconds=newest), rest)
    assert until is None or NOW + CLOCK_TOLERANCE < until <= NOW + timedelta(seconds=since + longest + 1e-5)


def test_a_plan_goes_on_under_a_name_of_its_own_moment() -> None:
    at, later = NOW + SECOND, NOW + 2 * SECOND
    first = due_wake(wake(), "p1", at)
    assert (first.reason, first.at, first.attempt, first.since) == (WakeReason.DUE, at, 0, None)
    assert due_wake(wake(WakeReason.LATER), "p1", at).name == first.name
    assert due_wake(first, "p1", at).attempt == 1
    assert len({w.name for w in (first, due_wake(first, "p1", later), due_wake(first, "p2", at))}) == 3


def test_the_model_is_tried_again_under_the_generation() -> None:
    first = retry_wake(wake(), CHAT, NOW + SECOND)
    assert (first.reason, first.of, first.attempt, first.since) == (WakeReason.RETRY, "4", 1, None)
    assert retry_wake(first, CHAT.with_part(evolve(CHAT.claim, generation=5)), NOW).attempt == 2


def test_the_tries_of_the_model_are_counted_across_chats_that_are_held_and_forgotten_with_a_plan() -> None:
    held = follow_up(retry_wake(wake(), CHAT, NOW), LEASE, NOW)
    again = retry_wake(held, CHAT, NOW)
    assert (held.reason, held.model_tries, again.model_tries) == (WakeReason.AFTER, 1, 2)
    assert due_wake(again, "p1", NOW).model_tries == 0


def test_a_tick_that_moves_a_chat_still_knows_where_to_when_it_met_a_held_one() -> None:
    moving = wake(WakeReason.MOVED, "-1001")
    first = follow_up(moving, LEASE, NOW)
    assert (first.reason, first.of, first.at - NOW) == (WakeReason.MOVED, "-1001", 2 * SECOND)
    assert first.name != moving.name


def test_a_wake_to_summarise_is_for_one_conversation_and_named_for_the_last_summary() -> None:
    chat = evolve(CHAT, conversation="conv-a")
    first = compress_wake(wake(), chat, 7, NOW)
    assert is_about(first, chat)
    assert is_about(first.again(NOW + SECOND), chat)
    assert not is_about(first, evolve(CHAT, conversation="conv-b"))
    assert compress_wake(first, chat, 7, NOW + SECOND).name == first.name != compress_wake(first, chat, 8, NOW).name
