"""Orders: commands and other actions in a chat that the agent's owner requests in the console.

Only ticks write a chat's document. So the console stores an order in the chat's inbox, as the webhook stores an update,
and a tick carries it out as a command of the owner.
"""

from datetime import datetime
from typing import Any, Final

from pydantic import Field, ValidationError

from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import FrozenModel
from shared.values.update import Envelope, InboxUpdate, own_update_id

#: the kind of lull's own updates that are orders; Telegram has no such kind
CONSOLE_ORDER: Final = "console_order"
#: orders that run no command: they send a lost message again, or accept or decline an offer
RESEND: Final = "resend"
ACCEPT_OFFER: Final = "accept_offer"
DECLINE_OFFER: Final = "decline_offer"
#: commands that may also be given for a conversation that the chat has left
FOR_ANY_CONVERSATION: Final = frozenset({"title", "model"})
#: the longest argument; a command's own limits are below it
LONGEST_ARGUMENT: Final = 4_000


class ConsoleOrder(FrozenModel):
    """One order: a command, a press of a command's button, or `RESEND`, `ACCEPT_OFFER` or `DECLINE_OFFER`."""

    #: made by the page for each click; an order with an id that was given before in the same chat changes nothing
    id: str = Field(min_length=8, max_length=80)
    #: the owner's Telegram id
    owner: int
    #: the command's name without the slash
    command: str
    argument: str = Field(default="", max_length=LONGEST_ARGUMENT)
    #: the conversation that the order is for; "" for the chat as a whole. If the chat is in another conversation by
    #: then, commands outside of `FOR_ANY_CONVERSATION` are not run
    conversation: str = ""
    #: whether the order stands for a press of one of the command's buttons, with `argument` as the button's choice
    is_press: bool = False
    #: whether the chat gets the command's answer; a press has none
    is_told: bool = False
    #: the owner's language as an IETF tag; "" if unknown
    language: str = ""

    @property
    def is_command(self) -> bool:
        """True if the order runs a command; False if it resends a message, or accepts or declines an offer."""
        return self.command not in {RESEND, ACCEPT_OFFER, DECLINE_OFFER}

    def is_elsewhere(self, conversation: str) -> bool:
        """Return whether the order is for a conversation other than the chat's current one (`conversation`).

        False for a press, since the command itself checks to which conversation its button belongs.
        """
        return not self.is_press and self.conversation not in {"", conversation}


def order_update(key: ChatKey, order: ConsoleOrder, at: datetime) -> InboxUpdate:
    """Return the update that brings an order to a chat. The same order always gives the same update id.

    The owner is in the field `from`, as the author of a message is, so that deletions treat the order as the owner's
    words.
    """
    update_id = own_update_id(f"{CONSOLE_ORDER} {key.id} {order.id}")
    told: dict[str, Any] = order.model_dump(exclude={"owner"}, exclude_defaults=True)
    told["from"] = {"id": order.owner, "is_bot": False, "first_name": ""}
    # NONE, since the kind of chat is in the chat's document
    envelope = Envelope(update_id=update_id, kind=CONSOLE_ORDER, key=key, chat_kind=ChatKind.NONE)
    return InboxUpdate.own(envelope, told, at)


def order_in(update: InboxUpdate) -> ConsoleOrder | None:
    """Return the order that an update brings; None if it brings none, or if a deletion has emptied it."""
    told = update.raw.get(CONSOLE_ORDER) if update.envelope.kind == CONSOLE_ORDER else None
    author = told.get("from") if isinstance(told, dict) else None
    if not isinstance(told, dict) or not isinstance(author, dict):
        return None
    try:
        return ConsoleOrder.model_validate({**told, "owner": author.get("id")})
    except ValidationError:
        return None
