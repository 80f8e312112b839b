"""The owners of agents, and the time of each agent's last `/console off`, which ends earlier sign-ins."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import layout, paths
from shared.chat.store.bots import decode_console_off, decode_owner
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors


@dataclass(frozen=True, kw_only=True)
class OwnedAgent:
    """An agent with its owner (None if unclaimed) and its bots. Sign-ins at or before `refused_before` are invalid."""

    agent: str
    owner: int | None
    bots: frozenset[int] = field(default_factory=frozenset)
    refused_before: datetime | None = None


class AgentOwners:
    """Reads the owners of all agents of the deployment. Raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient, agents: Collection[str]) -> None:
        """`client` belongs to the running loop."""
        self.client = client
        self.agents = sorted(agents)

    async def read(self) -> tuple[OwnedAgent, ...]:
        """Return every agent of the deployment, by name. Costs a read for each."""
        documents = [self.client.document(paths.bot_path(agent)) for agent in self.agents]
        fields = ["owner", "names", "console_off_at"]
        found: dict[str, Mapping[str, object]] = {}
        with translate_errors("read the owners of the agents"):
            async for snapshot in self.client.get_all(documents, fields, retry=RETRY, timeout=CALL_SECONDS):
                found[snapshot.id] = snapshot.to_dict() or {}
        return tuple(_agent_in(agent, dict(found.get(agent, {}))) for agent in self.agents)


def agents_of(person: int, owned: Collection[OwnedAgent], since: datetime) -> tuple[str, ...]:
    """Return the agents of a person who signed in at `since`; () if the sign-in is no longer valid.

    A sign-in is for all agents of a person, so `/console off` sent to one of them ends it for all.
    """
    theirs = [one for one in owned if one.owner == person]
    is_over = any(one.refused_before is not None and since <= one.refused_before for one in theirs)
    return () if is_over else tuple(one.agent for one in theirs)


def _agent_in(agent: str, document: layout.Document) -> OwnedAgent:
    names = layout.names_in(document)
    # a former bot's name stays stored, and whoever holds its token could have Telegram sign data
    newest = max(names, key=lambda bot: names[bot]["at"], default=None)
    return OwnedAgent(
        agent=agent,
        owner=decode_owner(document),
        bots=frozenset({int(newest)} if newest is not None else ()),
        refused_before=decode_console_off(document),
    )
