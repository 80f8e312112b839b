"""The keys of the local Telegram: it signs the data of Mini Apps, and the tokens of its web login.

The keys are derived from a seed that only this machine has, so that signatures are not valid anywhere else.
"""

import hashlib
import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def mini_app_key(seed: str) -> str:
    """Return the public key for the data of Mini Apps, in hexadecimal digits."""
    return _private_key(seed).public_key().public_bytes_raw().hex()


def login_secret(seed: str) -> str:
    """Return the client secret of the web login."""
    return hashlib.sha256(f"login {seed}".encode()).hexdigest()


class MiniAppSigner:
    """Signs `initData` as Telegram does (core.telegram.org/bots/webapps#validating-data-for-third-party-use)."""

    def __init__(self, seed: str) -> None:
        """`seed` is a secret of this machine."""
        self._seed = seed

    @cached_property
    def _key(self) -> Ed25519PrivateKey:
        return _private_key(self._seed)

    def sign(self, bot_id: int, fields: Mapping[str, str]) -> str:
        """Return the fields with their signature, as the query string that a Mini App gets.

        `hash` is random here. Telegram computes it with the bot's token, but lull does not check it.
        """
        lines = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
        signature = self._key.sign(f"{bot_id}:WebAppData\n{lines}".encode())
        return urlencode({**fields, "signature": _text(signature), "hash": secrets.token_hex(32)})

    def launch(self, url: str, bot_id: int, user: Mapping[str, Any], at: float) -> str:
        """Return the address of a Mini App that a person opens, with the data in its fragment."""
        data = self.sign(
            bot_id,
            {
                "query_id": secrets.token_urlsafe(16),
                "user": json.dumps(user, ensure_ascii=False, separators=(",", ":")),
                "auth_date": str(int(at)),
            },
        )
        launch = {"tgWebAppData": data, "tgWebAppVersion": "9.2", "tgWebAppPlatform": "web"}
        return f"{url}#{urlencode(launch)}"


def _private_key(seed: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"mini apps {seed}".encode()).digest())


def _text(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")
