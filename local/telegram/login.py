"""Telegram's web login (core.telegram.org/bots/telegram-login) at `/oauth`: OpenID Connect with PKCE.

At Telegram, people confirm the login in their app. Here, the person at this machine chooses who signs in.
"""

import hashlib
import hmac
import json
import secrets
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from local.telegram.people import Person
from local.telegram.settings import TelegramSettings
from local.telegram.signing import login_secret

#: how long a code is valid, and a token, in seconds
CODE_S: Final = 60
TOKEN_S: Final = 3_600
_KEY_ID: Final = "local"
#: names of this machine, which count as one host
_THIS_MACHINE: Final = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, kw_only=True)
class LoginCode:
    """A login whose code has not been exchanged: the person who signs in, and the data of the client's request."""

    person: int
    name: str
    client_id: str
    redirect_uri: str
    nonce: str
    challenge: str
    until: float


class LoginFace:
    """Serves the login for one client: the bot of the console."""

    def __init__(
        self,
        settings: TelegramSettings,
        names: Callable[[], Awaitable[Mapping[int, str]]],
        now: Callable[[], float],
    ) -> None:
        """`names` returns the names of the people who can be chosen, by id. `now` returns epoch seconds."""
        self._settings, self._names, self._now = settings, names, now
        self._codes: dict[str, LoginCode] = {}

    def routes(self) -> list[Route]:
        """Return the routes of the login server, an OpenID provider."""
        return [
            Route("/oauth/auth", self._ask),
            Route("/oauth/chosen", self._chosen),
            Route("/oauth/token", self._exchange, methods=["POST"]),
            Route("/oauth/.well-known/jwks.json", self._show_keys),
        ]

    async def _ask(self, request: Request) -> Response:
        """Show a page with links for the people who may sign in, or answer 400 if the request is invalid."""
        asked = dict(request.query_params)
        if why := self._refusal(asked):
            return Response(why, status_code=400)
        people = "".join(_choice(asked, id_, name) for id_, name in (await self._names()).items())
        none = "<p>There is nobody yet: write to the agent first.</p>" if not people else ""
        icon = '<link rel="icon" href="data:,">'
        head = f'<!doctype html><meta charset="utf-8">{icon}<title>Sign in</title><h1>Who are you?</h1>'
        return HTMLResponse(f"{head}<ul>{people}</ul>{none}")

    async def _chosen(self, request: Request) -> Response:
        """Redirect the browser to the client with a code for the chosen person, or answer 400."""
        asked = dict(request.query_params)
        known = {str(id_): name for id_, name in (await self._names()).items()}
        person, why = asked.get("person", ""), self._refusal(asked)
        if why or person not in known:
            return Response(why or "there is no such person", status_code=400)
        code = secrets.token_urlsafe(24)
        self._codes[code] = LoginCode(
            person=int(person),
            name=known[person],
            client_id=asked["client_id"],
            redirect_uri=asked["redirect_uri"],
            nonce=asked.get("nonce", ""),
            challenge=asked["code_challenge"],
            until=self._now() + CODE_S,
        )
        back = urlencode({"code": code, "state": asked.get("state", "")})
        return RedirectResponse(f"{asked['redirect_uri']}?{back}", status_code=303)

    async def _exchange(self, request: Request) -> Response:
        """Return the identity token for a code. A code can be exchanged once."""
        form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        code = self._codes.pop(form.get("code", ""), None)
        if not self._is_client(request.headers.get("authorization", "")):
            return JSONResponse({"error": "invalid_client"}, status_code=401)
        if code is None or form.get("grant_type") != "authorization_code" or code.until < self._now():
            return JSONResponse({"error": "invalid_grant"}, status_code=400)
        challenge = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        is_same = hmac.compare_digest(urlsafe_b64encode(challenge).decode().rstrip("="), code.challenge)
        if not is_same or form.get("redirect_uri") != code.redirect_uri:
            return JSONResponse({"error": "invalid_grant"}, status_code=400)
        token = self._identity_token(code, str(request.base_url).rstrip("/") + "/oauth")
        return JSONResponse({"access_token": secrets.token_urlsafe(24), "token_type": "Bearer", "id_token": token})

    async def _show_keys(self, _: Request) -> Response:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self._key.public_key()))
        return JSONResponse({"keys": [{**public, "kid": _KEY_ID, "use": "sig", "alg": "RS256"}]})

    @cached_property
    def _key(self) -> RSAPrivateKey:
        return generate_private_key(public_exponent=65_537, key_size=2_048)

    def _identity_token(self, code: LoginCode, issuer: str) -> str:
        now = int(self._now())
        claims: dict[str, Any] = {
            "iss": issuer,
            "aud": code.client_id,
            # the subject is an opaque name; `id` is what bots know
            "sub": hashlib.sha256(f"{code.person}".encode()).hexdigest(),
            "id": code.person,
            "iat": now,
            "exp": now + TOKEN_S,
            "nonce": code.nonce,
            "name": code.name,
        }
        return jwt.encode(claims, self._key, algorithm="RS256", headers={"kid": _KEY_ID})

    def _refusal(self, asked: Mapping[str, str]) -> str:
        """Return why a login is refused, or an empty string."""
        settings = self._settings
        if asked.get("client_id") != settings.login_client:
            return "unknown client_id"
        if not _is_same_address(asked.get("redirect_uri", ""), settings.login_back):
            return "this redirect_uri is not allowed for the bot"
        if asked.get("response_type") != "code" or "openid" not in asked.get("scope", "").split():
            return "expected response_type=code and the scope openid"
        if asked.get("code_challenge_method") != "S256" or not asked.get("code_challenge"):
            return "expected a code_challenge by S256"
        return ""

    def _is_client(self, header: str) -> bool:
        kind, _, text = header.partition(" ")
        try:
            name, _, secret = b64decode(text).decode().partition(":")
        except ValueError:
            return False
        wanted = login_secret(self._settings.seed)
        return kind == "Basic" and name == self._settings.login_client and hmac.compare_digest(secret, wanted)


def _is_same_address(one: str, other: str) -> bool:
    """Return whether two addresses are the same. All host names of this machine, such as `localhost` and 127.0.0.1,
    count as the same name.
    """
    first, second = urlsplit(one), urlsplit(other)
    try:
        hosts = {first.hostname or "", second.hostname or ""}
        is_same = (first.scheme, first.port, first.path) == (second.scheme, second.port, second.path)
    except ValueError:
        return False
    return is_same and (len(hosts) == 1 or hosts <= {*_THIS_MACHINE})


def _choice(asked: Mapping[str, str], person: int, name: str) -> str:
    query = urlencode({**asked, "person": person})
    return f'<li><a href="/oauth/chosen?{escape(query)}">{escape(name)}</a></li>'


def name_of(person: Person) -> str:
    return " ".join(filter(None, (person.first_name, person.last_name)))
