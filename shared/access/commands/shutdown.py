"""/shutdown: silences the agent in this chat until /wake. The owner may silence it in all chats."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from shared.access.notices import OwnerNotice, owner_notice_id
from shared.base.wording.words import words_in
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.outbox import FirestoreOutbox
from shared.commands.command import (
    Audience,
    ButtonHandler,
    Command,
    CommandRequest,
    CommandResponse,
    PlanCancellation,
    verbatim,
)
from shared.llm.ports.world import PortRegistry
from shared.reminders.wake_buttons import owner_wake_buttons, wake_button
from shared.values.access_action import FOREVER
from shared.values.button_data import button_data
from shared.values.channel import Button
from shared.values.chat_key import ChatKey
from shared.values.outbox import OutboxNotice
from shared.values.trust import AgentSilence

#: actions of the buttons: silence everywhere, or here
ANYWHERE, HERE = "e", "h"


@dataclass(frozen=True)
class ShutdownContext:
    """The owner and the owner's language, whether the owner is the one who asks, and whether the owner must be
    notified.
    """

    owner: int = 0
    language: str = ""
    is_owner: bool = False
    is_elsewhere: bool = False
    #: whether the owner was already notified of this chat today
    is_told: bool = False


#: the result after silencing all chats
EVERYWHERE: Final = "everywhere"


async def shutdown_context(request: CommandRequest, ports: PortRegistry) -> object:
    """Return the data for asking the owner what to silence, or for notifying the owner. Raises StoreUnavailable."""
    agent, key = request.chat.key.agent, request.chat.key
    owner = (await ports[FirestoreAccessLists].access_list(agent)).owner
    if not owner or key.chat_id == owner:
        return ShutdownContext(owner, is_owner=owner == request.person.id)
    theirs = (await ports[FirestoreChats].see(ChatKey(agent=agent, chat_id=owner))).chat
    is_told = await ports[FirestoreOutbox].has(owner_notice_id(agent, *_notice_name(request)))
    return ShutdownContext(owner, theirs.locale.last_language, is_elsewhere=True, is_told=is_told)


async def carry_out_choice(request: CommandRequest, ports: PortRegistry) -> object:
    """Silence the agent everywhere if the owner chose that; else return `shutdown_context`. Raises StoreUnavailable."""
    found = await shutdown_context(request, ports)
    if isinstance(found, ShutdownContext) and found.is_owner and request.argument == ANYWHERE:
        silenced = AgentSilence(since=request.now, by=request.person.id)
        await ports[FirestoreAccessLists].set_silenced(request.chat.key.agent, silenced)
        return EVERYWHERE
    return found


def respond(request: CommandRequest) -> CommandResponse:
    """Return a response that asks the owner, in private, whether to silence this chat or all chats. For others, return
    the response that silences this chat and notifies the owner.
    """
    words, found = request.words, request.result
    if isinstance(found, ShutdownContext) and found.is_owner:
        here = partial(button_data, "shutdown", request.chat.conversation)
        buttons = (
            Button(words.say("shutdown.anywhere"), here(ANYWHERE)),
            Button(words.say("shutdown.here"), here(HERE)),
        )
        return CommandResponse(text=words.say("shutdown.asked"), buttons=buttons)
    return _silent_here(request)


def press(request: CommandRequest) -> CommandResponse:
    """Return the response to the owner's choice between this chat and all chats. If the owner chose all chats,
    `carry_out_choice` has already silenced them.
    """
    words, found = request.words, request.result
    if found == EVERYWHERE:
        return CommandResponse(
            text=words.say("shutdown.silenced"), buttons=(wake_button(words, request.chat.conversation),)
        )
    if isinstance(found, ShutdownContext) and found.is_owner and request.argument == HERE:
        return _silent_here(request)
    return CommandResponse(notice=words.say("button.others"))


def _silent_here(request: CommandRequest) -> CommandResponse:
    found = request.result
    told: tuple[OutboxNotice, ...] = ()
    if isinstance(found, ShutdownContext) and found.is_elsewhere and not found.is_told:
        told = (_owner_notice(request, found).to_outbox(request.now),)
    return CommandResponse(
        text=request.words.say("shutdown.done"),
        buttons=(wake_button(request.words, request.chat.conversation),),
        changes={"muted_until": FOREVER},
        notices=told,
    )


def _owner_notice(request: CommandRequest, found: ShutdownContext) -> OwnerNotice:
    """Return the owner's notice that the agent is silent in a chat."""
    chat, words = request.chat, words_in(found.language)
    place = verbatim(chat.title) or verbatim(request.person.name) or str(chat.key.chat_id)
    is_private = chat.key.is_private
    return OwnerNotice(
        agent=chat.key.agent,
        owner=found.owner,
        of=_notice_name(request),
        text=words.say("measure.shut_down_private", name=place)
        if is_private
        else words.say("measure.shut_down", chat=place),
        offers=owner_wake_buttons(words, chat.key),
        about=0 if chat.key.chat_id < 0 else request.person.id,
        language=found.language,
    )


def _notice_name(request: CommandRequest) -> tuple[str, ...]:
    """Return the parts of the notice's id: there is one notice for each chat and day."""
    return "shutdown", request.chat.key.id, f"{request.now:%Y-%m-%d}"


COMMAND = Command(
    name="shutdown",
    order=72,
    audience=Audience.ADMINISTRATORS,
    plan_cancellation=PlanCancellation(),
    respond=respond,
    effect=shutdown_context,
    press=ButtonHandler(respond=press, effect=carry_out_choice, is_for_any_conversation=True),
    needs=(FirestoreChats, FirestoreOutbox, FirestoreAccessLists),
)
