"""Headers leave out known fields, and no person can be mistaken for another."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.prompt.escaping import look_alike_key
from shared.planning.prompt.history import history_of
from shared.planning.prompt.lines import lines_of
from shared.planning.prompt.messages import TranscriptStyle
from shared.planning.prompt.meta import PromptKnowledge, iso_time
from shared.values.message import Author, QuotedMessage
from shared.values.prompt_format import PromptFormat
from tests.shared.examples import ANN, BOB, GROUP_KEY, ME, NOW, PROPERTY, SECOND, said

META = TranscriptStyle(format=PromptFormat.META, key=GROUP_KEY, own_name="lull")
COMPACT = TranscriptStyle(format=PromptFormat.COMPACT, key=GROUP_KEY, own_name="lull")
ANN_SMITH = Author(id=11, name="Ann Smith", username="ann_s")
ANN_JONES = Author(id=12, name="Ann Jones")


def headers(authors: Iterable[Author], style: TranscriptStyle) -> list[str]:
    talk = [said("hm", author, n, seq=n) for n, author in enumerate(authors, 1)]
    return [line.shown.header.partition(" time=")[0] for line in lines_of(history_of(talk), style)]


def test_who_is_known_is_told_by_the_first_name_alone() -> None:
    assert headers([ANN_SMITH, ANN_SMITH, BOB, ANN_SMITH], META) == [
        '[meta] message_id=1 user_id=11 name="Ann Smith" username="ann_s"',
        '[meta] message_id=2 name="Ann"',
        '[meta] message_id=3 user_id=1100000002 name="Bob"',
        '[meta] message_id=4 name="Ann"',
    ]
    assert headers([ANN_SMITH, ANN_SMITH, BOB, ANN_SMITH], COMPACT) == [
        "Ann Smith#000011:", "Ann:", "Bob#000002:", "Ann:",
    ]  # fmt: skip


def test_who_is_called_like_somebody_else_is_told_by_more() -> None:
    again = Author(id=13, name="Ann Smith")
    assert headers([ANN_SMITH, ANN_JONES, ANN_SMITH, ANN_JONES], COMPACT)[2:] == ["Ann Smith:", "Ann Jones:"]
    assert headers([ANN_SMITH, again, ANN_SMITH, again], META)[2:] == [
        '[meta] message_id=3 user_id=11 name="Ann Smith"', '[meta] message_id=4 user_id=13 name="Ann Smith"',
    ]  # fmt: skip
    assert headers([ANN_SMITH, again, ANN_SMITH], COMPACT)[2] == "Ann Smith#000011:"


@pytest.mark.parametrize("changed", [{"name": "Annie"}, {"username": "annie"}])
def test_who_changes_a_name_is_introduced_again(changed: dict[str, str]) -> None:
    first, other, back = headers([ANN, ANN.model_copy(update=changed), ANN], META)
    assert "user_id=1100000001" in other
    assert [f'="{value}"' in other for value in changed.values()] == [True]
    assert back.partition("user_id")[2] == first.partition("user_id")[2]


@pytest.mark.parametrize("name", ["lull", "LULL", "ӏull"])
def test_a_person_who_is_called_like_the_agent_keeps_the_id(name: str) -> None:
    namesake = Author(id=14, name=name)
    assert headers([namesake, namesake], META)[1] == f'[meta] message_id=2 user_id=14 name="{name}"'
    assert headers([namesake, namesake], COMPACT)[1] == f"{name}#000014:"
    second = Author(id=15, name=f"{name} the second")
    assert headers([second, second], COMPACT)[1] == f"{name} the second:"


def test_who_has_no_id_is_never_known() -> None:
    hidden = Author(id=0, name="Ann")
    assert headers([hidden, hidden], COMPACT) == ["Ann#000000:"] * 2
    assert headers([ANN, hidden, ANN], META)[1:] == [
        '[meta] message_id=2 user_id=0 name="Ann"', '[meta] message_id=3 user_id=1100000001 name="Ann"',
    ]  # fmt: skip


NAMES = st.sampled_from(
    ["Ann", "ann", "Аnn", "Ann Lee", "Ann  Lee", "Lee", "Lee Ann", "lull", "", "🌸", "🌸 Ann", "A\u200bnn"]
)
PEOPLE = st.builds(Author, id=st.integers(1, 4), name=NAMES, username=st.sampled_from(["", "ann"]))


@PROPERTY
@given(st.lists(PEOPLE | st.just(ME), max_size=12))
def test_a_reader_always_knows_who_wrote(authors: list[Author]) -> None:
    talk = [said("hm", author, n, seq=n) for n, author in enumerate(authors, 1)]
    lines = [line for line in lines_of(history_of(talk), META) if not line.is_own]
    assert list(_read(line.shown.header for line in lines)) == [a.id for a in authors if not a.is_agent]


def _read(told: Iterable[str]) -> Iterator[int]:
    """Yield the author of each header, found by the names in the introductions; 0 for an unknown name."""
    heard: dict[str, set[int]] = {look_alike_key("lull"): {ME.id}}
    for header in told:
        (name,) = [json.loads(found) for found in re.findall(r' name=("(?:[^"\\]|\\.)*")', header)]
        found = re.search(r" user_id=(\d+)", header)
        if found is None:
            whose = heard.get(look_alike_key(name), set())
            yield next(iter(whose)) if len(whose) == 1 else 0
            continue
        for one in (name, name.partition(" ")[0]):
            heard.setdefault(look_alike_key(one), set()).add(int(found[1]))
        yield int(found[1])


def test_the_day_is_told_once() -> None:
    known, zone = PromptKnowledge(), ZoneInfo("UTC")
    times = [NOW, NOW + 60 * SECOND, NOW + timedelta(days=1), NOW + timedelta(days=1)]
    assert [known.time_of(at, zone) for at in times] == [
        "2026-03-01T12:00Z", "12:01", "2026-03-02T12:00Z", "12:00",
    ]  # fmt: skip


def test_another_offset_is_told_with_the_day() -> None:
    known, zone = PromptKnowledge(), ZoneInfo("Europe/Kyiv")
    summer = NOW.replace(month=3, day=29, hour=0)
    assert [known.time_of(summer, zone), known.time_of(summer + timedelta(hours=2), zone)] == [
        "2026-03-29T02:00+02:00", "2026-03-29T05:00+03:00",
    ]  # fmt: skip


def test_times_are_those_of_a_zone() -> None:
    assert iso_time(NOW, ZoneInfo("Asia/Kolkata")) == "2026-03-01T17:30+05:30"
    assert iso_time(NOW, ZoneInfo("UTC"), "seconds") == "2026-03-01T12:00:00Z"


def test_what_is_shown_is_known_by_its_beginning() -> None:
    known = PromptKnowledge()
    known.show(6, f"{'x' * 300}")
    known.show(-7, "old")
    assert known.holds(QuotedMessage(message_id=6, excerpt="x" * 200))
    assert not known.holds(QuotedMessage(message_id=6, excerpt="x" * 30))
    assert not known.holds(QuotedMessage(message_id=6))
    assert not known.holds(QuotedMessage(message_id=-7, excerpt="old"))
    assert not known.holds(QuotedMessage(message_id=5, excerpt="x"))
