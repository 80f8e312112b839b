"""What lull says, in the Bot API's own objects."""

from collections.abc import Sequence
from typing import Final

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions, MessageEntity, ReplyParameters

from shared.models.channel import Button
from shared.models.text import Entity, FormattedText

#: numbers of a list in one row, as many as Telegram shows side by side; and digits of one
MOST_IN_ROW: Final = 8
LONGEST_NUMBER: Final = 4
#: more rows than these are higher than a phone; then labels of at most so many letters share a row
MOST_ROWS: Final = 10
LONGEST_HALF: Final = 18


def previewed(part: FormattedText) -> LinkPreviewOptions:
    """Of which link a preview is shown: by itself Telegram would fetch the first one, whoever made it up."""
    return LinkPreviewOptions(url=part.preview) if part.preview else LinkPreviewOptions(is_disabled=True)


def keyboard(buttons: Sequence[Button]) -> InlineKeyboardMarkup | None:
    """Buttons, one in a row; numbers stand side by side, and short labels of a long list two by two."""
    rows: list[list[InlineKeyboardButton]] = []
    for button in buttons:
        is_beside = bool(rows) and _is_number(button.text) and _is_number(rows[-1][-1].text)
        if not is_beside or len(rows[-1]) == MOST_IN_ROW:
            rows.append([])
        rows[-1].append(InlineKeyboardButton(button.text, callback_data=button.data))
    return InlineKeyboardMarkup(_halved(rows) if len(rows) > MOST_ROWS else rows) if rows else None


def _halved(rows: list[list[InlineKeyboardButton]]) -> list[list[InlineKeyboardButton]]:
    """The rows of which two that follow each other are one, where each is a single short label."""
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


def replying(reply_to: int | None) -> ReplyParameters | None:
    """The message of the same chat that is quoted."""
    return None if reply_to is None else ReplyParameters(message_id=reply_to)


def telegram_entities(part: FormattedText) -> list[MessageEntity]:
    """How a text looks."""
    return [_telegram_entity(entity) for entity in part.entities]


def _telegram_entity(entity: Entity) -> MessageEntity:
    return MessageEntity(
        str(entity.type), entity.offset, entity.length, url=entity.url or None, language=entity.language or None
    )
