"""The interfaces (ports) of models and of the messaging channel, and the registry of ports for tools and commands."""

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
    """A language model, of any provider."""

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        """Return the reply, in the form of `schema` if one is given. Raises ModelUnavailable or ModelRefused.

        `on_text` gets the whole text so far each time there is more. It must neither wait nor raise.
        """


class ModelProvider(Protocol):
    """The available models. Every call of a model goes through a model provider."""

    def model(self, name: str, use: ModelUse) -> LanguageModel:
        """Return the model of that name. Its calls will be charged to `use`. Raises KeyError if the name is unknown."""


class MessageSender(Protocol):
    """Actions of an agent in one chat, such as sending a message. Any call may raise a ChannelError.

    Each channel has an adapter: Telegram's Bot API, and the web conversations of the console.
    """

    def recognises_repeats(self, to: Recipient) -> bool:
        """Return whether the channel of `to` ignores a repeated call that has the same `Recipient.delivery`."""

    async def send_text(
        self, to: Recipient, part: FormattedText, reply_to: int | None, buttons: Sequence[Button] = ()
    ) -> SentMessage:
        """Send a message, with the buttons below it, one in each row."""

    async def send_file(
        self,
        to: Recipient,
        file: OutgoingFile,
        caption: FormattedText | None,
        reply_to: int | None,
        buttons: Sequence[Button] = (),
    ) -> SentMessage:
        """Send a file, with a caption unless it is a sticker. Raises FileUnknown if the bot has no such file."""

    async def rewrite(self, to: Recipient, message_id: int, part: FormattedText, buttons: Sequence[Button]) -> None:
        """Replace the text and the buttons of a message that the agent sent."""

    async def remove_buttons(self, to: Recipient, message_id: int, left: Sequence[Button] = ()) -> None:
        """Remove the buttons below a message of the agent, except the buttons `left`."""

    async def answer_press(self, query_id: str, text: str) -> None:
        """Confirm the press of a button, and show the person a short `text` unless it is empty."""

    async def react(self, to: Recipient, message_id: int, emoji: str) -> None:
        """Set an emoji reaction on a message."""

    async def draft(self, to: Recipient, draft_id: int, part: FormattedText) -> None:
        """Show an unfinished message in a private chat. Drafts of the same id replace each other."""

    async def typing(self, to: Recipient, activity: Activity = Activity.TYPING) -> bool:
        """Show that the agent is busy. Return whether the channel accepted this; a failure raises nothing."""


class MessagingChannel(MessageSender, Protocol):
    """Actions of an agent beyond one chat: looking up facts, managing groups. Any call may raise a ChannelError."""

    @property
    def bot_id(self) -> int:
        """The bot's id. Telegram is not called."""

    async def identity(self) -> BotIdentity:
        """Return the bot's names and abilities, as the channel reports them."""

    async def sticker_set(self, name: str) -> StickerSet | None:
        """Return the stickers of a set as of now; None if there is no such set."""

    async def is_administrator(self, chat_id: int, person_id: int) -> bool:
        """Return whether a person administers or owns a group."""

    async def is_member(self, chat_id: int, person_id: int) -> bool:
        """Return whether a person is in a group now, as its owner, an administrator or a member."""

    async def ban(self, chat_id: int, person_id: int) -> None:
        """Ban a person from a group. Raises ChannelRefused unless the bot is an administrator and the person is not."""

    async def member_count(self, chat_id: int) -> int:
        """Return the number of people and bots in a chat."""

    async def leave(self, chat_id: int) -> None:
        """Leave a group."""


PortT = TypeVar("PortT")


class PortRegistry:
    """The stores and services (ports) given to a tool or command, each under its type: `ports[FirestoreChats]`."""

    def __init__(self, by_type: Mapping[type, object] | None = None) -> None:
        """`by_type` has each port under its type."""
        self._by_type = dict(by_type or {})

    def __getitem__(self, port: type[PortT]) -> PortT:
        """Return the port of a type. Raises PortMissing if there is none."""
        if port not in self._by_type:
            raise PortMissing(f"no port {port.__name__}; name it in `needs`; {self!r}")
        return self._by_type[port]  # type: ignore[return-value]  # a value stands under its own type

    def only(self, needs: Iterable[type], whose: str) -> PortRegistry:
        """Return a registry with only these ports. Raises PortMissing, naming `whose`, if one is missing."""
        wanted = tuple(needs)
        missing = [port.__name__ for port in wanted if port not in self._by_type]
        if missing:
            raise PortMissing(f"{whose} needs {', '.join(missing)}, which it is not given; {self!r}")
        return PortRegistry({port: self._by_type[port] for port in wanted})

    def __repr__(self) -> str:
        """Show only the types, since the ports may contain secrets."""
        return f"given: {', '.join(sorted(port.__name__ for port in self._by_type)) or 'nothing'}"


NO_PORTS: Final = PortRegistry()
