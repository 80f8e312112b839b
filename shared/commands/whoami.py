"""/whoami: what lull knows of who asks, and where it is."""

from shared.commands.command import Command, CommandRequest, CommandResponse, verbatim
from shared.ports.chats import Owners
from shared.ports.outside import Ports


async def is_owner(request: CommandRequest, ports: Ports) -> bool:
    """Whether the person owns the agent. Raises StoreUnavailable."""
    return await ports[Owners].owner(request.chat.key.agent) == request.person.id


def respond(request: CommandRequest) -> CommandResponse:
    """The person's name, id, trust and language, and the ids of the chat and the conversation."""
    person, chat = request.person, request.chat
    username = f" (@{verbatim(person.username)})" if person.username else ""
    topic = f", topic `{chat.key.topic_id}`" if chat.key.topic_id else ""
    lines = (
        f"Name: {verbatim(person.name)}{username}",
        f"Id: `{person.id}`",
        f"Trust: {'you are my owner' if request.result is True else 'nothing was set for you'}",
        f"Language: {verbatim(request.language) or 'Telegram does not say'}",
        f"Chat: `{chat.key.chat_id}`{topic}",
        f"Conversation: `{chat.conversation}`",
    )
    return CommandResponse(text="\n".join(f"- {line}" for line in lines))


COMMAND = Command(
    name="whoami",
    order=90,
    descriptions={
        "en": "What I know you by",
        "de": "Woran ich dich erkenne",
        "uk": "За чим я вас упізнаю",
    },
    respond=respond,
    effect=is_owner,
    needs=(Owners,),
)
