"""/whoami: what lull knows of who asks, and where it is."""

from shared.commands.place import Answer, Place
from shared.commands.verbatim import verbatim
from shared.models.registration import ClaimOutcome


def whoami(argument: str, place: Place) -> Answer:
    """The person's name, id, trust and language, and the ids of the chat and the conversation."""
    person, chat = place.person, place.chat
    username = f" (@{verbatim(person.username)})" if person.username else ""
    topic = f", topic `{chat.key.topic_id}`" if chat.key.topic_id else ""
    is_owner = place.claim is not None and place.claim.outcome is ClaimOutcome.IS_OWNER
    lines = (
        f"Name: {verbatim(person.name)}{username}",
        f"Id: `{person.id}`",
        f"Trust: {'you are my owner' if is_owner else 'nothing was set for you'}",
        f"Language: {verbatim(place.language) or 'Telegram does not say'}",
        f"Chat: `{chat.key.chat_id}`{topic}",
        f"Conversation: `{chat.conversation}`",
    )
    return Answer(text="\n".join(f"- {line}" for line in lines))
