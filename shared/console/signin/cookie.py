"""The cookie of a signed-in owner, signed with the console's own secret."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from itsdangerous import BadData, URLSafeSerializer
from starlette.responses import Response

from shared.console.signin.origin import Origin

#: how long a cookie is valid; each use extends it, until the sign-in itself is too old
LIFE: Final = timedelta(hours=1)
LONGEST: Final = timedelta(hours=24)
#: a cookie younger than this is not replaced
YOUNG: Final = timedelta(minutes=10)
#: how long a sign-in at Telegram may take
LOGIN_LIFE: Final = timedelta(minutes=10)


@dataclass(frozen=True, kw_only=True)
class SignedIn:
    """A sign-in: the person, when they signed in, and when the cookie ends. Times have whole seconds.

    `is_framed`: the console is shown inside Telegram's web client, where cookies need other attributes.
    """

    person: int
    since: datetime
    until: datetime
    language: str = ""
    is_framed: bool = False

    def renew(self, now: datetime) -> "SignedIn":
        """Return the same sign-in with a later end; unchanged if the cookie is new, or cannot be extended any more."""
        until = min(now + LIFE, self.since + LONGEST)
        return replace(self, until=until) if until - self.until > YOUNG else self


class CookieBox:
    """Signs and reads cookies."""

    def __init__(self, secret: str) -> None:
        """`secret`: the console's own secret."""
        self._sessions = URLSafeSerializer(secret, salt="session")
        self._logins = URLSafeSerializer(secret, salt="login")

    def read(self, cookies: Mapping[str, str], origin: Origin, now: datetime) -> SignedIn | None:
        """Return the sign-in of a request; None without a cookie, or if it was altered or has ended."""
        found = _load(self._sessions, cookies.get(origin.cookie_name("session"), ""))
        try:
            person, since, until, language, is_framed = found
            signed = SignedIn(
                person=int(person),
                since=datetime.fromtimestamp(since, UTC),
                until=datetime.fromtimestamp(until, UTC),
                language=str(language),
                is_framed=bool(is_framed),
            )
        except (TypeError, ValueError, OverflowError):
            return None
        return signed if signed.since <= now + YOUNG and now < signed.until else None

    def write(self, response: Response, signed: SignedIn, origin: Origin) -> None:
        """Set the cookie of a sign-in."""
        fields = [signed.person, int(signed.since.timestamp()), int(signed.until.timestamp())]
        text = self._sessions.dumps([*fields, signed.language, signed.is_framed])
        # inside Telegram's web client the console is a frame of another site; there the cookie belongs to this frame
        same_site = "SameSite=None; Partitioned" if signed.is_framed else "SameSite=Strict"
        _set(response, origin, "session", f"{text}; Max-Age={int(LIFE.total_seconds())}; {same_site}")

    def clear(self, response: Response, origin: Origin, *, is_framed: bool) -> None:
        """Delete the cookie of a sign-in."""
        same_site = "SameSite=None; Partitioned" if is_framed else "SameSite=Strict"
        _set(response, origin, "session", f"; Max-Age=0; {same_site}")

    def write_login(self, response: Response, login: Mapping[str, Any], origin: Origin) -> None:
        """Set the cookie of an unfinished login. SameSite=Lax lets the browser send it when Telegram redirects back."""
        age = int(LOGIN_LIFE.total_seconds())
        _set(response, origin, "login", f"{self._logins.dumps(dict(login))}; Max-Age={age}; SameSite=Lax")

    def read_login(self, cookies: Mapping[str, str], origin: Origin) -> Mapping[str, Any]:
        """Return the unfinished login of a request, or {}."""
        found = _load(self._logins, cookies.get(origin.cookie_name("login"), ""))
        return found if isinstance(found, dict) else {}

    def clear_login(self, response: Response, origin: Origin) -> None:
        _set(response, origin, "login", "; Max-Age=0; SameSite=Lax")


def _load(signer: URLSafeSerializer, text: str) -> Any:
    try:
        return signer.loads(text)
    except BadData:
        return None


def _set(response: Response, origin: Origin, kind: str, rest: str) -> None:
    secure = "; Secure" if origin.is_secure else ""
    response.headers.append("Set-Cookie", f"{origin.cookie_name(kind)}={rest}; Path=/; HttpOnly{secure}")
