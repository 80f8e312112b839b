"""A small part of the measure: tasks wait for a button press only in talks with a stranger's words."""

import asyncio
from dataclasses import replace
from typing import Any

from benchmarks.ordinary import count_outcomes, hold_talks, site
from benchmarks.talks.deeds import DEEDS, ZONED, Came
from benchmarks.talks.playing import Outcome, Site, play_talk, waits_in
from benchmarks.talks.sayings import SAYINGS
from benchmarks.talks.talk import Reach, Talk, Way, talks
from benchmarks.talks.things import THINGS, WITH_TEXT
from tests.forking import forked
from tests.stories.play import Sandbox

IN_PRIVATE = Talk(
    number=0,
    came=Came.GUEST,
    things=("sticker", "contact"),
    saying=SAYINGS[0],
    way=Way.CAPTION,
    reach=Reach.PERSON,
    deed=ZONED,
    is_deed_first=False,
    has_abuser=True,
    seed=1,
)
IN_GROUP = replace(IN_PRIVATE, number=1, came=Came.GROUP, things=("photo", "own sticker"), way=Way.VOICE, seed=2)
FILES = replace(
    IN_PRIVATE,
    number=2,
    came=Came.OWNER,
    things=("text file", "link"),
    way=Way.WORDS,
    deed=None,
    seed=3,
    has_abuser=False,
)


async def test_own_things_need_no_tap_and_a_forward_does() -> None:
    marked = replace(IN_PRIVATE, number=3, has_forward=True, has_abuser=False, seed=4)
    async with site(forked(), lanes=2) as place:
        *ordinary, forwarded = await hold_talks([IN_PRIVATE, IN_GROUP, FILES, marked], place)
    assert [list(one.missing) for one in ordinary] == [[], [], []]
    assert len(forwarded.taps) == 1
    assert "Asia/Tokyo" in forwarded.taps[0]
    assert not forwarded.is_done
    assert forwarded.is_used_later, "what somebody says in their own words waits for no tap"


def test_all_kinds_come_up_and_the_same_for_a_seed() -> None:
    drawn = talks(200, seed=7)
    assert drawn == talks(200, seed=7)
    assert [one.name for one in drawn] != [one.name for one in talks(200, seed=8)]
    assert {thing for one in drawn for thing in one.things} == {*THINGS}
    assert {one.saying for one in drawn} == {*SAYINGS}
    assert {one.deed for one in drawn} == {None, *DEEDS}
    assert {(one.came, one.way) for one in drawn} == {(came, way) for came in Came for way in Way}
    assert {one.reach for one in drawn} == {*Reach}
    assert all((one.deed is None) == bool(WITH_TEXT.intersection(one.things)) for one in drawn)
    assert sum(one.has_abuser for one in drawn) > 40


def test_what_is_missing_is_told() -> None:
    done = Outcome(IN_PRIVATE, is_remembered=True, is_used_later=True, is_recalled=True, is_done=True, is_blocked=True)
    assert (count_outcomes([done])["unmet"], count_outcomes([done])["talks"]) == (False, 1)
    for broken in (
        replace(done, taps=["Shall I?"]),
        replace(done, is_remembered=False),
        replace(done, is_used_later=False),
        replace(done, is_recalled=False),
        replace(done, is_done=False),
        replace(done, is_blocked=False),
        replace(done, broken="TimeoutError()"),
    ):
        assert count_outcomes([done, broken])["unmet"], broken
        assert len(list(broken.missing)) == 1


async def test_a_talk_that_fails_is_told() -> None:
    nothing: Any = None
    place = Site(Sandbox(cloud=nothing, telegram=nothing, model=nothing, firestore=nothing))
    assert (await play_talk(FILES, place, "moss")).broken.startswith("AttributeError(")


async def test_where_a_task_waits_is_told_function_by_function() -> None:
    async def inner() -> None:
        await asyncio.Event().wait()

    async def outer() -> None:
        await inner()

    task = asyncio.create_task(outer())
    await asyncio.sleep(0)
    assert [one.partition(":")[0] for one in waits_in(task).split(" > ")] == ["outer", "inner", "wait"]
    task.cancel()
