"""The door: the address at which owners sign in. Only owners get to know it, and no other address reveals it."""

import hashlib
import hmac
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from shared.base.logs import log
from shared.console.answers import nothing_here
from shared.console.records import ConsoleRecord, FirestoreConsoleRecords
from shared.console.signin.cookie import LIFE, CookieBox, SignedIn
from shared.console.signin.init_data import check_init_data
from shared.console.signin.oidc import LoginAttempt, TelegramLogin
from shared.console.signin.origin import is_own_page, origin_of
from shared.console.signin.owners import AgentOwners, OwnedAgent, agents_of
from shared.console.web_files import PageFiles
from shared.console.words import choose_language, first_words, start_words

PAGE: Final = "console/door.html"
#: the files of `web/` that the page needs before anybody has signed in
FILES: Final = ("console/door.js", "console/door.css")
LONGEST_BODY: Final = 20_000
#: the page after a login. It loads the console itself: if Telegram's site redirected to the console, the browser
#: would not send the cookie, which is SameSite=Strict
GO_ON: Final = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>…</title>'
    '<link rel="icon" href="data:,">'
    '<meta http-equiv="refresh" content="0;url=/"></head><body><a href="/">…</a></body></html>'
)


@dataclass(frozen=True, kw_only=True)
class Door:
    """The endpoints for signing owners in.

    `client` belongs to the running loop. `name` is the path of the door. `key` is Telegram's public key for the data of
    Mini Apps. `login` is None if no bot is set up for Telegram's web login. `launches_anywhere` is true only for the
    local Telegram: the page then accepts data of Mini Apps in any browser. Otherwise it accepts data only inside
    Telegram, since somebody could make a link that signs an owner in as another person.
    """

    client: AsyncClient
    clock: Callable[[], datetime]
    files: PageFiles
    box: CookieBox
    owners: AgentOwners
    name: str
    key: str
    login: TelegramLogin | None = None
    launches_anywhere: bool = False

    def routes(self) -> Sequence[Route]:
        """Return the routes for signing in. Their handlers check that `door` in the path equals `name`."""
        below = "/{door}"
        return (
            Route(below, self.page),
            Route(f"{below}/file/{{file}}", self.file),
            Route(f"{below}/words/{{language}}", self.words),
            Route(f"{below}/telegram", self.enter_from_telegram, methods=["POST"]),
            Route(f"{below}/login", self.begin_login),
            Route(f"{below}/back", self.end_login),
        )

    async def page(self, request: Request) -> Response:
        """Show how to sign in. The page itself redirects a person who is already signed in."""
        if not self._is_here(request):
            return nothing_here()
        signed = self.box.read(request.cookies, origin_of(request.headers), self.clock())
        owned = await self.owners.read()
        is_in = signed is not None and bool(agents_of(signed.person, owned, signed.since))
        language = choose_language(self.files, request.headers.get("accept-language", ""))
        values = {
            **first_words(self.files, language),
            "signed": "yes" if is_in else "no",
            "door": f"/{self.name}",
            "login": "yes" if self.login is not None else "no",
            "claimed": "yes" if any(one.owner is not None for one in owned) else "no",
            "launch": "anywhere" if self.launches_anywhere else "telegram",
        }
        return HTMLResponse(self.files.page(PAGE, values))

    async def file(self, request: Request) -> Response:
        """Send a file that the sign-in page needs."""
        path = f"console/{request.path_params['file']}"
        found = self.files.find(path) if path in FILES and self._is_here(request) else None
        if found is None:
            return nothing_here()
        response = found.response(request.headers)
        response.headers["Cache-Control"] = "private, no-cache"
        return response

    async def words(self, request: Request) -> Response:
        """Send the page's texts in another language, in case the Telegram app's language differs from the browser's."""
        if not self._is_here(request):
            return nothing_here()
        return JSONResponse(start_words(self.files, choose_language(self.files, "", request.path_params["language"])))

    async def enter_from_telegram(self, request: Request) -> Response:
        """Sign a person in by the `initData` that Telegram gives to a Mini App."""
        if not self._is_here(request) or not is_own_page(request.headers):
            return nothing_here()
        body = await _body_of(request)
        now, owned = self.clock(), await self.owners.read()
        bots = {bot for one in owned for bot in one.bots}
        opened = check_init_data(str(body.get("init_data", "")), bots, self.key, now)
        # whoever holds the token of another owner's bot can have Telegram sign data about anybody
        own = {bot for one in owned if opened is not None and one.owner == opened.person for bot in one.bots}
        if opened is None or opened.bot not in own or self._is_anothers(request, opened.person, owned):
            log("a sign-in at the console was refused: Telegram's data is altered, too old, or for another bot")
            return nothing_here()
        signed = SignedIn(
            person=opened.person,
            since=now,
            until=now + LIFE,
            language=opened.language[:35],
            is_framed=body.get("framed") is True,
        )
        response = JSONResponse({})
        return response if await self._enter(request, response, signed, opened.mark) else nothing_here()

    async def begin_login(self, request: Request) -> Response:
        """Redirect the browser to Telegram's login."""
        if not self._is_here(request) or self.login is None:
            return nothing_here()
        attempt = LoginAttempt.begin()
        response = RedirectResponse(self.login.address(attempt, self._back(request)), status_code=303)
        self.box.write_login(response, asdict(attempt), origin_of(request.headers))
        return response

    async def end_login(self, request: Request) -> Response:
        """Sign a person in when Telegram's login redirects the browser back."""
        origin = origin_of(request.headers)
        begun = self.box.read_login(request.cookies, origin)
        if not self._is_here(request) or self.login is None or not begun:
            return nothing_here()
        attempt, state = LoginAttempt(**begun), request.query_params.get("state", "")
        if not hmac.compare_digest(attempt.state.encode(), state.encode()):
            return nothing_here()
        now, code = self.clock(), request.query_params.get("code", "")
        person = await self.login.person(code, attempt, self._back(request), now) if code else None
        response: Response = HTMLResponse(GO_ON)
        mark = hashlib.sha256(attempt.nonce.encode()).hexdigest()
        if person is None or not await self._enter(request, response, _signed_in(person, now), mark):
            response = nothing_here()
        self.box.clear_login(response, origin)
        return response

    async def _enter(self, request: Request, response: Response, signed: SignedIn, mark: str) -> bool:
        """Set an owner's cookie and record the sign-in under its hash `mark`. Return False if the person is not an
        owner, or if `mark` was used before.
        """
        whole = replace(signed, since=signed.since.replace(microsecond=0), until=signed.until.replace(microsecond=0))
        agents = agents_of(whole.person, await self.owners.read(), whole.since)
        if not agents:
            log("a sign-in at the console was refused: this person owns no agent here")
            return False
        kept = ConsoleRecord(id=mark, at=signed.since, person=signed.person, agents=agents, action="sign-in")
        if not await FirestoreConsoleRecords(self.client).keep(kept):
            log("a sign-in at the console was refused: its data was used before")
            return False
        self.box.write(response, whole, origin_of(request.headers))
        return True

    def _is_anothers(self, request: Request, person: int, owned: Collection[OwnedAgent]) -> bool:
        """Return whether somebody else, who owns an agent, is signed in on this browser. A link must not sign them out.

        The page cannot check this: after a link from another site, browsers do not send the cookie.
        """
        signed = self.box.read(request.cookies, origin_of(request.headers), self.clock())
        return signed is not None and signed.person != person and bool(agents_of(signed.person, owned, signed.since))

    def _is_here(self, request: Request) -> bool:
        return hmac.compare_digest(request.path_params["door"].encode(), self.name.encode())

    def _back(self, request: Request) -> str:
        return f"{origin_of(request.headers).url}/{self.name}/back"


def _signed_in(person: int, now: datetime) -> SignedIn:
    return SignedIn(person=person, since=now, until=now + LIFE)


async def _body_of(request: Request) -> Mapping[str, Any]:
    content = b""
    async for piece in request.stream():
        content += piece
        if len(content) > LONGEST_BODY:
            return {}
    try:
        body = json.loads(content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
