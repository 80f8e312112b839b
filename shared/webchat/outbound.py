"""The channel of web conversations: writes the agent's messages, drafts and activity to the conversation's screen.

Sending is a database write, not a call of another service. So the outcome is always known, and if a delivery is
repeated, its message is not sent twice.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, TypeVar

from shared.base.errors import (
    BlobsUnavailable,
    ChannelRefused,
    NotDelivered,
    StoreRefused,
    StoreUnavailable,
    WriteConflict,
)
from shared.base.logs import log
from shared.base.text import FormattedText
from shared.reader.decode.kinds import real_type
from shared.values.channel import Activity, Button, Recipient, SentMessage
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.outgoing import OutgoingFile
from shared.webchat.files import is_web_file
from shared.webchat.ids import message_of_agent, pressed_chat
from shared.webchat.screen import (
    Screen,
    ScreenActivity,
    ScreenDraft,
    ScreenMessage,
    ScreenNotice,
    message_fields,
)

if TYPE_CHECKING:
    from shared.webchat.files import WebFiles
    from shared.webchat.store import FirestoreScreens

Result = TypeVar("Result")
#: how long an activity is shown; it is repeated every few seconds
SHOWN: Final = timedelta(seconds=6)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """The content of a message that the agent puts on a screen."""

    text: FormattedText | None
    reply_to: int | None
    buttons: tuple[Button, ...]
    #: the message's file: the kind, the id of the stored copy, and the type of the content
    kind: str = ""
    file_id: str = ""
    file_type: str = ""

    def message(self, message_id: int, at: datetime, delivery: str) -> ScreenMessage:
        text = self.text or FormattedText("")
        return ScreenMessage(
            message_id=message_id,
            at=at,
            delivery=delivery,
            text=text.text,
            entities=text.entities,
            reply_to=self.reply_to,
            buttons=self.buttons,
            file_kind=self.kind,
            file_id=self.file_id,
            file_type=self.file_type,
        )


@dataclass(frozen=True, kw_only=True)
class WebChannel:
    """Sends one agent's messages in web conversations. Every call may raise a ChannelError.

    `files` stores the files that the agent sends; None if this deployment stores none.
    """

    agent: str
    screens: FirestoreScreens
    clock: Callable[[], datetime]
    files: WebFiles | None = None

    def recognises_repeats(self, _: Recipient) -> bool:
        """Return True: a message on a screen contains the id of its delivery, so a repeated delivery is recognised."""
        return True

    async def send_text(
        self, to: Recipient, part: FormattedText, reply_to: int | None, buttons: Sequence[Button] = ()
    ) -> SentMessage:
        """Put a text on the screen, unless this delivery has already put it there."""
        return await self._add(to, Shown(text=part, reply_to=reply_to, buttons=tuple(buttons)))

    async def send_file(
        self,
        to: Recipient,
        file: OutgoingFile,
        caption: FormattedText | None,
        reply_to: int | None,
        buttons: Sequence[Button] = (),
    ) -> SentMessage:
        """Put a file on the screen. If the file cannot be stored, the page shows the file's description instead.

        In the transcript, a file from Telegram keeps Telegram's ids, since the stored copy is only for the screen.
        """
        # if the delivery is repeated, its file may have been generated anew; the first one is used
        known = (await _translate(self.screens.screen(self._key(to)))).sent_by(to.delivery)
        kept = known.file_id if known is not None else await self._keep(file)
        shown = Shown(
            text=caption,
            reply_to=reply_to,
            buttons=tuple(buttons),
            kind=file.kind.value,
            file_id=kept,
            file_type=real_type(file.content).mime_type if file.content else "",
        )
        sent = await self._add(to, shown)
        is_of_telegram = bool(file.file_id) and not is_web_file(file.file_id)
        return SentMessage(sent.message_id, sent.at, file.file_id or kept, "" if is_of_telegram else kept)

    async def _keep(self, file: OutgoingFile) -> str:
        """Store a file for the screen. Return the copy's id; "" if it cannot be stored."""
        if is_web_file(file.file_id):
            return file.file_id
        return await _translate(self.files.keep(file.content)) if file.content and self.files is not None else ""

    async def rewrite(self, to: Recipient, message_id: int, part: FormattedText, buttons: Sequence[Button]) -> None:
        """Replace the text and the buttons of a message of the agent."""
        await self._rewrite(to, message_id, buttons, part)

    async def remove_buttons(self, to: Recipient, message_id: int, left: Sequence[Button] = ()) -> None:
        """Remove the buttons of a message, except the buttons in `left`."""
        await self._rewrite(to, message_id, left, None)

    async def answer_press(self, query_id: str, text: str) -> None:
        """Show a short text after a button was pressed."""
        key = pressed_chat(self.agent, query_id)
        if key is None:
            raise ChannelRefused("the button press does not belong to a web conversation")
        if text:
            notice = ScreenNotice(text=text, at=self.clock())
            await _translate(self.screens.show(key, {"notice": notice.model_dump()}))

    async def react(self, to: Recipient, message_id: int, emoji: str) -> None:
        """Do nothing: the page reads reactions from the transcript."""

    async def draft(self, to: Recipient, draft_id: int, part: FormattedText) -> None:
        """Show an unfinished answer in place of the previous unfinished one."""
        draft = ScreenDraft(id=draft_id, at=self.clock(), text=part.text, entities=part.entities)
        await _translate(self.screens.show(self._key(to), {"draft": draft.model_dump()}))

    async def typing(self, to: Recipient, activity: Activity = Activity.TYPING) -> bool:
        """Show the agent's activity for some seconds. Never raises."""
        shown = ScreenActivity(name=activity, until=self.clock() + SHOWN)
        try:
            await self.screens.show(self._key(to), {"activity": shown.model_dump()})
        except (StoreUnavailable, StoreRefused) as error:
            log(f"the agent's activity is not shown: {error}")
            return False
        return True

    def _key(self, to: Recipient) -> ChatKey:
        return ChatKey(agent=self.agent, chat_id=to.chat_id, topic_id=to.topic_id)

    async def _add(self, to: Recipient, shown: Shown) -> SentMessage:
        now = self.clock()

        def message(screen: Screen) -> ScreenMessage:
            return shown.message(message_of_agent(now, to.topic_id, screen.newest), now, to.delivery)

        sent = await _translate(self.screens.add(self._key(to), to.delivery, message))
        return SentMessage(sent.message_id, sent.at)

    async def _rewrite(
        self, to: Recipient, message_id: int, buttons: Sequence[Button], part: FormattedText | None
    ) -> None:
        """Change a message on the screen. Do nothing if it has left the screen, since its buttons are gone, too."""
        key = self._key(to)
        known = (await _translate(self.screens.screen(key))).messages.get(str(message_id))
        if known is None:
            return
        changed = evolve(known, buttons=tuple(buttons))
        if part is not None:
            changed = evolve(changed, text=part.text, entities=part.entities)
        await _translate(self.screens.change(key, {f"messages.`{message_id}`": message_fields(changed)}))


async def _translate(call: Awaitable[Result]) -> Result:
    """Await a call of a store. Its errors are raised as a ChannelError, since the call can safely be repeated."""
    try:
        return await call
    except StoreRefused as error:
        raise ChannelRefused(str(error)) from error
    except (StoreUnavailable, WriteConflict, BlobsUnavailable) as error:
        raise NotDelivered(str(error)) from error
