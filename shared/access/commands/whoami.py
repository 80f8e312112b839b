"""/whoami: shows what lull knows of the person and the chat."""

from shared.base.wording.words import Phrase, bullet_list
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim
from shared.llm.ports.world import PortRegistry
from shared.values.trust import NOW, TrustTier


async def tier(request: CommandRequest, ports: PortRegistry) -> TrustTier:
    """Return the person's tier of trust in this chat. Costs a read. Raises StoreUnavailable or StoreRefused."""
    key = request.chat.key
    return (await ports[FirestoreAccessLists].access_list(key.agent, NOW)).tier_of(request.person.id, key.chat_id)


def respond(request: CommandRequest) -> CommandResponse:
    """Return the person's name, id, tier and language, and the ids of the chat and the conversation."""
    person, chat, words = request.person, request.chat, request.words
    name = f"{verbatim(person.name)} (@{verbatim(person.username)})" if person.username else verbatim(person.name)
    language, topic = verbatim(request.language), chat.key.topic_id
    return CommandResponse(
        text=bullet_list(
            words.say("whoami.name", name=name),
            words.say("whoami.id", id=person.id),
            _trust(request),
            words.say("whoami.language", language=language) if language else words.say("whoami.no_language"),
            words.say("whoami.topic", chat=chat.key.chat_id, topic=topic)
            if topic
            else words.say("whoami.chat", chat=chat.key.chat_id),
            words.say("whoami.conversation", conversation=chat.conversation),
        )
    )


def _trust(request: CommandRequest) -> Phrase:
    match request.result:
        case TrustTier.OWNER:
            return request.words.say("whoami.owner")
        case TrustTier.KNOWN:
            return request.words.say("whoami.known")
    return request.words.say("whoami.no_trust")


COMMAND = Command(
    name="whoami",
    order=90,
    respond=respond,
    effect=tier,
    needs=(FirestoreAccessLists,),
)
