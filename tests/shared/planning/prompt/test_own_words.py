"""The agent's own messages and acts in the history."""

from datetime import timedelta

from shared.planning.prompt.history import LONGEST_NOTE, confirmed_task, said_by_lull, waits_in
from shared.tasks.send import Send
from shared.values.evolve import evolve
from tests.shared.examples import ME, NOW, said


def test_what_lull_said_is_one_line_that_is_not_too_long() -> None:
    assert said_by_lull("it was said for you", "a\n b") == "it was said for you: a b"
    assert len(said_by_lull("x", "y" * 1_000)) <= LONGEST_NOTE + len("x: ")


def test_a_task_of_another_version_is_none() -> None:
    assert confirmed_task('{"kind": "send", "text": "hi"}') == Send(id="1", text="hi")
    assert confirmed_task('{"kind": "dance"}') is None
    assert confirmed_task("nonsense") is None


def test_a_wait_is_told_by_its_length() -> None:
    first = said("a", ME, 1, plan="p")
    later = said("b", ME, 2, plan="p", at=NOW + timedelta(seconds=90))
    assert dict(waits_in([first, later])) == {2: 90}
    assert dict(waits_in([first, evolve(later, at=NOW + timedelta(seconds=3))])) == {}
