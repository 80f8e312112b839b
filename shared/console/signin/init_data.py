"""Checks `initData`, which identifies the person who opened a Mini App.

Telegram signs it (core.telegram.org/bots/webapps#validating-data-for-third-party-use). The signature is checked with
Telegram's published key, without a bot token.
"""

import hashlib
import json
from base64 import urlsafe_b64decode
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import parse_qsl

#: Telegram's published keys: of its usual servers, and of its test environment
KEYS: Final = {
    "production": "e7bf03a2fa4602af4580703d88dda5bb59f32ed8b02a56c187fe7d34caed242d",
    "test": "40055058a4ee38156a06562e52eece92a771bcd8346a8c4615cb7376eddf72ec",
}
#: data older than this is refused, and the clocks of two machines may differ by this much
FRESH: Final = timedelta(minutes=5)
AHEAD: Final = timedelta(seconds=30)
#: the most characters of data
LONGEST: Final = 8_192


@dataclass(frozen=True, kw_only=True)
class OpenedBy:
    """The person who opened a Mini App, the app's bot, and the language of the person's Telegram.

    `mark` is a hash of the signed data. It does not depend on the order or the encoding of the fields.
    """

    person: int
    bot: int
    language: str
    mark: str


def check_init_data(text: str, bots: Collection[int], key: str, now: datetime) -> OpenedBy | None:
    """Return who opened the Mini App. None if the data was altered, is too old, or is not for one of these bots.

    `key` is Telegram's public key in hexadecimal digits.
    """
    if len(text) > LONGEST:
        return None
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True, max_num_fields=50)
    except ValueError:
        return None
    fields = dict(pairs)
    signature = _decode(fields.pop("signature", ""))
    fields.pop("hash", None)  # it is made with the bot's token, which the console lacks
    names = {name for name, _ in pairs}
    if len(names) != len(pairs) or len(signature) != 64 or not _is_fresh(fields.get("auth_date", ""), now):
        return None
    lines = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
    signed = (bot for bot in sorted(bots) if _is_signed(f"{bot}:WebAppData\n{lines}", signature, key))
    bot = next(signed, None)
    return _opened_by(fields, bot, hashlib.sha256(lines.encode()).hexdigest()) if bot is not None else None


def _is_signed(text: str, signature: bytes, key: str) -> bool:
    # imported here because only signing in needs it, and people wait for the function's start
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(signature, text.encode())
    except (InvalidSignature, UnicodeEncodeError):
        return False
    return True


def _is_fresh(auth_date: str, now: datetime) -> bool:
    if not (auth_date.isascii() and auth_date.isdecimal() and len(auth_date) <= 10):
        return False
    return now - FRESH <= datetime.fromtimestamp(int(auth_date), UTC) <= now + AHEAD


def _opened_by(fields: dict[str, str], bot: int, mark: str) -> OpenedBy | None:
    try:
        user: Any = json.loads(fields.get("user", ""))
    except ValueError:
        return None
    person = user.get("id") if isinstance(user, dict) else None
    if not isinstance(person, int) or isinstance(person, bool):
        return None
    return OpenedBy(person=person, bot=bot, language=str(user.get("language_code", "")), mark=mark)


def _decode(text: str) -> bytes:
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return b""
