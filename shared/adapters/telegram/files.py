"""The calls that send a file: by its id, or by its bytes."""

from collections.abc import Awaitable, Sequence
from typing import Any

from telegram import Bot, InputFile, Message

from shared.adapters.telegram.wire import keyboard, replying, telegram_entities
from shared.models.channel import Button, Recipient
from shared.models.outgoing import OutgoingFile, OutgoingKind
from shared.models.text import FormattedText


def sending(
    bot: Bot,
    to: Recipient,
    file: OutgoingFile,
    caption: FormattedText | None,
    around: tuple[int | None, Sequence[Button]],
) -> Awaitable[Message]:
    """The call that sends a file; `around` is the message that it quotes, and the buttons below it."""
    reply_to, buttons = around
    place: dict[str, Any] = {
        "chat_id": to.chat_id,
        **to.topic,
        "reply_parameters": replying(reply_to),
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
    """Under which id this bot, and under which every bot, knows the file of a message."""
    found = message.sticker or message.voice or message.document or (message.photo[-1] if message.photo else None)
    return (found.file_id, found.file_unique_id) if found is not None else ("", "")


def _caption(caption: FormattedText) -> dict[str, Any]:
    return {"caption": caption.text, "caption_entities": telegram_entities(caption)}
