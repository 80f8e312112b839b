"""Whether a message is answered, and the reason that is kept with it."""

import pytest

from shared.deciding.rules import Self, decide
from shared.flows.batch import read_batch
from shared.models.chat import ChatKind
from shared.models.decision import Tier
from shared.models.message import Author, Message, Quote
from tests.shared.expected import EXPECTED
from tests.shared.updates import BOT_ID, RAW, USERNAME, stored
from tests.shared.values import ANN, ME, said

SELF = Self(ME.id, "lull_bot")
OTHER_BOT = Author(id=5, name="Robo", is_bot=True)


@pytest.mark.parametrize("name", RAW)
def test_every_message_of_the_collection_is_decided_for_its_reason(name: str) -> None:
    (entry,) = read_batch([stored(name)], Self(BOT_ID, USERNAME)).entries
    decision = entry.decision if isinstance(entry, Message) else None
    assert (decision.reason if decision else "") == EXPECTED[name].reason


@pytest.mark.parametrize(
    ("message", "kind", "reason", "tier"),
    [
        (said("hi"), ChatKind.PRIVATE, "private chat", Tier.CHAT),
        (said("hi", is_service=True), ChatKind.PRIVATE, "an event, nothing said", Tier.NONE),
        (said("hi", author=OTHER_BOT), ChatKind.PRIVATE, "a bot's", Tier.NONE),
        (said("hi", author=ME), ChatKind.GROUP, "the agent's own", Tier.NONE),
        (said("hi", reply=Quote(message_id=1, author=ME)), ChatKind.GROUP, "a reply to the agent", Tier.EXPLICIT),
        (said("hi", reply=Quote(message_id=1, author=ANN)), ChatKind.SUPERGROUP, "not addressed", Tier.NONE),
        (said("hi", reply=Quote(message_id=1)), ChatKind.SUPERGROUP, "not addressed", Tier.NONE),
        (said("hi", author=OTHER_BOT, reply=Quote(message_id=1, author=ME)), ChatKind.GROUP, "a bot's", Tier.NONE),
        (said("hi", reply=Quote(message_id=1, author=ME)), ChatKind.CHANNEL, "a channel's post", Tier.NONE),
        (said("hi"), ChatKind.NONE, "a channel's post", Tier.NONE),
    ],
)
def test_the_reason_and_what_decided(message: Message, kind: ChatKind, reason: str, tier: Tier) -> None:
    decision = decide(message, kind, SELF)
    assert (decision.reason, decision.tier) == (reason, tier)
    assert decision.respond is (tier is not Tier.NONE)
