"""Group talk for the tests of deciding: written like the lines of a play, five seconds apart."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from shared.deciding.circumstances import DecisionContext, DecisionSettings, OwnIdentity
from shared.values.chat_key import ChatKind
from shared.values.decision import Decision, DecisionTier
from shared.values.evolve import evolve
from shared.values.message import Author, Message, QuotedMessage
from tests.shared.examples import ANN, BOB, ME, NOW, said

SELF = OwnIdentity(ME.id, "lull_bot", ("lull", "ルル"), frozenset({"help", "mute", "unmute"}))
CEM = Author(id=1_100_000_003, name="Cem Yıldız", username="cem_y")
ROBO = Author(id=5, name="Robo", username="robo_bot", is_bot=True)
PEOPLE = {"Ann": ANN, "Bob": BOB, "Cem": CEM, "lull": ME, "Robo": ROBO}
STEP = timedelta(seconds=5)


def mention(text: str, username: str) -> tuple[dict[str, Any], ...]:
    """Return the entity of the @username in the text."""
    offset = len(text[: text.index(username)].encode("utf-16-le")) // 2
    return ({"type": "mention", "offset": offset, "length": len(username)},)


def command(text: str) -> tuple[dict[str, Any], ...]:
    """Return the entity of the command at the start of the text."""
    return ({"type": "bot_command", "offset": 0, "length": len(text.split()[0])},)


def group(*lines: str, step: timedelta = STEP) -> list[Message]:
    """Return messages from lines: `Ann: text`, `Ann > Bob: text` (a reply to Bob's last message) or `Ann @bot: text` (a
    mention).
    """
    messages: list[Message] = []
    for place, line in enumerate(lines):
        head, _, text = line.partition(": ")
        name, _, target = head.partition(" > ")
        quoted = next((m for m in reversed(messages) if target and m.author == PEOPLE[target]), None)
        word = next((w.rstrip(",?!") for w in text.split() if w.startswith("@")), "")
        entities = command(text) if text.startswith("/") else mention(text, word) if word else ()
        reply = QuotedMessage(message_id=quoted.message_id, author=quoted.author) if quoted else None
        at = NOW + place * step
        messages.append(said(text, PEOPLE[name], place + 1, at=at, entities=entities, reply=reply))
    return messages


def circumstances(
    earlier: Sequence[Message] = (),
    kind: ChatKind = ChatKind.SUPERGROUP,
    is_muted: bool = False,
    **decision_settings: Any,
) -> DecisionContext:
    """Return the context of a decision; `decision_settings` are the agent's settings by name."""
    return DecisionContext(
        kind=kind, me=SELF, decision_settings=DecisionSettings(**decision_settings), is_muted=is_muted, earlier=earlier
    )


def answered(message: Message) -> Message:
    """Return the message as one that the agent chose to answer."""
    return evolve(message, decision=Decision(respond=True, reason="mentioned", tier=DecisionTier.EXPLICIT))
