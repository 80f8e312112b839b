"""The command /forget: asks what to delete, deletes all data about a person, a group or a conversation, and sends a
receipt.

In a private chat, the data of the person who asks is deleted. In a group, it is the group's data, and only
administrators may ask.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from shared.base.errors import ChannelError
from shared.base.logs import log
from shared.base.wording.words import Words
from shared.chat.store.people import FirestorePeople
from shared.commands.command import Audience, ButtonHandler, Command, CommandRequest, CommandResponse
from shared.llm.ports.world import MessagingChannel, PortRegistry
from shared.privacy.store.deletions import FirestoreDeletions
from shared.reminders.commands.zone import zone_of
from shared.reminders.times.rule_text import moment_text
from shared.values.button_data import button_data
from shared.values.channel import Button
from shared.values.deletion import GRACE, Deletion, DeletionScope, deletion_id

#: letters in the data of buttons: delete the person, the group, the conversation, or nothing
PERSON, GROUP, CONVERSATION, NOTHING = "p", "g", "c", "n"
_SCOPES: Final = {
    PERSON: DeletionScope.PERSON,
    GROUP: DeletionScope.GROUP,
    CONVERSATION: DeletionScope.CONVERSATION,
}
#: the time after which a person may ask to be forgotten again
LATELY: Final = timedelta(days=1)


class ForgetResult(StrEnum):
    """The result of the command, or of a button press."""

    ASKED = "asked"
    DENIED = "denied"
    BEGUN = "begun"
    NOTHING = "nothing"


@dataclass(frozen=True)
class ForgetCooldown:
    """A refusal, since the person asked to be forgotten less than a day ago.

    It has the time from which the person may ask again, and the time zone in which that time is shown.
    """

    may_ask_again_at: datetime
    zone: str


async def offer_deletion(request: CommandRequest, ports: PortRegistry) -> ForgetResult | ForgetCooldown:
    """Return ASKED if the command may ask what to delete; a refusal if nothing may be deleted in this chat now.

    Raises a StoreError.
    """
    if not await _may(request, ports):
        return ForgetResult.DENIED
    lately = await _lately(request, ports) if request.chat.key.is_of_one else None
    return lately or ForgetResult.ASKED


async def _lately(request: CommandRequest, ports: PortRegistry) -> ForgetCooldown | None:
    last = await ports[FirestoreDeletions].asked_last(request.person.id)
    if last is None or request.now - last >= LATELY:
        return None
    return ForgetCooldown(last + LATELY, await zone_of(request, ports))


async def _may(request: CommandRequest, ports: PortRegistry) -> bool:
    chat_id, person = request.chat.key.chat_id, request.person.id
    if request.chat.key.is_of_one or person == chat_id:  # an anonymous administrator writes in the group's name
        return True
    try:
        return await ports[MessagingChannel].is_administrator(chat_id, person)
    except ChannelError as error:
        log(f"cannot check whether a person is an administrator: {error}")
        return False


async def request_deletion(request: CommandRequest, ports: PortRegistry) -> ForgetResult | ForgetCooldown:
    """Request the deletion that a button offers. If a press is delivered twice, the deletion is requested only once.

    Raises a StoreError or a QueueError.
    """
    scope = _SCOPES.get(request.argument)
    is_of_group = scope is DeletionScope.GROUP
    if scope is None or (scope is not DeletionScope.CONVERSATION and is_of_group is request.chat.key.is_of_one):
        return ForgetResult.NOTHING
    if not await _may(request, ports):
        return ForgetResult.DENIED
    deletion = _deletion(request, scope)
    lately = await _lately(request, ports) if deletion.person else None
    if lately is not None and not await ports[FirestoreDeletions].is_asked(deletion.id):
        return lately
    await ports[FirestoreDeletions].ask(deletion)
    return ForgetResult.BEGUN


def _deletion(request: CommandRequest, scope: DeletionScope) -> Deletion:
    key, conversation = request.chat.key, request.named
    is_person = scope is DeletionScope.PERSON
    return Deletion(
        id=deletion_id(key.agent, scope, str(request.person.id if is_person else key.chat_id), conversation),
        scope=scope,
        person=request.person.id if is_person else 0,
        chat=key.id,
        conversation=conversation if scope is DeletionScope.CONVERSATION else "",
        language=request.words.language,
        asked_at=request.now,
        due_at=request.now + GRACE,
    )


def respond(request: CommandRequest) -> CommandResponse:
    """Return the message that asks what to delete, with its buttons."""
    words, is_private, found = request.words, request.chat.key.is_of_one, request.result
    if isinstance(found, ForgetCooldown):
        return _refusal(found, words)
    if found is not ForgetResult.ASKED:
        return CommandResponse(text=words.say("forget.not_here"))
    kind = "person" if is_private else "group"

    def button(name: str, argument: str) -> Button:
        return Button(words.say(f"forget.button_{name}"), button_data("forget", request.chat.conversation, argument))

    buttons = (
        button(kind, PERSON if is_private else GROUP),
        button("conversation", CONVERSATION),
        button("keep", NOTHING),
    )
    return CommandResponse(text=words.say(f"forget.ask_{kind}"), buttons=buttons)


def _refusal(lately: ForgetCooldown, words: Words) -> CommandResponse:
    return CommandResponse(
        text=words.say("forget.lately", time=moment_text(words, lately.may_ask_again_at, lately.zone))
    )


def press(request: CommandRequest) -> CommandResponse:
    """Return the answer to a button press. It takes the place of the question."""
    words = request.words
    match request.result:
        case ForgetCooldown() as lately:
            return _refusal(lately, words)
        case ForgetResult.BEGUN:
            return CommandResponse(text=words.say("forget.begun"))
        case ForgetResult.DENIED:
            return CommandResponse(notice=words.say("forget.not_here"))
        case _:
            return CommandResponse(text=words.say("forget.kept"))


COMMAND = Command(
    name="forget",
    order=95,
    audience=Audience.EVERYONE,  # blocked people may ask to be forgotten too
    respond=respond,
    effect=offer_deletion,
    press=ButtonHandler(respond=press, effect=request_deletion),
    needs=(MessagingChannel, FirestoreDeletions, FirestorePeople),
)
