"""/whoami: what lull knows of who asks, and where it is."""

from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim
from shared.ports.chats import Owners
from shared.ports.world import Ports
from shared.wording.words import bulleted


async def is_owner(request: CommandRequest, ports: Ports) -> bool:
    """Whether the person owns the agent. Raises StoreUnavailable."""
    return await ports[Owners].owner(request.chat.key.agent) == request.person.id


def respond(request: CommandRequest) -> CommandResponse:
    """The person's name, id, trust and language, and the ids of the chat and the conversation."""
    person, chat, words = request.person, request.chat, request.words
    name = f"{verbatim(person.name)} (@{verbatim(person.username)})" if person.username else verbatim(person.name)
    language, topic = verbatim(request.language), chat.key.topic_id
    return CommandResponse(
        text=bulleted(
            words.say("whoami.name", name=name),
            words.say("whoami.id", id=person.id),
            words.say("whoami.owner") if request.result is True else words.say("whoami.no_trust"),
            words.say("whoami.language", language=language) if language else words.say("whoami.no_language"),
            words.say("whoami.topic", chat=chat.key.chat_id, topic=topic)
            if topic
            else words.say("whoami.chat", chat=chat.key.chat_id),
            words.say("whoami.conversation", conversation=chat.conversation),
        )
    )


COMMAND = Command(
    name="whoami",
    order=90,
    respond=respond,
    effect=is_owner,
    needs=(Owners,),
)
