"""Places in a transcript, and turns."""

from shared.models.chat import Chat
from shared.session.conversation import numbered
from tests.shared.values import KEY, ME, said


def test_a_turn_is_what_people_wrote_and_its_answer() -> None:
    chat, turns = Chat(key=KEY), list[tuple[int, int]]()
    for entry in (said("a"), said("b"), said("c", author=ME), said("d")):
        chat, stored = numbered(chat, entry)
        turns.append((stored.seq, stored.model_dump()["turn"]))
    assert turns == [(1, 1), (2, 1), (3, 1), (4, 2)]
