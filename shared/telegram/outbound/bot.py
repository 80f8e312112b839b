"""A bot of Telegram's Bot API, called through python-telegram-bot: its messages, files and settings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    LinkPreviewOptions,
    MenuButtonWebApp,
    Message,
    MessageEntity,
    ReactionTypeEmoji,
    ReplyParameters,
    WebAppInfo,
)
from telegram.constants import ChatMemberStatus

from shared.base.errors import ChannelError, ChannelRefused, ExportsUnavailable, NotDelivered
from shared.base.text import Entity, FormattedText
from shared.telegram.outbound.client import FormUpload, TelegramDownloads, fields_of, sent_document, translate_failure
from shared.telegram.outbound.errors import NotModified, StickerSetUnknown, safe_description
from shared.values.channel import Activity, BotIdentity, Button, Recipient, SentMessage
from shared.values.outgoing import OutgoingFile, OutgoingKind
from shared.values.registration import Menu, MenuEntry, MenuScope, Webhook, WebhookState
from shared.values.stickers import SetSticker, StickerSet

if TYPE_CHECKING:
    from shared.cloud.export_bucket import StorageExports

ADMINISTRATORS = {ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR}
IN_GROUP = {*ADMINISTRATORS, ChatMemberStatus.MEMBER}


#: the largest number of members that is believed: more than any chat has, and within the 64 bits that are stored
MOST_MEMBERS = 10**12


class TelegramChannel(TelegramDownloads):
    """One bot, which sends messages, looks things up and downloads files."""

    #: makes the reader of stored files when it is first needed; None if there are no stored files
    stored: Callable[[], StorageExports] | None = None

    def recognises_repeats(self, _: Recipient) -> bool:
        """Return False: the Bot API has no idempotency key."""
        return False

    async def identity(self) -> BotIdentity:
        """Return the identity and settings of the bot. Raises ChannelError."""
        me = await translate_failure(self._client().get_me())
        return BotIdentity(
            id=me.id,
            username=me.username or "",
            first_name=me.first_name,
            can_read_all_group_messages=bool(me.can_read_all_group_messages),
            can_join_groups=bool(me.can_join_groups),
        )

    async def send_text(
        self, to: Recipient, part: FormattedText, reply_to: int | None, buttons: Sequence[Button] = ()
    ) -> SentMessage:
        """Send a message; as a reply if `reply_to` is given. Raises ChannelError."""
        call = self._client().send_message(
            chat_id=to.chat_id,
            **to.topic,
            text=part.text,
            entities=telegram_entities(part),
            link_preview_options=link_preview(part),
            protect_content=part.is_protected or None,
            reply_parameters=reply_parameters(reply_to),
            reply_markup=keyboard(buttons),
        )
        message = await translate_failure(call)
        return SentMessage(message.message_id, message.date)

    async def send_file(
        self,
        to: Recipient,
        file: OutgoingFile,
        caption: FormattedText | None,
        reply_to: int | None,
        buttons: Sequence[Button] = (),
    ) -> SentMessage:
        """Send a file; a sticker has no caption. Raises ChannelError; FileUnknown if the file id is of another bot."""
        if file.stored:
            return await self._send_stored(to, file, caption)
        message = await translate_failure(send_file_call(self._client(), to, file, caption, (reply_to, buttons)))
        file_id, unique_id = ids_in(message)
        return SentMessage(message.message_id, message.date, file_id, unique_id)

    async def _send_stored(self, to: Recipient, file: OutgoingFile, caption: FormattedText | None) -> SentMessage:
        """Send a document that is stored in the bucket. Raises ChannelError; ChannelRefused if the document is gone."""
        stored = self.stored() if self.stored is not None else None
        try:
            size = await stored.size(file.stored) if stored is not None else None
        except ExportsUnavailable as cause:
            raise NotDelivered("the size of the stored file is not known now; try again") from cause
        if stored is None or size is None:
            raise ChannelRefused("the file is no longer in the bucket")
        upload = FormUpload(fields_of(to, caption), file.file_name, size, stored.pieces(file.stored, size))
        return sent_document(await self._upload("sendDocument", upload))

    async def sticker_set(self, name: str) -> StickerSet | None:
        """Return a sticker set; None if there is no set with this name. Raises ChannelError."""
        try:
            found = await translate_failure(self._client().get_sticker_set(name))
        except StickerSetUnknown:
            return None
        stickers = (SetSticker(one.file_id, one.file_unique_id, one.emoji or "") for one in found.stickers)
        return StickerSet(found.name, found.title, tuple(stickers))

    async def rewrite(self, to: Recipient, message_id: int, part: FormattedText, buttons: Sequence[Button]) -> None:
        """Replace the text and the buttons of a message that the bot sent. Raises ChannelError."""
        call = self._client().edit_message_text(
            part.text,
            to.chat_id,
            message_id,
            entities=telegram_entities(part),
            link_preview_options=link_preview(part),
            reply_markup=keyboard(buttons),
        )
        with suppress(NotModified):
            await translate_failure(call)

    async def remove_buttons(self, to: Recipient, message_id: int, left: Sequence[Button] = ()) -> None:
        """Remove the buttons below a message that the bot sent, except the buttons in `left`. Raises ChannelError."""
        with suppress(NotModified):
            call = self._client().edit_message_reply_markup(to.chat_id, message_id, reply_markup=keyboard(left))
            await translate_failure(call)

    async def answer_press(self, query_id: str, text: str) -> None:
        """Answer a callback query (a button press). Raises ChannelError, also if the press is some minutes old."""
        await translate_failure(self._client().answer_callback_query(query_id, text or None))

    async def is_administrator(self, chat_id: int, person_id: int) -> bool:
        """Return whether a person administers or owns a group. Raises ChannelError."""
        member = await translate_failure(self._client().get_chat_member(chat_id, person_id))
        return member.status in ADMINISTRATORS

    async def is_member(self, chat_id: int, person_id: int) -> bool:
        """Return whether a person is in a group, perhaps with restricted rights. Raises ChannelError."""
        member = await translate_failure(self._client().get_chat_member(chat_id, person_id))
        # a restricted member may be in the group or not (core.telegram.org/bots/api#chatmemberrestricted)
        return member.status in IN_GROUP or getattr(member, "is_member", False) is True

    async def ban(self, chat_id: int, person_id: int) -> None:
        """Remove a person from a group for good. The person's messages stay. Raises ChannelError."""
        await translate_failure(self._client().ban_chat_member(chat_id, person_id))

    async def member_count(self, chat_id: int) -> int:
        """Return the number of members of a chat, including this and other bots. Raises ChannelError."""
        return min(MOST_MEMBERS, await translate_failure(self._client().get_chat_member_count(chat_id)))

    async def leave(self, chat_id: int) -> None:
        """Leave a group. Raises ChannelError."""
        await translate_failure(self._client().leave_chat(chat_id))

    async def react(self, to: Recipient, message_id: int, emoji: str) -> None:
        """Set the bot's reaction to a message. Raises ChannelError."""
        call = self._client().set_message_reaction(to.chat_id, message_id, ReactionTypeEmoji(emoji))
        await translate_failure(call)

    async def draft(self, to: Recipient, draft_id: int, part: FormattedText) -> None:
        """Show an unfinished message for 30 seconds; it replaces the last draft with the same id.

        Only for private chats. `draft_id` must not be 0. Raises ChannelError.
        """
        call = self._client().send_message_draft(
            chat_id=to.chat_id,
            draft_id=draft_id,
            text=part.text,
            message_thread_id=to.topic_id or None,
            entities=telegram_entities(part),
        )
        await translate_failure(call)

    async def typing(self, to: Recipient, activity: Activity = Activity.TYPING) -> bool:
        """Show for 5 seconds what the agent is doing, and return whether that worked. Never raises.

        In a channel's direct messages nothing is shown (core.telegram.org/bots/api#sendchataction).
        """
        if to.topic_id < 0:
            return False
        call = self._client().send_chat_action(to.chat_id, activity, message_thread_id=to.topic_id or None)
        try:
            await translate_failure(call)
        except ChannelError:
            return False
        return True


class TelegramAccount(TelegramChannel):
    """One bot, with the calls that set it up. Every call may raise ChannelError, and may safely be repeated."""

    async def webhook(self) -> WebhookState:
        """Return the settings of the webhook, and its last error."""
        info = await translate_failure(self._client().get_webhook_info())
        return WebhookState(
            url=info.url,
            allowed_updates=frozenset(info.allowed_updates or ()),
            max_connections=info.max_connections or 0,
            waiting=info.pending_update_count,
            last_error_at=info.last_error_date,
            last_error=safe_description(info.last_error_message or ""),
        )

    async def set_webhook(self, webhook: Webhook) -> None:
        """Set the webhook. Updates that wait at Telegram are kept."""
        call = self._client().set_webhook(
            webhook.url,
            max_connections=webhook.max_connections,
            allowed_updates=webhook.allowed_updates,
            secret_token=webhook.secret,
        )
        await translate_failure(call)

    async def remove_webhook(self) -> None:
        """Remove the webhook. Telegram then keeps updates for a day."""
        await translate_failure(self._client().delete_webhook())

    async def show_mini_app(self, chat_id: int, text: str, url: str) -> None:
        """Show a button beside the message field of a private chat, which opens an address as a Mini App."""
        button = MenuButtonWebApp(text, WebAppInfo(url))
        await translate_failure(self._client().set_chat_menu_button(chat_id, button))

    async def menu(self, scope: MenuScope, language: str) -> Menu:
        """Return the menu (the commands) that is set for exactly this scope and language."""
        known = await translate_failure(self._client().get_my_commands(BotCommandScope(scope.value), language or None))
        entries = tuple(MenuEntry(name=one.command, description=one.description) for one in known)
        return Menu(entries=entries, scope=scope, language=language)

    async def set_menu(self, menu: Menu) -> None:
        """Set the menu (the commands) for the scope and the language that it names."""
        commands = [BotCommand(entry.name, entry.description) for entry in menu.entries]
        await translate_failure(
            self._client().set_my_commands(commands, BotCommandScope(menu.scope.value), menu.language or None)
        )


def send_file_call(
    bot: Bot,
    to: Recipient,
    file: OutgoingFile,
    caption: FormattedText | None,
    around: tuple[int | None, Sequence[Button]],
) -> Awaitable[Message]:
    """Return the call that sends a file. `around`: the id of the message it replies to, and the file's buttons."""
    reply_to, buttons = around
    place: dict[str, Any] = {
        "chat_id": to.chat_id,
        **to.topic,
        "reply_parameters": reply_parameters(reply_to),
        "reply_markup": keyboard(buttons),
    }
    below = _caption(caption) if caption is not None else {}
    given = file.file_id or InputFile(file.content, file.file_name or None)
    match file.kind:
        case OutgoingKind.STICKER:
            return bot.send_sticker(sticker=given, **place)
        case OutgoingKind.PHOTO:
            return bot.send_photo(photo=given, **place, **below)
        case OutgoingKind.VOICE:
            return bot.send_voice(voice=given, duration=file.duration_s or None, **place, **below)
        case OutgoingKind.DOCUMENT:
            return bot.send_document(document=given, **place, **below)


def ids_in(message: Message) -> tuple[str, str]:
    """Return the ids of a message's file: the id for this bot, and the unique id."""
    found = message.sticker or message.voice or message.document or (message.photo[-1] if message.photo else None)
    return (found.file_id, found.file_unique_id) if found is not None else ("", "")


def _caption(caption: FormattedText) -> dict[str, Any]:
    return {"caption": caption.text, "caption_entities": telegram_entities(caption)}


#: the maximum number of buttons with numbers in a row; and below, the maximum digits of such a number
MOST_IN_ROW: Final = 8
LONGEST_NUMBER: Final = 4
#: the number of rows that fit on a phone; in a longer list, two labels of at most `LONGEST_HALF` letters share a row
MOST_ROWS: Final = 10
LONGEST_HALF: Final = 18


def link_preview(part: FormattedText) -> LinkPreviewOptions:
    """Return options for the link preview. Without them, Telegram fetches the first link, whoever wrote the link."""
    return LinkPreviewOptions(url=part.preview) if part.preview else LinkPreviewOptions(is_disabled=True)


def keyboard(buttons: Sequence[Button]) -> InlineKeyboardMarkup | None:
    """Return the buttons in rows: numbers side by side, short labels of a long list in pairs, others alone."""
    rows: list[list[InlineKeyboardButton]] = []
    for button in buttons:
        is_beside = bool(rows) and _is_number(button.text) and _is_number(rows[-1][-1].text)
        if not is_beside or len(rows[-1]) == MOST_IN_ROW:
            rows.append([])
        rows[-1].append(_inline_button(button))
    return InlineKeyboardMarkup(_pair_rows(rows) if len(rows) > MOST_ROWS else rows) if rows else None


def _inline_button(button: Button) -> InlineKeyboardButton:
    if button.opens:
        return InlineKeyboardButton(button.text, web_app=WebAppInfo(button.opens))
    return InlineKeyboardButton(button.text, callback_data=button.data)


def _pair_rows(rows: list[list[InlineKeyboardButton]]) -> list[list[InlineKeyboardButton]]:
    """Join two consecutive rows if each is a single short label."""
    halved: list[list[InlineKeyboardButton]] = []
    for row in rows:
        if halved and _is_half(row) and _is_half(halved[-1]):
            halved[-1] = [*halved[-1], *row]
        else:
            halved.append(row)
    return halved


def _is_half(row: list[InlineKeyboardButton]) -> bool:
    return len(row) == 1 and not _is_number(row[0].text) and len(row[0].text) <= LONGEST_HALF


def _is_number(label: str) -> bool:
    return label.isdecimal() and len(label) <= LONGEST_NUMBER


def reply_parameters(reply_to: int | None) -> ReplyParameters | None:
    return None if reply_to is None else ReplyParameters(message_id=reply_to)


def telegram_entities(part: FormattedText) -> list[MessageEntity]:
    return [_telegram_entity(entity) for entity in part.entities]


def _telegram_entity(entity: Entity) -> MessageEntity:
    return MessageEntity(
        str(entity.type), entity.offset, entity.length, url=entity.url or None, language=entity.language or None
    )
