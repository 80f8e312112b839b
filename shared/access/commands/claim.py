"""/claim CODE: the first person who sends the claim code becomes the agent's owner, and sees the bot's settings.

The owner is stored in a separate write, before the chat's commit. If the tick dies after this write, the next tick
finds that the same person is the owner, and gives the same answer.
"""

from dataclasses import dataclass
from enum import StrEnum

from shared.access.bot_setup import joining_text, privacy_text
from shared.base.errors import ChannelError
from shared.base.logs import log
from shared.base.wording.words import Phrase, Words, bullet_list, join_phrases
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from shared.commands.command import Audience, Command, CommandRequest, CommandResponse, DeepLink, Scope, verbatim
from shared.llm.ports.world import MessagingChannel, PortRegistry
from shared.values.channel import BotIdentity
from shared.values.chat_key import ChatKind
from shared.values.registration import LINK_MARK, ClaimCode
from shared.values.trust import TrustTier


class ClaimOutcome(StrEnum):
    """The possible outcomes when a person tries to become the owner."""

    IS_OWNER = "is the owner"
    HAS_ANOTHER = "there is another owner"
    WRONG_CODE = "the code is wrong"


@dataclass(frozen=True, kw_only=True)
class ClaimResult:
    """The outcome of a claim. For the owner it also has the bot's identity, if Telegram returned it."""

    outcome: ClaimOutcome
    identity: BotIdentity | None = None


async def claim(request: CommandRequest, ports: PortRegistry) -> ClaimResult | None:
    """Claim the agent; return None if there is no code, or in a group. Raises StoreUnavailable."""
    # in a group the code is not checked: the response is the same for every code
    if not request.argument or request.chat.kind is not ChatKind.PRIVATE:
        return None
    if not ports[ClaimCode].matches(request.argument):
        log("somebody tried to claim the agent with a wrong code")
        return ClaimResult(outcome=ClaimOutcome.WRONG_CODE)
    owner = await ports[FirestoreOwners].claim(request.chat.key.agent, request.person.id, request.now)
    ports[FirestoreAccessLists].drop(request.chat.key.agent)
    outcome = ClaimOutcome.IS_OWNER if owner == request.person.id else ClaimOutcome.HAS_ANOTHER
    log("somebody sent the right code to claim the agent", outcome=outcome)
    is_owner = outcome is ClaimOutcome.IS_OWNER
    return ClaimResult(outcome=outcome, identity=await _identity(ports[MessagingChannel]) if is_owner else None)


async def _identity(channel: MessagingChannel) -> BotIdentity | None:
    try:
        return await channel.identity()
    except ChannelError as error:
        log(f"the bot's settings could not be read: {error}")
        return None


def respond(request: CommandRequest) -> CommandResponse:
    """Return the response with the outcome. The owner also sees the bot's settings, each time."""
    words = request.words
    if request.chat.kind is not ChatKind.PRIVATE:
        return CommandResponse(text=words.say("claim.not_here"))
    match request.result:
        case ClaimResult(outcome=ClaimOutcome.IS_OWNER, identity=identity):
            return CommandResponse(text=join_phrases(words.say("claim.is_owner"), _setup(identity, words)))
        case ClaimResult(outcome=ClaimOutcome.HAS_ANOTHER):
            return CommandResponse(text=words.say("claim.has_another"))
        case ClaimResult(outcome=ClaimOutcome.WRONG_CODE):
            return CommandResponse(text=words.say("claim.wrong_code"))
        case _:
            return CommandResponse(text=words.say("claim.usage"))


def _setup(identity: BotIdentity | None, words: Words) -> Phrase:
    if identity is None:
        return words.say("claim.setup_unknown")
    bot = verbatim(f"@{identity.username}")
    told = bullet_list(privacy_text(identity, words, bot), joining_text(identity, words, bot))
    return join_phrases(words.say("claim.setup"), told, by="\n\n")


COMMAND = Command(
    name="claim",
    order=98,
    deep_link=DeepLink(link_mark=LINK_MARK, is_over_for=frozenset({TrustTier.OWNER})),
    takes_argument=True,
    scope=Scope.PRIVATE,
    audience=Audience.EVERYONE,
    respond=respond,
    effect=claim,
    needs=(FirestoreOwners, FirestoreAccessLists, MessagingChannel, ClaimCode),
)
