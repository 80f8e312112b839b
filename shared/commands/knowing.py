"""/whoami: what lull knows of who asks, and where it is."""

from shared.commands.place import Answer, Place
from shared.commands.verbatim import verbatim


def whoami(argument: str, place: Place) -> Answer:
    """The person's name, id, trust and language, and the ids of the chat and the conversation."""
    person, chat = place.person, place.chat
    username = f" (@{verbatim(person.username)})" if person.username else ""
    topic = f", topic `{chat.key.topic_id}`" if chat.key.topic_id else ""
    lines = (
        f"Name: {verbatim(person.name)}{username}",
        f"Id: `{person.id}`",
        "Trust: nothing was set for you",
        f"Language: {verbatim(place.language) or 'Telegram does not say'}",
        f"Chat: `{chat.key.chat_id}`{topic}",
        f"Conversation: `{chat.conversation}`",
    )
    return Answer(text="\n".join(f"- {line}" for line in lines))
