"""The clients and settings that the console's views work with."""

import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.base.logs import log
from shared.base.root import ROOT
from shared.chat.queue import JobQueue, TickQueue
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.console.deployment import DeploymentFacts
from shared.console.knowledge import KnowledgeSettings
from shared.console.listening import ChangeFeed, LiveStreams
from shared.console.records import Click, ConsoleRecord, FirestoreConsoleRecords, look_id, record_id
from shared.console.request import BadRequest, ConsoleRequest, NotFound
from shared.console.web_talks import WebTalks
from shared.planning.personas.files import load_fronts
from shared.spending.policy import SpendingPolicy
from shared.values.agent import FrontMatter
from shared.values.capabilities import is_listed, may_describe
from shared.values.media import MediaKind


@dataclass(frozen=True, kw_only=True)
class ConsoleServices:
    """The clients of database and queues, the clock, and the settings that views need.

    `agents` are all agents of the deployment, not only those of one owner. `functions` are the addresses of the
    functions that the console may call with its own identity. If `media_bucket` is empty, no files are stored.
    """

    client: AsyncClient
    project: str
    clock: Callable[[], datetime]
    jobs: JobQueue
    agents: frozenset[str] = frozenset()
    agent_folders: tuple[Path, ...] = (ROOT / "agents",)
    media_bucket: str = ""
    #: whether the deployment can send exports; and whether it runs on one machine, where the logs are files
    has_exports: bool = False
    is_local: bool = False
    functions: Mapping[str, str] = field(default_factory=dict)
    knowledge: KnowledgeSettings = field(default_factory=KnowledgeSettings)
    #: returns the limits of the settings and the personas; and whether agents answer everybody (`LULL_OPEN`)
    spending: Callable[[], SpendingPolicy] = SpendingPolicy
    is_open: bool = False
    #: returns what is deployed, with the settings that may be shown
    deployment: Callable[[], DeploymentFacts] = DeploymentFacts
    #: the key that signs what the page keeps for the console
    secret: str = field(default_factory=secrets.token_hex, repr=False)

    @cached_property
    def fronts(self) -> Mapping[str, FrontMatter]:
        """The front matter of each agent's persona. Raises InvalidPersona."""
        return load_fronts(self.agent_folders)

    @cached_property
    def stored_kinds(self) -> list[str]:
        """The kinds of Telegram files that a model describes. Decoded parts of such files may be stored."""
        model = self.knowledge.media_model if self.media_bucket else ""
        # the settings of other functions, which the console does not have, say what an unlisted model takes
        return [one.value for one in MediaKind if model and (may_describe(model, one) or not is_listed(model))]

    @cached_property
    def ticks(self) -> TickQueue:
        """The queue through which a view starts a tick of a chat."""
        return TickQueue(self.jobs)

    @cached_property
    def web_talks(self) -> WebTalks:
        """The object that reads web conversations and receives the page's posts; the same one for all requests."""
        return WebTalks(client=self.client, project=self.project, ticks=self.ticks, clock=self.clock)

    @cached_property
    def access_lists(self) -> FirestoreAccessLists:
        """The access lists of all agents, cached for a short time, since they may contain thousands of people."""
        return FirestoreAccessLists(self.client, self.clock)

    @cached_property
    def changes(self) -> ChangeFeed:
        """The feed of database changes for open tabs."""
        return ChangeFeed(self.client, self.agents, self.clock)

    @cached_property
    def streams(self) -> LiveStreams:
        """The open event streams to this instance's tabs."""
        return LiveStreams()

    @asynccontextmanager
    async def record_change(self, request: ConsoleRequest, action: str, about: str = "") -> AsyncIterator[Click]:
        """Record the change that the `async with` block makes, in the log and in a document that is kept for 90 days.

        The document is stored first, so that there is no change without a record. A repeated request uses the record
        of the first request. If the change is refused, the record is deleted. `action` names the button; `about` is
        the id of the changed thing, or "" for a person. Neither contains anything that people wrote.
        """
        records = FirestoreConsoleRecords(self.client)
        click = await records.begin(
            ConsoleRecord(
                id=record_id(request.owner, action, request.click or secrets.token_hex(16)),
                at=self.clock(),
                person=request.owner,
                agents=request.agents,
                action=action,
                about=about,
            )
        )
        try:
            yield click
        except (BadRequest, NotFound):
            if not click.is_repeated:
                await records.remove(click.id)
            raise
        log("the owner changed something in the console", action=action, about=about, owner=request.owner)

    async def record_look(self, request: ConsoleRequest, action: str, about: str) -> None:
        """Record that the owner read something private. The same thing is recorded at most once a day."""
        now = self.clock()
        kept = ConsoleRecord(
            id=look_id(request.owner, action, about, now),
            at=now,
            person=request.owner,
            agents=request.agents,
            action=action,
            about=about,
        )
        await FirestoreConsoleRecords(self.client).keep(kept)
