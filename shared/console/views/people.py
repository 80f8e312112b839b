"""People: who is admitted, waits for a decision or is blocked, and the buttons that change this.

Buttons do the same as the owner's commands in Telegram: each gives an order, which a tick carries out. Only an
invitation is stored by this function itself, since its link is shown just once, on the page.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from shared.access.store.invitations import FirestoreInvitations
from shared.access.store.requests import FirestoreAccessRequests
from shared.chat.store.bots import FirestoreBotNames
from shared.console.orders import give_order
from shared.console.people import access_lists_of, overview_of, page_of_list
from shared.console.person import person_view
from shared.console.posted import posted_click, posted_texts
from shared.console.request import own_agent, own_chat
from shared.console.route import BadRequest, ConsoleRequest, ConsoleRoute, NotFound, OutdatedPage
from shared.console.services import ConsoleServices
from shared.values.button_data import written_id
from shared.values.chat_key import ChatKey
from shared.values.console_order import ConsoleOrder
from shared.values.invitation import (
    MOST_OPEN,
    MOST_USES,
    Invitation,
    code_of_click,
    invitation_id,
    invitation_link,
    new_code,
)
from shared.values.trust import NOW

#: by button, the choices of /people for a person and for a group, and of /requests
OF_PERSON: Final = {"let_in": "i", "remove": "s", "block": "b", "unblock": "u"}
OF_GROUP: Final = {"let_in": "j", "remove": "t"}
OF_REQUEST: Final = {"let_in": "l", "once": "o", "block": "b", "leave": "g"}
LISTS: Final = ("people", "groups", "blocked")
#: the longest time of an invitation, and the usual one, in days
MOST_DAYS: Final = 366


async def read_people(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return the owner's agents, and the people of one of them."""
    agent = request.query.get("agent") or min(request.agents, default="")
    own_agent(request, agent)
    fronts = services.fronts
    return {
        "agent": agent,
        "agents": [{"id": one, "name": fronts[one].name if one in fronts else one} for one in sorted(request.agents)],
        **await overview_of(services, agent),
    }


async def read_list(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return a page of people, groups or blocked people. Body: `q`, a part of an id or of a name; `cursor`."""
    agent, kind = own_agent(request, request.path["agent"]), request.path["kind"]
    if kind not in LISTS:
        raise NotFound
    asked = posted_texts(request)
    cursor = asked.get("cursor", "")
    access_list = await access_lists_of(services).access_list(agent, NOW)
    skipped = int(cursor) if cursor.isdecimal() and len(cursor) < 6 else 0
    return page_of_list(access_list, kind, asked.get("q", "")[:100], skipped)


async def read_person(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Return what is known about one person."""
    agent = own_agent(request, request.path["agent"])
    return await person_view(services, agent, number_in(request.path["person"]))


async def act_on_person(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Let a person in, remove them, block or unblock them."""
    agent, person = own_agent(request, request.path["agent"]), number_in(request.path["person"])
    if person == request.owner:
        raise BadRequest("owner_stays")
    action = choice_of(request, OF_PERSON)
    await order(services, request, agent, ("people", f"{OF_PERSON[action]}{written_id(person)}"))
    return {"done": action}


async def act_on_group(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Let a group in, or remove it."""
    agent, group = own_agent(request, request.path["agent"]), number_in(request.path["group"])
    action = choice_of(request, OF_GROUP)
    await order(services, request, agent, ("people", f"{OF_GROUP[action]}{written_id(group)}"))
    return {"done": action}


async def decide_request(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Decide on an access request: let the person in, answer once, or block; or leave a group."""
    agent = own_agent(request, request.path["agent"])
    found = await FirestoreAccessRequests(services.client).find(request.path["request"])
    if found is None or found.agent != agent:
        raise NotFound
    action = choice_of(request, OF_REQUEST)
    await order(services, request, agent, ("requests", f"{OF_REQUEST[action]}{found.id}"))
    return {"done": action}


async def set_silence(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Silence the agent in all chats, or let it answer again."""
    agent, is_on = own_agent(request, request.path["agent"]), _switch(request)
    await order(services, request, agent, ("shutdown", "e") if is_on else ("wake", ""))
    return {"done": is_on}


async def mute_chat(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Mute a chat, or unmute it."""
    agent, is_on = own_agent(request, request.path["agent"]), _switch(request)
    key = own_chat(request.path["chat"], [agent])
    given = ConsoleOrder(
        id=posted_click(request), owner=request.owner, command="mute" if is_on else "unmute", language=request.language
    )
    async with services.record_change(request, given.command, key.id if key.is_group else ""):
        await give_order(services, key, given)
    return {"done": is_on}


async def invite(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Make an invitation. Only this response contains its link: just a hash of the code is stored."""
    agent, body = own_agent(request, request.path["agent"]), request.body
    people, days = _whole(body.get("people"), MOST_USES), _whole(body.get("days"), MOST_DAYS)
    names = await FirestoreBotNames(services.client, services.clock).names(agent)
    newest = max(names.values(), key=lambda one: one.at, default=None)
    username = newest.username if newest is not None else services.fronts[agent].username
    # a repeated request makes the same invitation, since its link was never shown
    code = code_of_click(request.click) or new_code()
    made = invitation_id(agent, code)
    async with services.record_change(request, "invite", made) as click:
        until = click.at + timedelta(days=days)
        invitation = Invitation(id=made, by=request.owner, made_at=click.at, until=until, most=people)
        if not await FirestoreInvitations(services.client, access_lists_of(services)).keep(agent, invitation, click.at):
            raise BadRequest("too_many_invitations", count=MOST_OPEN)
    return {
        "link": invitation_link(username, code),
        "id": invitation.id,
        "until": invitation.until.isoformat(),
        "most": people,
    }


async def revoke_invitation(services: ConsoleServices, request: ConsoleRequest) -> Mapping[str, Any]:
    """Revoke an invitation. People who used it stay admitted."""
    agent, invitation = own_agent(request, request.path["agent"]), request.path["invitation"]
    if not invitation.isalnum() or len(invitation) > 40:
        raise NotFound
    async with services.record_change(request, "revoke an invitation", invitation):
        await FirestoreInvitations(services.client, access_lists_of(services)).revoke(agent, invitation)
    return {"done": True}


async def order(services: ConsoleServices, request: ConsoleRequest, agent: str, press: tuple[str, str]) -> None:
    """Record and give an order in the owner's chat. A tick carries it out like the press of a command's button.

    `press` is the command and the button's choice. Raises BadRequest, StoreUnavailable or QueueError.
    """
    command, choice = press
    given = ConsoleOrder(
        id=posted_click(request),
        owner=request.owner,
        command=command,
        argument=choice,
        is_press=True,
        language=request.language,
    )
    async with services.record_change(request, f"{command} {choice[:1]}".strip()):
        # the id of a private chat is the person's id (core.telegram.org/bots/api#chat)
        await give_order(services, ChatKey(agent=agent, chat_id=request.owner), given)


def number_in(text: str) -> int:
    """Return the id of a person or a group. Raises NotFound if the text is not a number."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and 0 < len(digits) <= 16):
        raise NotFound
    return int(text)


def choice_of(request: ConsoleRequest, choices: Mapping[str, str]) -> str:
    """Return the action that the body names. Raises BadRequest if it is not one of the choices."""
    action = request.body.get("action")
    if not isinstance(action, str) or action not in choices:
        raise OutdatedPage("This button is not known. Load the page again.")
    return action


def _switch(request: ConsoleRequest) -> bool:
    is_on = request.body.get("on")
    if not isinstance(is_on, bool):
        raise OutdatedPage("The switch is neither on nor off. Load the page again.")
    return is_on


def _whole(given: Any, most: int) -> int:
    is_number = isinstance(given, int) and not isinstance(given, bool)
    if not is_number or not 0 < given <= most:
        raise BadRequest("number_out_of_range", most=most)
    return int(given)


_OF_AGENT: Final = "/api/people/{agent}"
ROUTES = (
    ConsoleRoute("GET", "/api/people", read_people),
    ConsoleRoute("POST", f"{_OF_AGENT}/list/{{kind}}", read_list, only_reads=True),
    ConsoleRoute("GET", f"{_OF_AGENT}/person/{{person}}", read_person),
    ConsoleRoute("POST", f"{_OF_AGENT}/person/{{person}}", act_on_person),
    ConsoleRoute("POST", f"{_OF_AGENT}/group/{{group}}", act_on_group),
    ConsoleRoute("POST", f"{_OF_AGENT}/request/{{request}}", decide_request),
    ConsoleRoute("POST", f"{_OF_AGENT}/silence", set_silence),
    ConsoleRoute("POST", f"{_OF_AGENT}/chat/{{chat}}", mute_chat),
    ConsoleRoute("POST", f"{_OF_AGENT}/invite", invite),
    ConsoleRoute("POST", f"{_OF_AGENT}/invitation/{{invitation}}/revoke", revoke_invitation),
)
