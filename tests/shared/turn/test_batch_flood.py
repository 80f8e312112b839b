"""A flood: its messages are read in a time that grows with their number alone, since others wait for the same loop."""

from collections.abc import Sequence

import pytest

from shared.deciding.circumstances import OwnIdentity
from shared.planning.prompt.assemble import scene_and_prompt
from shared.turn.batch import read_batch
from shared.turn.quarantine import BATCH_UPDATES
from shared.turn.situation import ChatSituation
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Author
from shared.values.update import InboxUpdate
from tests.shared.examples import ANN, BOB, GROUP, ME, message_update, private_chat, update_of
from tests.shared.planning.prompt.scenes import scene
from tests.shared.steps import steps_of

SELF = OwnIdentity(ME.id, "lull_bot", ("lull",))
#: the allowed factor of steps for twice as many messages
TWICE = 2.3
CHATS = pytest.mark.parametrize(
    ("chat", "authors"), [(private_chat(ANN), [ANN]), (GROUP, [ANN, BOB, ANN])], ids=["private", "group"]
)


def updates(count: int, chat: dict[str, object], authors: Sequence[Author], first: int = 1) -> list[InboxUpdate]:
    wrote = (authors[n % len(authors)] for n in range(count))
    raws = (message_update(first + n, f"and another, {n}", author, chat=chat) for n, author in enumerate(wrote))
    return [update_of(raw) for raw in raws]


def window(count: int, chat: dict[str, object], authors: Sequence[Author]) -> tuple[AnyEntry, ...]:
    said = read_batch(updates(count, chat, authors), ChatSituation(me=SELF)).entries
    return tuple(evolve(entry, seq=n) for n, entry in enumerate(said, 1))


def flood(count: int, chat: dict[str, object], authors: Sequence[Author]) -> tuple[list[InboxUpdate], ChatSituation]:
    return updates(count, chat, authors, 1_000), ChatSituation(me=SELF, window=window(count, chat, authors))


@CHATS
def test_twice_as_many_messages_are_twice_the_work_to_decide_on(
    chat: dict[str, object], authors: Sequence[Author]
) -> None:
    half, whole = (flood(count, chat, authors) for count in (BATCH_UPDATES // 2, BATCH_UPDATES))
    assert steps_of(lambda: read_batch(*whole)) < TWICE * steps_of(lambda: read_batch(*half))


def test_twice_as_many_messages_are_twice_the_work_to_show() -> None:
    def prompted(count: int) -> int:
        unread, situation = flood(count, private_chat(ANN), [ANN])
        batch = read_batch(unread, situation)
        asked = [message.message_id for message in batch.targets]
        assert len(asked) == count
        shown = scene(*situation.window, *batch.entries, targets=asked)
        return steps_of(lambda: scene_and_prompt(shown))

    assert prompted(BATCH_UPDATES) < TWICE * prompted(BATCH_UPDATES // 2)
