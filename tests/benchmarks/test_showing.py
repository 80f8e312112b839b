"""A conversation with added media keeps its messages, renumbered, and describes each file once."""

import itertools
import statistics
from collections import Counter

from benchmarks.context import shares_with_media, talk
from benchmarks.showing import SHARE, with_media
from shared.values.message import MediaDescribed, Message
from shared.values.prompt_format import PromptFormat

ENTRIES = list(with_media(talk(1_000)))
SHOWING = [e for e in ENTRIES if isinstance(e, Message) and e.media_refs]
TOLD = [e for e in ENTRIES if isinstance(e, MediaDescribed)]


def test_it_is_always_the_same_and_its_numbers_have_no_gaps() -> None:
    assert list(with_media(talk(1_000))) == ENTRIES
    assert [entry.seq for entry in ENTRIES] == list(range(1, len(ENTRIES) + 1))
    assert len(ENTRIES) == 1_000 + len(TOLD)


def test_two_in_five_of_what_people_write_are_pictures_and_stickers() -> None:
    written = [e for e in ENTRIES if isinstance(e, Message) and not e.author.is_agent]
    assert abs(len(SHOWING) / len(written) - SHARE) < 0.03


def test_each_file_is_described_once_at_once_or_later() -> None:
    at_once = [ref.unique_id for e in SHOWING for ref in e.media_refs if ref.description is not None]
    counts = Counter([*at_once, *(entry.unique_id for entry in TOLD)])
    assert set(counts.values()) == {1}
    assert len(SHOWING) - len(counts) <= 3, "the last ones may still be described when it ends"
    assert 0.2 < len(TOLD) / len(SHOWING) < 0.8


def test_four_fifths_of_a_prompt_are_as_they_were_in_the_plan_before() -> None:
    assert statistics.mean(itertools.islice(shares_with_media(PromptFormat.META), 40)) >= 0.80


def test_what_a_model_has_been_shown_is_told_where_it_comes() -> None:
    placed = {e.message_id: e.seq for e in SHOWING}
    answers = [e.seq for e in ENTRIES if isinstance(e, Message) and e.author.is_agent]
    for entry in TOLD:
        (message_id,) = entry.message_ids
        was_shown = any(placed[message_id] < answer < entry.seq for answer in answers)
        assert entry.is_with_message is not was_shown
    assert len({entry.is_with_message for entry in TOLD}) == 2
