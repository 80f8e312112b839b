"""An observation: a short dated statement about somebody or something that was said in a conversation."""

from datetime import date, datetime

from pydantic import BaseModel, ConfigDict


class Observation(BaseModel):
    """What the model noted of a conversation. Its words are never rewritten: one that contradicts it names it."""

    model_config = ConfigDict(frozen=True)

    id: str
    conversation: str
    agent: str
    place: str
    text: str
    #: the ids of the people that it is about
    about: tuple[int, ...] = ()
    #: the civil date of what it tells: "2026-05-08", "2026-05", "2026"; empty: not known
    happened: str = ""
    #: the numbers of the entries that it comes from
    entries: tuple[int, ...]
    made_at: datetime
    #: the id of the older one that it contradicts; empty: none
    supersedes: str = ""
    #: what of the entries that it comes from is from outside, in lull's own words; empty: nothing
    outside: str = ""
    #: when the newest of these entries was written; none: it is of before that was kept
    said_at: datetime | None = None
    #: since when a newer one contradicts it; none: none does. All that is ever written to it once it is made
    superseded_on: date | None = None
