"""What one agent needs to attend to a chat."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.commands.declared import NAMES
from shared.deciding.rules import Manners, Self
from shared.executing.runner import Runner
from shared.models.retry import Budgets
from shared.ports.chats import ChatStore, TickQueue
from shared.turn.answer import Replier
from shared.turn.claiming import Claiming
from shared.turn.judging import Judging


@dataclass(frozen=True, kw_only=True)
class Attendance:
    """One agent's parts. `follow_up` is how long what is said may go on with its last words."""

    chats: ChatStore
    queue: TickQueue
    replier: Replier
    runner: Runner
    follow_up: timedelta
    claiming: Claiming
    budgets: Budgets
    clock: Callable[[], datetime]
    judging: Judging | None = None

    @property
    def me(self) -> Self:
        """Who the agent is."""
        agent = self.replier.agent
        return Self(self.runner.channel.bot_id, agent.front.username, agent.names, NAMES)

    @property
    def active(self) -> timedelta:
        """How long it counts as taking part after anybody spoke, itself included."""
        return self.runner.active

    @property
    def manners(self) -> Manners:
        """How it behaves among people."""
        front = self.replier.agent.front
        return Manners(
            active=self.active,
            follow_up=self.follow_up,
            asks_judge=front.judge and self.judging is not None,
            answers_bots=front.answers_bots,
        )
