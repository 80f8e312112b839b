"""Language: the one in which lull says something about a batch."""

from shared.models.chat import Chat
from shared.turn.batch import Batch
from shared.wording.words import Words, words_in


def words_for(batch: Batch, chat: Chat) -> Words:
    """The words in the language of who is answered; in that of who wrote last in the chat, if theirs is not known."""
    asked = (batch.languages.get(update, "") for message in reversed(batch.targets) for update in message.updates)
    last = batch.languages[max(batch.languages)] if batch.languages else chat.last_language
    return words_in(*asked, last)
