"""An agent: a persona with its own bot."""

from collections.abc import Collection
from datetime import UTC, tzinfo
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field

from shared.values.evolve import FrozenModel, evolve
from shared.values.money import AgentLimits


def parse_zone(name: str) -> tzinfo:
    """Return the time zone of a name such as `Europe/Kyiv`. Raises ValueError for an unknown name.

    UTC is found without a time zone database, since a slim machine may have none.
    """
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as cause:  # also for names of folders
        raise ValueError(f"unknown time zone {name!r}; expected a name such as Europe/Kyiv or UTC") from cause


class CuratedMemory(FrozenModel):
    """A memory by the persona's author: about the person with the id `person`, or, if that is 0, known to everyone."""

    person: int = 0
    text: str


class ReplyPace(StrEnum):
    """The pace of an answer: it is sent at once, or after the time that a person would take to type it."""

    INSTANT = "instant"
    HUMAN = "human"


class VoicePolicy(StrEnum):
    """The cases in which the agent answers with voice notes instead of text."""

    NEVER = "never"
    #: answer a voice note by a voice note
    IN_KIND = "in kind"
    ALWAYS = "always"


class StrangerPolicy(StrEnum):
    """The treatment of strangers who write to an agent that does not answer strangers (`open` is false)."""

    ESCALATE = "escalate"  #: ask the owner, and tell the stranger so once
    IGNORE = "ignore"  #: do not answer


class GroupPolicy(StrEnum):
    """The behavior of an agent in a group that the agent's owner has not admitted."""

    WAIT = "wait"  #: stay silent and ask the owner
    LEAVE = "leave"  #: leave the group
    OPEN = "open"  #: answer, as in an admitted group


class Codec(StrEnum):
    """The format in which the model writes a plan: JSON that follows a schema, markdown blocks, or bare text.

    TEXT is for small models: the whole reply is one message, and an empty reply means silence.
    """

    JSON = "json"
    MARKDOWN = "markdown"
    TEXT = "text"


#: t.me/addstickers/<name>
SET_NAME = r"^[A-Za-z][A-Za-z0-9_]{0,63}$"


class OwnSticker(BaseModel):
    """A single sticker that the agent may send. This does not allow the other stickers of its set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    set: str = Field(pattern=SET_NAME, description="The set's name, as in t.me/addstickers/<name>.")
    sticker: str = Field(min_length=1, max_length=64, description="The sticker's emoji.")


class FrontMatter(BaseModel):
    """The YAML front matter of a persona's `agent.md`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1, max_length=64, description="The agent's name in chats.")
    username: str = Field(
        pattern=r"^[A-Za-z][A-Za-z0-9_]{4,31}$", description="Its bot's username on the local page, without @."
    )
    aliases: tuple[str, ...] = Field(default=(), description="Other names that people use for it.")
    prompts: tuple[str, ...] = Field(
        default=("chat",), description="The names of its role prompts, in the order of the prompt."
    )
    pace: ReplyPace = Field(default=ReplyPace.HUMAN, description="`human` waits as if typing; `instant` sends at once.")
    timezone: str = Field(default="UTC", description="The agent's time zone, such as Europe/Kyiv.")
    judge: bool = Field(
        default=False,
        description="Whether a small model decides if a group message is meant for the agent when the rules cannot.",
    )
    answers_bots: bool = Field(default=False, description="Whether the agent answers, once, a bot that mentions it.")
    sticker_sets: tuple[Annotated[str, Field(pattern=SET_NAME)], ...] = Field(
        default=(),
        max_length=5,
        description="Sticker sets that the agent may use, by the name in t.me/addstickers/<name>.",
    )
    stickers: tuple[OwnSticker, ...] = Field(
        default=(),
        max_length=50,
        description="Single stickers that the agent may send: `set`, and `sticker` with the emoji.",
    )
    voice: VoicePolicy = Field(
        default=VoicePolicy.NEVER,
        description="When the agent speaks: `never`, `in kind` (a voice note answers a voice note), `always`.",
    )
    voice_name: str = Field(
        default="Sulafat", pattern=r"^[A-Za-z][\w-]{0,63}$", description="The Gemini voice that the agent speaks with."
    )
    voice_captions: bool = Field(default=False, description="Whether a voice note has its text as a caption.")
    bans: bool = Field(
        default=False,
        description="Whether a blocked person is also banned from the group, if the agent is an administrator there.",
    )
    privacy: str = Field(
        default="", pattern=r"^(https://\S+)?$", description="The URL of the agent's own privacy page, for `/privacy`."
    )
    open: bool = Field(
        default=False, description="Whether the agent answers strangers in private chats, within their limits."
    )
    strangers: StrangerPolicy = Field(
        default=StrangerPolicy.ESCALATE,
        description="If `open` is false: `escalate` asks the owner about a stranger, `ignore` stays silent.",
    )
    groups: GroupPolicy = Field(
        default=GroupPolicy.WAIT,
        description="In a group that the owner has not admitted: `wait` stays silent and asks the owner, `leave` "
        "leaves, `open` answers.",
    )
    limits: AgentLimits = Field(
        default=AgentLimits(),
        description="Spending limits of the `agent`, of each `known` person, each `stranger` and each `chat`.",
    )
    codec: Codec = Field(
        default=Codec.JSON,
        description="The format of a plan: `json`, held to a schema; `markdown`, for models without schemas; `text`: "
        "the whole reply is one message.",
    )

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which people may call the agent."""
        return (self.name, *self.aliases)

    @property
    def sets(self) -> tuple[str, ...]:
        """The names of the sticker sets that the agent uses."""
        return tuple(dict.fromkeys((*self.sticker_sets, *(one.set for one in self.stickers))))


class OwnPhoto(FrozenModel):
    """A photo in the persona's folder, which the agent may send."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$", description="What a plan names it by.")
    file: Path = Field(description="Its file: a JPEG, PNG or WebP of at most 10 MB.")
    description: str = Field(min_length=1, max_length=200, description="What it shows, for the model.")


class RolePrompt(FrozenModel):
    """A role prompt: a text for the model, with the tools and the kinds of task that it unlocks."""

    name: str
    text: str
    unlocks: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()

    def only(self, kinds: Collection[str], tools: Collection[str]) -> "RolePrompt | None":
        """Return the prompt, limited to these tools and these kinds of task.

        Return None if this leaves nothing of what the prompt unlocked. A prompt that unlocks nothing stays unchanged.
        """
        left = {
            "unlocks": tuple(kind for kind in self.unlocks if kind in kinds),
            "tools": tuple(tool for tool in self.tools if tool in tools),
        }
        is_needless = (self.unlocks or self.tools) and not any(left.values())
        return None if is_needless else self.model_copy(update=left)


class ModelNotes(FrozenModel):
    """Notes on a model: a text for it, whether it can call functions, and the kinds of task that are not offered to
    it.
    """

    text: str = ""
    #: the format in which the model writes plans, even if the persona asks for another; None if the persona decides
    codec: Codec | None = None
    calls_functions: bool = True
    #: kinds of task that the model handles badly
    withholds: tuple[str, ...] = ()


class Agent(FrozenModel):
    """A persona. `id` is the name of the persona's folder, and the agent's path in the webhook's URL."""

    id: str
    front: FrontMatter
    instructions: str
    roles: tuple[RolePrompt, ...] = ()
    #: the photos that it may send
    photos: tuple[OwnPhoto, ...] = ()
    #: memories that its author wrote, for everyone and for single people
    memories: tuple[CuratedMemory, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which people may call the agent."""
        return self.front.names

    def tell_other_username(self, username: str) -> str:
        """Return a warning if the bot's username at Telegram differs from the one in the persona's file; else ""."""
        if username.casefold() == self.front.username.casefold():
            return ""
        return (
            f"{self.id}/agent.md says `username: {self.front.username}`, but at Telegram the bot is @{username}: "
            f"it is mentioned and linked to as @{username}"
        )

    def with_username(self, username: str) -> "Agent":
        """Return the agent with `username` as its bot's username."""
        if username == self.front.username:
            return self
        return evolve(self, front=evolve(self.front, username=username))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of task that the agent's role prompts unlock, without duplicates, in the order of the prompts."""
        return tuple(dict.fromkeys(kind for role in self.roles for kind in role.unlocks))

    def only(self, kinds: Collection[str], tools: Collection[str]) -> "Agent":
        """Return the agent limited to these tools and these kinds of task.

        A role prompt is left out if it unlocked only other tools and other kinds of task.
        """
        kept = (role.only(kinds, tools) for role in self.roles)
        return evolve(self, roles=tuple(role for role in kept if role is not None))

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that the agent's role prompts unlock, without duplicates, in the order of the prompts."""
        return tuple(dict.fromkeys(tool for role in self.roles for tool in role.tools))
