"""What a message of the agent's quotes, as the transcript has it."""

from collections.abc import Sequence

from shared.models.message import EXCERPT_CHARACTERS, AnyEntry, Edit, Message, Quote


def quote_in(entries: Sequence[AnyEntry], message_id: int | None) -> Quote | None:
    """The quote of a message, as it reads since its latest edit; with its id alone if it is not among the entries.

    None for no message.
    """
    if message_id is None:
        return None
    of_it = [entry for entry in entries if isinstance(entry, Message | Edit) and entry.message_id == message_id]
    if not of_it:
        return Quote(message_id=message_id)
    first, newest = of_it[0], of_it[-1]
    return Quote(
        message_id=message_id,
        author=first.author,
        forwarded_from=first.forwarded_from if isinstance(first, Message) else None,
        excerpt=(newest.text or newest.media or first.media)[:EXCERPT_CHARACTERS],
    )
