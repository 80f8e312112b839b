"""Console orders: commands that the owner gives in the console, without a message in the chat."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from shared.base.logs import log
from shared.chat.session import Session
from shared.chat.store.conversations import ConversationChoice, FirestoreConversations
from shared.commands.parse import CommandInvocation, command_ordered
from shared.deciding.access_policy import AccessPolicy
from shared.telegram.inbound.entries import ParsedUpdate
from shared.values.chat import ChatChanges
from shared.values.console_order import CONSOLE_ORDER, FOR_ANY_CONVERSATION, ConsoleOrder
from shared.values.message import Author, ButtonPress, Message
from shared.values.trust import TrustTier
from shared.values.update import InboxUpdate


def ordered_commands(
    read: Iterable[ParsedUpdate], access: AccessPolicy, conversation: str
) -> Iterator[tuple[ButtonPress, CommandInvocation]]:
    """Yield the commands that the owner gave in the console. Each comes with a button press in place of the missing
    message; the transcript does not contain this press.

    `conversation`: the chat's current conversation. An order is left out if the person is no longer the agent's owner.
    It is also left out if the chat has left the order's conversation, unless the command works for any conversation.
    """
    for one in read:
        order = one.order
        if order is None or not order.is_command:
            continue
        is_late = order.is_elsewhere(conversation) and order.command not in FOR_ANY_CONVERSATION
        if is_late or not is_owners(order, access):
            log("an order of the console is left out", update=str(one.update_id), is_late=is_late)
            continue
        invocation = command_ordered(order, conversation)
        if invocation.says_rest:
            invocation = replace(invocation, argument="")  # an order has no text that could be answered
        entry = ButtonPress(
            at=one.entry.at,
            updates=(one.update_id,),
            message_id=0,
            author=Author(id=order.owner, name=""),
            query_id="",
        )
        yield entry, invocation


def is_owners(order: ConsoleOrder, access: AccessPolicy) -> bool:
    """Return whether the agent's owner gave the order; True if the agent is open to everybody (has no access list)."""
    return access.access_list is None or access.tier_of(order.owner) is TrustTier.OWNER


def orders_in(updates: Iterable[InboxUpdate]) -> frozenset[int]:
    """Return the ids of those updates that are orders of the console. Their content is deleted once they are read."""
    return frozenset(one.envelope.update_id for one in updates if one.envelope.kind == CONSOLE_ORDER)


def updates_until(
    updates: Sequence[InboxUpdate], end: Message | ButtonPress, command: CommandInvocation
) -> Sequence[InboxUpdate]:
    """Return the updates up to the one with this command.

    Telegram numbers its updates in order. The id of a console order is random, so its time of arrival is compared.
    """
    last = end.updates[-1]
    if command.order is None:
        return [one for one in updates if one.envelope.update_id <= last]
    at = next(one.received_at for one in updates if one.envelope.update_id == last)
    return [one for one in updates if one.received_at <= at]


async def note_choice(
    session: Session, conversations: FirestoreConversations, order: ConsoleOrder, changes: ChatChanges
) -> None:
    """Store, with the next commit, the title or model that the owner chose for a conversation that the chat has left.

    Nothing is stored if the conversation was deleted meanwhile or belongs to another chat. Raises StoreUnavailable or
    StoreRefused.
    """
    found = await conversations.find(order.conversation)
    title, model = changes.get("conversation_title", ""), changes.get("model", "")
    if found is not None and found.chat in session.chat.ids and (title or model):
        session.note(ConversationChoice(conversation=order.conversation, title=title, model=model))
