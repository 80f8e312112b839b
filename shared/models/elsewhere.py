"""Elsewhere: which messages of other conversations a plan was shown, so that what it made of them can be found."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict


class Elsewhere(BaseModel):
    """Consecutive messages of another conversation."""

    model_config = ConfigDict(frozen=True)

    conversation: str
    #: Telegram's id of the chat where they were written; a private chat's is its person's
    chat_id: int
    first_seq: int
    last_seq: int
    #: the ids of those who wrote them, besides the agent
    people: tuple[int, ...] = ()

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of the people and the chat that they belong to."""
        return tuple(dict.fromkeys((*self.people, self.chat_id)))


def is_made_of(elsewhere: Sequence[Elsewhere], person: int) -> bool:
    """Return whether something may be made of the words of a person, or of what was said in a group."""
    return any(person in one.ids for one in elsewhere)


@dataclass(frozen=True, kw_only=True)
class ShownElsewhere:
    """Such messages while the model is shown them, with their texts, which are not kept."""

    where: Elsewhere
    #: each text with the id of who wrote it; 0: the agent
    said: Sequence[tuple[int, str]]
