"""A small part of the measure: in ordinary talks nothing waits for a tap, and with words of a stranger it does."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.ordinary import counted, held, site
from benchmarks.talks import playing
from benchmarks.talks.deeds import DEEDS, ZONED, Came
from benchmarks.talks.playing import Outcome, Site, played
from benchmarks.talks.sayings import SAYINGS
from benchmarks.talks.talk import Reach, Talk, Way, talks
from benchmarks.talks.things import THINGS, WITH_TEXT
from tests.forking import forked
from tests.stories.play import Stage

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
        *ordinary, forwarded = await held([IN_PRIVATE, IN_GROUP, FILES, marked], place)
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
    assert (counted([done])["unmet"], counted([done])["talks"]) == (False, 1)
    for broken in (
        replace(done, taps=["Shall I?"]),
        replace(done, is_remembered=False),
        replace(done, is_used_later=False),
        replace(done, is_recalled=False),
        replace(done, is_done=False),
        replace(done, is_blocked=False),
        replace(done, broken="TimeoutError()"),
    ):
        assert counted([done, broken])["unmet"], broken
        assert len(list(broken.missing)) == 1


async def test_a_talk_that_does_not_end_is_told_with_where_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    never = asyncio.Event()

    async def stands_still(*_: object) -> None:
        await never.wait()

    async def breaks(*_: object) -> None:
        raise ConnectionError("gone")

    nothing: Any = None
    place = Site(Stage(cloud=nothing, telegram=nothing, model=nothing, firestore=nothing))
    monkeypatch.setattr(playing, "PATIENCE_S", 0.01)
    monkeypatch.setattr(playing, "_scene", stands_still)
    (missing,) = [one for one in (await played(FILES, place, "moss")).missing if "end" in one]
    assert "it waits in _played:" in missing
    assert "> stands_still:" in missing
    monkeypatch.setattr(playing, "_scene", breaks)
    assert (await played(FILES, place, "moss")).broken == "ConnectionError('gone')"
