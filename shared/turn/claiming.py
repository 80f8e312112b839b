"""Claiming: what a command about the agent's owner finds, and makes, of it; before it is answered.

The owner is kept in a write of its own, ahead of the chat's: the first who shows the code is the owner, and if the tick
dies after that, the next one finds the same person to be the owner and says the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from shared.commands.parse import Command
from shared.errors import ChannelError
from shared.logs import log
from shared.models.channel import BotIdentity
from shared.models.chat import ChatKind
from shared.models.registration import Claim, ClaimOutcome, is_code
from shared.ports.chats import Owners
from shared.ports.outside import Channel
from shared.turn.batch import Batch


@dataclass(frozen=True, kw_only=True)
class Claiming:
    """What claiming one agent needs; `code` is the one that makes somebody its owner."""

    owners: Owners
    agent: str
    code: str = field(repr=False)
    channel: Channel
    clock: Callable[[], datetime]

    async def settled(self, batch: Batch) -> Batch:
        """The batch with every command about the owner settled; nothing is asked for any other.

        Raises StoreUnavailable; it may be repeated.
        """
        commands = [
            (entry, replace(command, claim=await self._claim(command, entry.author.id, batch.kind)))
            for entry, command in batch.commands
        ]
        return replace(batch, commands=tuple(commands))

    async def _claim(self, command: Command, person_id: int, kind: ChatKind) -> Claim | None:
        if command.button is not None:
            return None
        if command.name == "whoami":
            return self._of(await self.owners.owner(self.agent), person_id)
        # in a group the code is not even looked at: the answer is the same whatever it is
        if command.name != "claim" or not command.argument or kind is not ChatKind.PRIVATE:
            return None
        if not is_code(command.argument, self.code):
            log("a claim of the agent has a wrong code")
            return Claim(outcome=ClaimOutcome.WRONG_CODE)
        found = self._of(await self.owners.claim(self.agent, person_id, self.clock()), person_id)
        log("a claim of the agent has the right code", outcome=found.outcome)
        return replace(found, identity=await self._identity()) if found.outcome is ClaimOutcome.IS_OWNER else found

    def _of(self, owner: int | None, person_id: int) -> Claim:
        is_owner = owner == person_id
        return Claim(outcome=ClaimOutcome.IS_OWNER if is_owner else ClaimOutcome.HAS_ANOTHER)

    async def _identity(self) -> BotIdentity | None:
        try:
            return await self.channel.identity()
        except ChannelError as error:
            log(f"how the bot is set up cannot be told: {error}")
            return None
