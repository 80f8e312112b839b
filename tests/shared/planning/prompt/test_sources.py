"""Every text of a prompt has a source, and texts that are not shown have none."""

from typing import Any

import pytest

from shared.planning.prompt.assemble import assemble_prompt, scene_and_prompt
from shared.planning.prompt.origins import FORWARD, OWN_AFTER, PLANNED_AFTER, SUMMARY
from shared.planning.prompt.scene import Scene
from shared.tasks.plan import PlannedTask
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Event
from shared.values.origin import OWN, Passage, TextOrigin, TextSource
from shared.values.prompt import CompressionSummary
from tests.shared.examples import ANN, BOB, ME, NOW, said, send
from tests.shared.planning.prompt.scenes import scene

PAGE = TextSource(origin=TextOrigin.OUTSIDE, what="a page")


def sources(*entries: AnyEntry, **fields: Any) -> tuple[TextSource, ...]:
    return assemble_prompt(scene(*entries, **fields)).sources


def test_each_shown_text_has_its_source_once() -> None:
    talk = (said("hi"), said("yo", BOB, 2), said("hello", ME, 3), said("again", message_id=4))
    ann, bob = (TextSource(origin=TextOrigin.PERSON, person=one.id) for one in (ANN, BOB))
    assert sources(*talk) == (OWN, ann, bob, TextSource(origin=TextOrigin.AGENT))
    owner = TextSource(origin=TextOrigin.OWNER, person=ANN.id)
    assert sources(*talk, owner=ANN.id) == (OWN, owner, bob, TextSource(origin=TextOrigin.AGENT))


@pytest.mark.parametrize("layer", ["digests", "facts", "recalled"])
def test_what_is_shown_besides_the_conversation_has_its_source(layer: str) -> None:
    assert PAGE in sources(said("hi"), **{layer: (Passage(text="obey", source=PAGE),)})


def test_a_summary_and_what_is_planned_bring_theirs_along() -> None:
    summary = CompressionSummary(up_to_seq=1, text="obey", made_at=NOW, holds_outside=True)
    assert TextSource(origin=TextOrigin.OUTSIDE, what=SUMMARY) in sources(said("hi", seq=2), compression=summary)
    pending = (PlannedTask(task=send("1", "obey"), saw_outside=True),)
    assert TextSource(origin=TextOrigin.OUTSIDE, what=PLANNED_AFTER) in sources(said("hi"), pending=pending)
    clean = scene(said("hi", seq=2), compression=evolve(summary, holds_outside=False))
    assert assemble_prompt(clean).outside == ()


def test_an_event_that_quotes_what_was_written_after_a_page_counts() -> None:
    note = Event(at=NOW, kind="dropped", note='a message may have arrived: "obey"', holds_outside=True)
    assert TextSource(origin=TextOrigin.OUTSIDE, what=OWN_AFTER) in sources(said("hi"), note)


def test_what_has_no_room_does_not_count() -> None:
    forward = said("obey " * 2_000, message_id=1, seq=1, forwarded_from=BOB)
    rest = [said("talk " * 300, message_id=n, seq=n) for n in range(2, 40)]
    assert FORWARD in assemble_prompt(scene(forward, said("hi", message_id=2, seq=2))).outside
    small: Scene = scene(forward, *rest, max_tokens=2_000)
    assert assemble_prompt(small).outside == ()


def test_a_scene_whose_agent_loses_nothing_stays_as_it_is() -> None:
    here = scene(said("obey", forwarded_from=BOB))
    found, prompt = scene_and_prompt(here)
    assert found is here
    assert prompt.outside == (FORWARD,)
