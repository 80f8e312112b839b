"""The channels of one agent (Telegram and the console's web chats), combined into one channel."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from shared.base.errors import ChannelError
from shared.base.logs import log
from shared.base.text import FormattedText
from shared.llm.ports.world import MessageSender, MessagingChannel
from shared.values.channel import Activity, BotIdentity, Button, Recipient, SentMessage
from shared.values.chat_key import Channel
from shared.values.outgoing import OutgoingFile, OutgoingKind
from shared.values.stickers import StickerSet
from shared.webchat.downloads import AgentDownloads
from shared.webchat.files import is_web_file
from shared.webchat.ids import is_web_press
from shared.webchat.outbound import WebChannel

#: time limit in seconds for the content of a file that is sent in another channel than it came from
CONTENT_S: Final = 20.0


@dataclass(frozen=True, kw_only=True)
class AgentChannels:
    """The channels of an agent as one channel: each call goes to the channel of its recipient.

    The agent has the same bot id in all channels. Groups and sticker sets exist only in Telegram. `downloads` gets the
    content of web files for Telegram, and of stickers for web chats; if it is None, only the file's id is passed on.
    """

    telegram: MessagingChannel
    web: WebChannel
    downloads: AgentDownloads | None = None

    def _of(self, to: Recipient) -> MessageSender:
        return self.web if to.channel is Channel.WEB else self.telegram

    def recognises_repeats(self, to: Recipient) -> bool:
        """Return whether the recipient's channel ignores a repeated call for the same delivery."""
        return self._of(to).recognises_repeats(to)

    async def send_text(
        self, to: Recipient, part: FormattedText, reply_to: int | None, buttons: Sequence[Button] = ()
    ) -> SentMessage:
        """Send a message. Raises ChannelError."""
        return await self._of(to).send_text(to, part, reply_to, buttons)

    async def send_file(
        self,
        to: Recipient,
        file: OutgoingFile,
        caption: FormattedText | None,
        reply_to: int | None,
        buttons: Sequence[Button] = (),
    ) -> SentMessage:
        """Send a file. Raises ChannelError.

        A part of an export goes to the person's private chat in Telegram, since the console may not read exports.
        """
        if file.stored and to.channel is Channel.WEB:
            return await self.telegram.send_file(to.without_topic, file, caption, None)
        return await self._of(to).send_file(to, await self._known_there(to, file), caption, reply_to, buttons)

    async def _known_there(self, to: Recipient, file: OutgoingFile) -> OutgoingFile:
        """Return the file in a form that the recipient's channel can send. Raises ChannelError.

        For the console, only stickers are downloaded: it shows photos from Telegram by their decoded parts instead.
        """
        if not file.file_id or self.downloads is None:
            return file
        if to.channel is not Channel.WEB:
            if not is_web_file(file.file_id):
                return file
            return replace(file, file_id="", content=await self.downloads.download(file.file_id, CONTENT_S))
        if file.kind is not OutgoingKind.STICKER:
            return file
        try:
            return replace(file, content=await self.downloads.download(file.file_id, CONTENT_S))
        except ChannelError as error:
            log(f"a sticker is shown as its emoji: {error}")
            return file

    async def rewrite(self, to: Recipient, message_id: int, part: FormattedText, buttons: Sequence[Button]) -> None:
        """Edit a message of the agent. Raises ChannelError."""
        await self._of(to).rewrite(to, message_id, part, buttons)

    async def remove_buttons(self, to: Recipient, message_id: int, left: Sequence[Button] = ()) -> None:
        """Remove the buttons below a message. Raises ChannelError."""
        await self._of(to).remove_buttons(to, message_id, left)

    async def answer_press(self, query_id: str, text: str) -> None:
        """Confirm the press of a button. Raises ChannelError."""
        channel: MessageSender = self.web if is_web_press(query_id) else self.telegram
        await channel.answer_press(query_id, text)

    async def react(self, to: Recipient, message_id: int, emoji: str) -> None:
        """Set an emoji reaction on a message. Raises ChannelError."""
        await self._of(to).react(to, message_id, emoji)

    async def draft(self, to: Recipient, draft_id: int, part: FormattedText) -> None:
        """Show an unfinished message. Raises ChannelError."""
        await self._of(to).draft(to, draft_id, part)

    async def typing(self, to: Recipient, activity: Activity = Activity.TYPING) -> bool:
        """Show that the agent is busy. Never raises."""
        return await self._of(to).typing(to, activity)

    @property
    def bot_id(self) -> int:
        """The id of the agent's bot."""
        return self.telegram.bot_id

    async def identity(self) -> BotIdentity:
        """Return the bot's identity. Raises ChannelError."""
        return await self.telegram.identity()

    async def sticker_set(self, name: str) -> StickerSet | None:
        """Return a sticker set of Telegram; None if there is none. Raises ChannelError."""
        return await self.telegram.sticker_set(name)

    async def is_administrator(self, chat_id: int, person_id: int) -> bool:
        """Return whether a person administers or owns a group. Raises ChannelError."""
        return await self.telegram.is_administrator(chat_id, person_id)

    async def is_member(self, chat_id: int, person_id: int) -> bool:
        """Return whether a person is in a group. Raises ChannelError."""
        return await self.telegram.is_member(chat_id, person_id)

    async def ban(self, chat_id: int, person_id: int) -> None:
        """Ban a person from a group. Raises ChannelError."""
        await self.telegram.ban(chat_id, person_id)

    async def member_count(self, chat_id: int) -> int:
        """Return the number of members of a group. Raises ChannelError."""
        return await self.telegram.member_count(chat_id)

    async def leave(self, chat_id: int) -> None:
        """Leave a group. Raises ChannelError."""
        await self.telegram.leave(chat_id)
