"""A mark: the owner's verdict on the decision to answer a message, or on the answer."""

from datetime import datetime
from enum import StrEnum

from shared.values.evolve import FrozenModel


class Verdict(StrEnum):
    """The verdicts on a message of a person and the answer to it."""

    RIGHT = "right"
    SHOULD_HAVE_ANSWERED = "should_have_answered"
    SHOULD_HAVE_BEEN_SILENT = "should_have_been_silent"
    #: answering was right, but not what was said
    WRONG_CONTENT = "wrong_content"


class Mark(FrozenModel):
    """The owner's verdict on one message. It contains no text."""

    agent: str
    #: document id of the chat
    chat: str
    conversation: str
    #: number of the person's message in the transcript, its turn, and its id at Telegram
    seq: int
    turn: int = 0
    message_id: int = 0
    #: the person who wrote the message
    person: int
    #: whether the message was answered
    answered: bool
    verdict: Verdict
    #: when it was marked, and by which owner
    at: datetime
    by: int

    @property
    def id(self) -> str:
        """The name of the mark's document. Marking a message again replaces the mark."""
        return mark_id(self.conversation, self.seq)

    @property
    def should_answer(self) -> bool:
        """True if the message should be answered, according to the owner."""
        match self.verdict:
            case Verdict.RIGHT:
                return self.answered
            case Verdict.SHOULD_HAVE_BEEN_SILENT:
                return False
            case _:
                return True


def mark_id(conversation: str, seq: int) -> str:
    """Return the name of the document of a message's mark."""
    return f"{conversation}-{seq}"
