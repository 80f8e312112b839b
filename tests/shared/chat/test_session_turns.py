"""Turns: people's messages and the agent's answer to them have the same number."""

from hypothesis import given
from hypothesis import strategies as st

from shared.chat.conversation import number_entry
from shared.values.chat import Chat
from shared.values.message import AnyEntry, Event, Message, Reaction
from tests.shared.examples import ANN, BOB, KEY, ME, NOW, PROPERTY, said


def turns(entries: list[AnyEntry]) -> list[int]:
    """List the turn of each entry; 0 if it has none."""
    chat, found = Chat(key=KEY), list[AnyEntry]()
    for entry in entries:
        chat, stored = number_entry(chat, entry)
        found.append(stored)
    assert [entry.seq for entry in found] == list(range(1, len(entries) + 1))
    assert chat.talk.seq == len(entries)
    return [entry.turn if isinstance(entry, Message) else 0 for entry in found]


def test_a_turn_is_what_people_wrote_and_the_answer_to_it() -> None:
    assert turns([said("x", author) for author in (ANN, BOB, ME, ME, ANN, ME)]) == [1, 1, 1, 1, 2, 2]


def test_a_command_and_the_answer_to_it_are_no_turn() -> None:
    commands: list[AnyEntry] = [said("/help", is_command=True), said("So.", ME, is_command=True)]
    found = turns([said("hi"), *commands, said("there?"), said("Yes.", ME), *commands, said("good")])
    assert found == [1, 0, 0, 1, 1, 0, 0, 2]


def test_counts_the_agents_first_message_as_a_turn() -> None:
    assert turns([said("x", ME), said("x", ME), said("x")]) == [1, 1, 2]


def test_events_have_no_turn_and_end_none() -> None:
    happened: list[AnyEntry] = [
        Event(at=NOW, kind="plan"), Reaction(at=NOW, message_id=1, author=ANN), said("Bob joined", is_service=True)
    ]  # fmt: skip
    assert turns([said("x"), *happened, said("x", ME), *happened, said("x")]) == [1, 0, 0, 0, 1, 0, 0, 0, 2]


@PROPERTY
@given(st.lists(st.booleans(), max_size=40))
def test_it_rises_by_one_where_somebody_writes_after_the_agent(by_agent: list[bool]) -> None:
    found = turns([said("x", ME if own else ANN) for own in by_agent])
    assert found[:1] in ([], [1])
    for place in range(1, len(found)):
        assert found[place] - found[place - 1] == (by_agent[place - 1] and not by_agent[place])
