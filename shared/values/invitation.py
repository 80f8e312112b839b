"""Invitations: links of the owner's that let people in, so many of them, until a moment."""

import hashlib
from datetime import datetime, timedelta
from enum import StrEnum
from secrets import token_urlsafe
from typing import Final

from pydantic import BaseModel, ConfigDict

#: so many of an agent may be open at once, and so many people may one let in
MOST_OPEN: Final = 50
MOST_USES: Final = 500
#: what the parameter of a link begins with (core.telegram.org/bots/features#deep-linking: 64 characters in all)
INVITATION_MARK: Final = "invite_"
#: 128 bits, in 22 letters, digits, `_` and `-`
_CODE_BYTES: Final = 16
#: letters of an id: with the letter of a choice before it, a button can carry it
_ID_LETTERS: Final = 16


class Invitation(BaseModel):
    """An invitation as it is kept: nothing of it tells its code."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    #: of its code (`invitation_id`)
    id: str
    by: int
    made_at: datetime
    #: from then on it lets nobody in
    until: datetime
    #: how many people it lets in, and how many it has let in
    most: int
    used: int = 0

    def is_open(self, now: datetime) -> bool:
        """Whether it lets somebody in."""
        return self.used < self.most and now < self.until


#: so long after somebody came in by an invitation, opening it again counts as the same
REPEATED: Final = timedelta(days=1)


class Redemption(StrEnum):
    """What came of opening an invitation."""

    LET_IN = "let in"
    #: who opened it was let in before, or owns the agent: it was not used for them
    IS_IN = "is in"
    #: who opened it came in by it within REPEATED: the tick that let them in may have died before it told anybody
    REPEATED = "repeated"
    #: there is none of that code, or it is used up, over or taken back; or who opened it is blocked
    OVER = "over"
    #: the access list has no room for one more
    FULL = "full"


def new_code() -> str:
    """A code that nobody can guess."""
    return token_urlsafe(_CODE_BYTES)


def invitation_id(agent: str, code: str) -> str:
    """Under what an invitation is kept: a hash of its code, which is stored nowhere."""
    return hashlib.sha256(f"invitation {agent} {code.strip()}".encode(errors="replace")).hexdigest()[:_ID_LETTERS]


def invitation_link(username: str, code: str) -> str:
    """What is opened in Telegram to be let in."""
    return f"https://t.me/{username}?start={INVITATION_MARK}{code}"
