"""/join: lets a person in by an invitation.

An invitation's link sends `/start invite_CODE`, which means `/join CODE`.
"""

from dataclasses import dataclass

from shared.access.commands.waiting import answer_waiting_chat
from shared.access.notices import OwnerNotice, owner_notice_id
from shared.access.store.invitations import FirestoreInvitations
from shared.access.store.requests import FirestoreAccessRequests
from shared.base.logs import log
from shared.base.wording.words import words_in
from shared.chat.queue import TickQueue
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.outbox import FirestoreOutbox
from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, DeepLink, Scope, verbatim
from shared.llm.ports.world import PortRegistry
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.invitation import INVITATION_MARK, Redemption, invitation_id
from shared.values.outbox import NoticeButton
from shared.values.trust import AdmissionSource, AdmittedPerson, TrustTier


@dataclass(frozen=True)
class JoinResult:
    """The outcome of opening an invitation.

    If the person was let in, the result names the owner, who must be notified.
    """

    redemption: Redemption
    owner: int = 0
    invitation: str = ""
    #: the owner's language, from their chat with the agent
    language: str = ""


async def join(request: CommandRequest, ports: PortRegistry) -> JoinResult | None:
    """Redeem a code; return None if there is no code, or in a group. Raises a StoreError or QueueError."""
    # in a group others read the code, and the quickest would be let in
    if not request.argument or request.chat.kind is not ChatKind.PRIVATE:
        return None
    agent, person = request.chat.key.agent, request.person
    invitation = invitation_id(agent, request.argument)
    owner = (await ports[FirestoreAccessLists].access_list(agent)).owner
    entry = AdmittedPerson(
        id=person.id,
        name=person.name,
        since=request.now,
        by=owner,
        via=AdmissionSource.INVITATION,
        invitation=invitation,
    )
    redemption = await ports[FirestoreInvitations].redeem(agent, invitation, entry)
    log("an invitation was opened", outcome=redemption)
    word = owner_notice_id(agent, *_notice_name(invitation, person.id))
    if redemption is Redemption.REPEATED and not await ports[FirestoreOutbox].has(word):
        redemption = Redemption.LET_IN  # the notice to the owner was not stored yet, so it is made now
    if redemption is not Redemption.LET_IN:
        return JoinResult(redemption)
    await answer_waiting_chat(request.chat.key, ports, request.now, is_greeted=True)
    if not owner:
        return JoinResult(redemption)
    # the id of a private chat is the person's id (core.telegram.org/bots/api#chat)
    theirs = (await ports[FirestoreChats].see(ChatKey(agent=agent, chat_id=owner))).chat
    return JoinResult(redemption, owner, invitation, theirs.locale.last_language)


def respond(request: CommandRequest) -> CommandResponse:
    """Return the response with the outcome, and the owner's notice about the new person."""
    words, found = request.words, request.result
    if request.chat.kind is not ChatKind.PRIVATE:
        return CommandResponse(text=words.say("claim.not_here"))
    if not isinstance(found, JoinResult):
        return CommandResponse(text=words.say("join.usage"))
    match found.redemption:
        case Redemption.LET_IN:
            told = (_owner_notice(request, found).to_outbox(request.now),) if found.owner else ()
            text = words.say("join.let_in", agent=verbatim(request.agent.name))
            return CommandResponse(text=text, notices=told, changes={"asked_access_at": None})
        case Redemption.IS_IN | Redemption.REPEATED:
            return CommandResponse(text=words.say("join.is_in"))
        case Redemption.OVER:
            return CommandResponse(text=words.say("join.over"))
        case Redemption.FULL:
            return CommandResponse(text=words.say("join.full"))


def _owner_notice(request: CommandRequest, found: JoinResult) -> OwnerNotice:
    """Return the notice that tells the owner about the new person, with a button that undoes the join."""
    words, person = words_in(found.language), request.person
    name = verbatim(person.name) or verbatim(f"@{person.username}") or str(person.id)
    return OwnerNotice(
        agent=request.chat.key.agent,
        owner=found.owner,
        of=_notice_name(found.invitation, person.id),
        text=words.say("join.told", name=name, id=person.id),
        offers=(NoticeButton(text=words.say("people.show"), command="people", argument=f"o{person.id}"),),
        about=person.id,
        language=found.language,
    )


def _notice_name(invitation: str, person: int) -> tuple[str, ...]:
    """Return the parts of the notice's id. They are the same at each try, so that the owner gets the notice once."""
    return "joined", invitation, str(person)


COMMAND = Command(
    name="join",
    order=97,
    deep_link=DeepLink(link_mark=INVITATION_MARK, is_over_for=frozenset({TrustTier.OWNER, TrustTier.KNOWN})),
    takes_argument=True,
    scope=Scope.PRIVATE,
    audience=Audience.EVERYONE,  # strangers must be able to use it; a blocked person stays blocked
    respond=respond,
    effect=join,
    needs=(
        FirestoreAccessRequests,
        FirestoreChats,
        FirestoreInvitations,
        FirestoreOutbox,
        FirestoreAccessLists,
        TickQueue,
    ),
)
