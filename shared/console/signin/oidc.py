"""Telegram's web login by OpenID Connect (core.telegram.org/bots/telegram-login), with PKCE.

A bot represents the console at Telegram: the bot's id is the client id. The identity token identifies the person;
nothing else is requested from Telegram, and no token is stored.
"""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from shared.base.logs import log

if TYPE_CHECKING:
    import httpx

#: the algorithms that a bot's owner can choose at BotFather, except one that few libraries know
ALGORITHMS: Final = ("RS256", "ES256", "EdDSA")
TIMEOUT_S: Final = 15.0
#: how much the clocks of two machines may differ
LEEWAY: Final = timedelta(seconds=30)
#: the longest answer of Telegram's that is read, in bytes
LONGEST: Final = 100_000


@dataclass(frozen=True, kw_only=True)
class LoginAttempt:
    """The secrets of a login that has begun, kept in a signed cookie. Telegram's reply must match them."""

    state: str
    nonce: str
    verifier: str

    @staticmethod
    def begin() -> "LoginAttempt":
        return LoginAttempt(
            state=secrets.token_urlsafe(24), nonce=secrets.token_urlsafe(24), verifier=secrets.token_urlsafe(48)
        )


@dataclass(frozen=True, kw_only=True)
class TelegramLogin:
    """Telegram's login for one client id (a bot's id)."""

    issuer: str
    client_id: str
    client_secret: str

    def address(self, attempt: LoginAttempt, redirect_uri: str) -> str:
        """Return the address of Telegram's login page for an attempt."""
        challenge = hashlib.sha256(attempt.verifier.encode()).digest()
        asked = {
            "client_id": self.client_id,
            "redirect_uri": redirect_uri,
            "response_type": "code",
            "scope": "openid profile",
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": base64.urlsafe_b64encode(challenge).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        return f"{self.issuer}/auth?{urlencode(asked)}"

    async def person(self, code: str, attempt: LoginAttempt, redirect_uri: str, now: datetime) -> int | None:
        """Return the id of the person who signed in; None if the login failed or its token is not valid."""
        # imported here because only this login needs it, and people wait for the function's start
        import httpx

        try:
            async with httpx.AsyncClient(timeout=TIMEOUT_S) as client:
                token = await self._identity_token(client, code, attempt, redirect_uri)
                keys = (await client.get(f"{self.issuer}/.well-known/jwks.json")).raise_for_status()
                return self._person_in(token, _object(keys), attempt.nonce, now)
        except (httpx.HTTPError, ValueError) as error:
            log("a login at Telegram did not succeed", reason=type(error).__name__)
            return None

    async def _identity_token(
        self, client: "httpx.AsyncClient", code: str, attempt: LoginAttempt, redirect_uri: str
    ) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "client_id": self.client_id,
            "code_verifier": attempt.verifier,
        }
        answer = await client.post(f"{self.issuer}/token", data=form, auth=(self.client_id, self.client_secret))
        token = _object(answer.raise_for_status()).get("id_token")
        if not isinstance(token, str):
            raise ValueError("no identity token")
        return token

    def _person_in(self, token: str, keys: Mapping[str, Any], nonce: str, now: datetime) -> int | None:
        import jwt

        try:
            head = jwt.get_unverified_header(token)
            key = next((one for one in jwt.PyJWKSet.from_dict(dict(keys)).keys if one.key_id == head.get("kid")), None)
            if key is None:
                return None
            # the times are checked below, by the clock that is given
            claims = jwt.decode(
                token,
                key,
                algorithms=list(ALGORITHMS),
                audience=self.client_id,
                issuer=self.issuer,
                options={"require": ["exp", "iat", "iss", "aud"], "verify_exp": False, "verify_iat": False},
            )
        except jwt.PyJWTError as error:
            log("Telegram's identity token is not valid", reason=type(error).__name__)
            return None
        is_now = claims["iat"] - LEEWAY.total_seconds() <= now.timestamp() < claims["exp"] + LEEWAY.total_seconds()
        if not is_now or not secrets.compare_digest(str(claims.get("nonce", "")), nonce):
            return None
        return _person_id(claims)


def _person_id(claims: Mapping[str, Any]) -> int | None:
    """Return the claim `id`, which is the person's id in the Bot API. The claim `sub` is a different, opaque id."""
    number = str(claims.get("id", ""))
    return int(number) if number.isascii() and number.isdecimal() and len(number) <= 16 else None


def _object(answer: "httpx.Response") -> Mapping[str, Any]:
    if len(answer.content) > LONGEST:
        raise ValueError("the answer is too long")
    found = answer.json()
    if not isinstance(found, dict):
        raise ValueError("the answer is not an object")
    return found
