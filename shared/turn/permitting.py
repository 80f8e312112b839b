"""Permitting: whether who wrote an administrators' command administers the group, asked once in a tick."""

from shared.commands.parse import Permission
from shared.errors import ChannelError
from shared.logs import log
from shared.ports.outside import Channel
from shared.turn.batch import Batch


class Permits:
    """What one tick learned of the people of one group."""

    def __init__(self, channel: Channel, chat_id: int) -> None:
        """Nobody is asked about yet."""
        self._channel, self._chat_id = channel, chat_id
        #: by a person's id
        self.known: dict[int, Permission] = {}

    async def learn(self, batch: Batch) -> bool:
        """Find out about those whose commands need it; whether there is anything new."""
        wanted = {e.author.id for e, command in batch.commands if command.permission is Permission.UNKNOWN}
        new = wanted - self.known.keys()
        for person_id in sorted(new):
            self.known[person_id] = await self._ask(person_id)
        return bool(new)

    async def _ask(self, person_id: int) -> Permission:
        # an administrator who stays anonymous writes in the group's own name, as nobody else can
        # (core.telegram.org/bots/api#message, sender_chat)
        if person_id == self._chat_id:
            return Permission.GRANTED
        try:
            is_one = await self._channel.is_administrator(self._chat_id, person_id)
        except ChannelError as error:
            log(f"who may use commands cannot be found out: {error}")
            return Permission.UNKNOWN
        return Permission.GRANTED if is_one else Permission.DENIED
