"""Invitations: links that admit a limited number of people until an expiry time."""

import hashlib
from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from enum import StrEnum
from secrets import token_urlsafe
from typing import Final

from shared.values.evolve import FrozenModel

#: the most open invitations of an agent, and the most people for one
MOST_OPEN: Final = 50
MOST_USES: Final = 500
#: the prefix of a link's parameter (core.telegram.org/bots/features#deep-linking: 64 characters in all)
INVITATION_MARK: Final = "invite_"
#: 128 bits, in 22 letters, digits, `_` and `-`
_CODE_BYTES: Final = 16
#: the letters of a random UUID, as the console's page makes one for each click
_LONG_CLICK: Final = 36
#: the length of an id: a button has room for it after an action's letter
_ID_LETTERS: Final = 16


class Invitation(FrozenModel):
    """A stored invitation. It has only a hash of the code in its link, so the code cannot be read from it."""

    #: the hash of its code (`invitation_id`)
    id: str
    by: int
    made_at: datetime
    #: the end of its time
    until: datetime
    #: how many people it lets in, and how many it has let in
    most: int
    used: int = 0

    def is_open(self, now: datetime) -> bool:
        """Return whether the invitation still admits people: it has not expired and is not used up."""
        return self.used < self.most and now < self.until


#: a person who opens an invitation again within this time counts as repeating it
REPEATED: Final = timedelta(days=1)


class Redemption(StrEnum):
    """The outcomes of opening an invitation."""

    LET_IN = "let in"
    #: the person is already admitted or owns the agent: no use is counted
    IS_IN = "is in"
    #: this invitation admitted the person less than REPEATED ago: the tick may have died before it told anybody
    REPEATED = "repeated"
    #: the code is unknown, used up, expired or revoked; or the person is blocked
    OVER = "over"
    #: the access list is full
    FULL = "full"


def new_code() -> str:
    """Return a new random code that is safe in a URL."""
    return token_urlsafe(_CODE_BYTES)


def code_of_click(click: str) -> str:
    """Return the code that belongs to a click in the console; "" if the click's id is not random enough for one."""
    if len(click) < _LONG_CLICK:
        return ""
    return urlsafe_b64encode(hashlib.sha256(f"code {click}".encode()).digest()[:_CODE_BYTES]).decode().rstrip("=")


def invitation_id(agent: str, code: str) -> str:
    """Return an invitation's id: a hash of its code. The code itself is not stored."""
    return hashlib.sha256(f"invitation {agent} {code.strip()}".encode(errors="replace")).hexdigest()[:_ID_LETTERS]


def invitation_link(username: str, code: str) -> str:
    """Return the t.me link that opens the bot's chat with the invitation's code."""
    return f"https://t.me/{username}?start={INVITATION_MARK}{code}"
