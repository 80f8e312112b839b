"""/invite: makes a link that lets a limited number of people in until it expires.

Also lists and revokes open links.
"""

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from shared.access.store.invitations import FirestoreInvitations
from shared.base.wording.dates import day_in
from shared.base.wording.words import Phrase, Words, join_phrases
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.people import FirestorePeople
from shared.commands.command import Audience, ButtonHandler, Command, CommandRequest, CommandResponse, Scope, verbatim
from shared.commands.mute import length_of
from shared.commands.pager import Pager, choice_in
from shared.llm.ports.world import PortRegistry
from shared.reminders.commands.zone import zone_of
from shared.reminders.times.rule_text import moment_text
from shared.values.agent import parse_zone
from shared.values.channel import Button
from shared.values.chat_key import ChatKind
from shared.values.invitation import (
    MOST_OPEN,
    MOST_USES,
    Invitation,
    invitation_id,
    invitation_link,
    new_code,
)

#: the defaults of an invitation
USUAL_USES: Final = 1
USUAL_SPAN: Final = timedelta(days=7)
#: the newest invitations that are listed
MOST_LISTED: Final = 10
#: actions of the buttons: list the open invitations, revoke an invitation
LIST, REVOKE = "l", "r"
_USES: Final = re.compile(r"([0-9]{1,4})(?![^\s])\s*(.*)", re.ASCII)


@dataclass(frozen=True)
class InvitationResult:
    """A new invitation with its link. `invitation` is None if too many are open, or if the argument is unclear."""

    invitation: Invitation | None
    link: str = ""
    is_unclear: bool = False
    #: the owner's time zone
    zone: str = "UTC"


@dataclass(frozen=True)
class OpenInvitations:
    """The open invitations, the newest first, and whether one was just revoked."""

    invitations: tuple[Invitation, ...]
    is_after_revoking: bool = False
    zone: str = "UTC"


async def create_invitation(request: CommandRequest, ports: PortRegistry) -> object:
    """Create an invitation; return None if the author is not the owner. Raises StoreUnavailable."""
    if not await is_owner(request, ports):
        return None
    asked = uses_and_span(request.argument)
    if asked is None:
        return InvitationResult(None, is_unclear=True)
    agent, code = request.chat.key.agent, new_code()
    invitation = Invitation(
        id=invitation_id(agent, code),
        by=request.person.id,
        made_at=request.now,
        until=request.now + asked[1],
        most=asked[0],
    )
    is_kept = await ports[FirestoreInvitations].keep(agent, invitation, request.now)
    if not is_kept:
        return InvitationResult(None)
    return InvitationResult(
        invitation, invitation_link(request.agent.username, code), zone=await zone_of(request, ports)
    )


async def list_or_revoke(request: CommandRequest, ports: PortRegistry) -> object:
    """Return the open invitations, after revoking one if the button says so; None if the person is not the owner."""
    if not await is_owner(request, ports):
        return None
    agent, choice = request.chat.key.agent, choice_in(request)
    is_revoking = choice.action == REVOKE
    if is_revoking:
        await ports[FirestoreInvitations].revoke(agent, choice.of)
    found, zone = await ports[FirestoreInvitations].open(agent, request.now), await zone_of(request, ports)
    return OpenInvitations(tuple(found), is_after_revoking=is_revoking, zone=zone)


async def is_owner(request: CommandRequest, ports: PortRegistry) -> bool:
    """Return whether the request is from the owner, in the owner's private chat."""
    if request.chat.kind is not ChatKind.PRIVATE:
        return False
    access_list = await ports[FirestoreAccessLists].access_list(request.chat.key.agent)
    return access_list.is_claimed and access_list.owner == request.person.id


def uses_and_span(written: str) -> tuple[int, timedelta] | None:
    """Parse a number of people and a length of time: `5 2d`, `5`, `2d` or an empty text. None for any other text."""
    if (span := length_of(written)) is not None:
        return USUAL_USES, span
    found = _USES.fullmatch(written) if written else None
    uses = int(found[1]) if found is not None else USUAL_USES
    rest = found[2] if found is not None else written
    span = length_of(rest) if rest else USUAL_SPAN
    return (uses, span) if span is not None and 0 < uses <= MOST_USES else None


def respond(request: CommandRequest) -> CommandResponse:
    """Return the response with the link, the number of people whom it lets in, and the time when it expires."""
    words, found = request.words, request.result
    if not isinstance(found, InvitationResult):
        return CommandResponse(text=words.say("people.not_owner", command="/invite"))
    if found.is_unclear:
        return CommandResponse(text=words.say("invite.usage", most=MOST_USES))
    if found.invitation is None:
        return CommandResponse(text=words.say("invite.too_many", most=MOST_OPEN), buttons=(_list_button(request),))
    link = f"[{verbatim(found.link.removeprefix('https://'))}]({found.link})"
    told = words.say(
        "invite.made", count=found.invitation.most, until=moment_text(words, found.invitation.until, found.zone)
    )
    revoke = _pager(request).button(words.say("invite.revoke"), f"{REVOKE}{found.invitation.id}")
    text = join_phrases(told, words.say("invite.link", link=link), by="\n\n")
    return CommandResponse(text=text, buttons=(revoke, _list_button(request)), is_apart=True)


def press(request: CommandRequest) -> CommandResponse:
    """Return the list of open invitations, each with a button that revokes it."""
    words, found = request.words, request.result
    if not isinstance(found, OpenInvitations):
        return CommandResponse(notice=words.say("button.others"))
    listed = words.say("invite.listed") if found.invitations else words.say("invite.none")
    done = words.say("invite.revoked") if found.is_after_revoking else None
    buttons = [
        _pager(request).button(_label(one, words, found.zone), f"{REVOKE}{one.id}")
        for one in found.invitations[:MOST_LISTED]
    ]
    text = join_phrases(done, listed, by="\n\n") if done is not None else listed
    return CommandResponse(text=text, buttons=tuple(buttons), is_apart=True)


def _label(one: Invitation, words: Words, zone: str) -> Phrase:
    """Return a button's label: how many people the invitation still lets in, and when it expires."""
    until = one.until.astimezone(parse_zone(zone))
    told = words.say("when.date_time", date=day_in(words, until.month, until.day), time=f"{until:%H:%M}")
    return words.say("invite.left", left=one.most - one.used, most=one.most, until=told)


def _list_button(request: CommandRequest) -> Button:
    return _pager(request).button(request.words.say("invite.list"), LIST)


def _pager(request: CommandRequest) -> Pager:
    return Pager(command="invite", request=request)


COMMAND = Command(
    name="invite",
    order=102,
    takes_argument=True,
    scope=Scope.PRIVATE,
    audience=Audience.OWNER,
    respond=respond,
    effect=create_invitation,
    press=ButtonHandler(respond=press, effect=list_or_revoke, is_for_any_conversation=True),
    needs=(FirestoreInvitations, FirestorePeople, FirestoreAccessLists),
)
