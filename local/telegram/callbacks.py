"""Callback queries (presses of buttons) that a bot has not answered yet."""

from dataclasses import dataclass

from local.telegram.messages import LocalMessage


@dataclass(frozen=True, kw_only=True)
class OpenQuery:
    """A callback query: which bot may answer it, and the message whose button was pressed."""

    bot_id: int
    chat: str
    message_id: int


class CallbackQueries:
    """The callback queries that no bot has answered yet."""

    def __init__(self) -> None:
        self._open: dict[str, OpenQuery] = {}

    def open(self, query_id: str, bot_id: int, message: LocalMessage) -> None:
        """Record the callback query that a press of a button below `message` sent to the bot."""
        self._open[query_id] = OpenQuery(bot_id=bot_id, chat=message.chat, message_id=message.id)

    def answer(self, query_id: str, bot_id: int) -> OpenQuery | None:
        """Close the callback query that this bot answers, and return the query. Return None if the bot has no open
        query with this id.
        """
        query = self._open.get(query_id)
        if query is None or query.bot_id != bot_id:
            return None
        return self._open.pop(query_id)
