"""The ports to the world: the models, the channel; and what tools and commands are given of all ports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from shared.base.errors import PortMissing
from shared.values.channel import Activity

if TYPE_CHECKING:
    from shared.base.text import FormattedText
    from shared.values.channel import BotIdentity, Button, Recipient, SentMessage
    from shared.values.outgoing import OutgoingFile
    from shared.values.prompt import ModelReply, Prompt
    from shared.values.stickers import StickerSet
    from shared.values.usage import ModelUse


class LanguageModel(Protocol):
    """What plans: one call of a language model."""

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        """The reply, held to a JSON schema if one is given. Raises ModelUnavailable or ModelRefused.

        `on_text` is told all that is written so far, each time there is more of it; it must neither wait nor raise.
        """


class ModelProvider(Protocol):
    """The models that may be asked. Every call of a model, whoever makes it, is made through one of these."""

    def model(self, name: str, use: ModelUse) -> LanguageModel:
        """The model of that name, whose calls are counted under `use`. Raises KeyError for an unknown name."""


class MessagingChannel(Protocol):
    """What an agent can do in Telegram. Every call raises a ChannelError."""

    @property
    def bot_id(self) -> int:
        """The bot's id; no call."""

    async def identity(self) -> BotIdentity:
        """What Telegram says of the bot."""

    async def send_text(
        self, to: Recipient, part: FormattedText, reply_to: int | None, buttons: Sequence[Button] = ()
    ) -> SentMessage:
        """Write a message, with buttons below it, one in a row."""

    async def send_file(
        self,
        to: Recipient,
        file: OutgoingFile,
        caption: FormattedText | None,
        reply_to: int | None,
        buttons: Sequence[Button] = (),
    ) -> SentMessage:
        """Send a file, which has a caption unless it is a sticker. Raises FileUnknown if its id is not the bot's."""

    async def sticker_set(self, name: str) -> StickerSet | None:
        """The stickers of a set, as they are now; none: there is no such set."""

    async def rewrite(self, to: Recipient, message_id: int, part: FormattedText, buttons: Sequence[Button]) -> None:
        """Write a message of the agent's anew."""

    async def remove_buttons(self, to: Recipient, message_id: int, left: Sequence[Button] = ()) -> None:
        """Take the buttons below a message of the agent's away, but for those that are left."""

    async def answer_press(self, query_id: str, text: str) -> None:
        """Show that the press of a button was seen, with a few words for who pressed, if there are any."""

    async def is_administrator(self, chat_id: int, person_id: int) -> bool:
        """Whether somebody administers a group."""

    async def is_member(self, chat_id: int, person_id: int) -> bool:
        """Whether somebody is in a group now."""

    async def ban(self, chat_id: int, person_id: int) -> None:
        """Remove somebody from a group for good; Refused if the bot does not administer it, or they do."""

    async def member_count(self, chat_id: int) -> int:
        """How many people and bots are in a chat."""

    async def leave(self, chat_id: int) -> None:
        """Leave a group."""

    async def react(self, to: Recipient, message_id: int, emoji: str) -> None:
        """Put an emoji on a message."""

    async def draft(self, to: Recipient, draft_id: int, part: FormattedText) -> None:
        """Show a message that is still being written, in a private chat; drafts of the same id follow each other."""

    async def typing(self, to: Recipient, activity: Activity = Activity.TYPING) -> bool:
        """Show that the agent is writing, or what else it does; whether it was taken.

        A failure does no harm and is not told.
        """


PortT = TypeVar("PortT")


class PortRegistry:
    """Some ports, each under the type by which it is asked for: `ports[FirestoreChats]`."""

    def __init__(self, by_type: Mapping[type, object] | None = None) -> None:
        """`by_type`: each value serves the type that it stands under."""
        self._by_type = dict(by_type or {})

    def __getitem__(self, port: type[PortT]) -> PortT:
        """What serves a type. Raises PortMissing if it was not given."""
        if port not in self._by_type:
            raise PortMissing(f"there is no {port.__name__} here: `needs` must name it; {self!r}")
        return self._by_type[port]  # type: ignore[return-value]  # a value stands under its own type

    def only(self, needs: Iterable[type], whose: str) -> PortRegistry:
        """Those that something needs. `whose` names it; raises PortMissing if one of them is not here."""
        wanted = tuple(needs)
        missing = [port.__name__ for port in wanted if port not in self._by_type]
        if missing:
            raise PortMissing(f"{whose} needs {', '.join(missing)}, which it is not given; {self!r}")
        return PortRegistry({port: self._by_type[port] for port in wanted})

    def __repr__(self) -> str:
        """The types alone: what stands behind them may hold a secret."""
        return f"given: {', '.join(sorted(port.__name__ for port in self._by_type)) or 'nothing'}"


NO_PORTS: Final = PortRegistry()
