"""The notes of a conversation: what lull keeps of it on its document once it rests. They can all be made again."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class Notes(BaseModel):
    """What a conversation's document says of its notes, and what making them needs to know of it.

    Documents of before have none of it: each field has its default.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    #: the id of the chat's document; empty: of a conversation that is not known to belong to one
    chat: str = ""
    chat_title: str = ""
    #: where it was said, which says who may see it (`shared/models/place.py`)
    place: str = ""
    entries: int = 0
    turns: int = 0
    updated_at: datetime | None = None
    #: when it is to be worked on: when it rests, or when what failed is tried again; none: nothing is due
    due_at: datetime | None = None

    #: meeting notes of 100 to 200 tokens; empty: it has none yet
    abbreviation: str = ""
    #: whether it was made from texts from outside, too
    abbreviation_holds_outside: bool = False
    #: the number of the last entry that the abbreviation and the observations speak of
    noted_seq: int = 0
    #: the numbers of earlier entries that they do not speak of yet: whoever wrote them was past their limit
    left_out: tuple[int, ...] = ()
    #: whether the abbreviation could not be made when it was due
    needs_abbreviation: bool = False
    #: how often it failed in a row, and how many entries there were
    failures: int = 0
    failed_seq: int = 0

    title: str = ""
    #: whether a person gave it its title, which nothing else changes then
    manually_named: bool = False
    topics: tuple[str, ...] = ()
    #: the turn at which its title was made; 0: none was
    titled_turn: int = 0

    #: the model that made the vectors of its segments and of its abbreviation; empty: they are still to be made
    embedding_model: str = ""
    #: when somebody who spoke in it was last forgotten: what was made of what was said before is made again
    erased_at: datetime | None = None
