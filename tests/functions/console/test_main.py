"""The console through functions-framework: signing in by the local Telegram, and the page's files."""

import re
from collections.abc import AsyncIterator
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx
import pytest
from google.cloud.firestore_v1 import DELETE_FIELD

from shared.base.root import ROOT
from shared.chat.store import paths
from tests.stories.play import Person, Sandbox

AGENT = "moss"
NOTHING = (404, "Not Found")


def said(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.text


class Visitor:
    """A browser at the console of this machine."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.base = sandbox.cloud.url("console")
        self.door = urlsplit(sandbox.cloud.console_url).path
        self.http = httpx.AsyncClient(base_url=self.base, timeout=60)

    @property
    def own_page(self) -> dict[str, str]:
        return {"Origin": self.base, "Sec-Fetch-Site": "same-origin", "X-Lull-Console": "1"}

    async def launch(self, person: Person) -> str:
        """Return the signed data that the agent's Mini App gets from Telegram when this person opens it."""
        bot = await self.sandbox.bot(AGENT)
        asked = {"person_id": person.id, "bot_id": bot["id"]}
        opened = (await self.sandbox.telegram.post("/world/mini-app", json=asked)).raise_for_status().json()
        place = urlsplit(opened["url"])
        assert f"{place.scheme}://{place.netloc}{place.path}" == self.sandbox.cloud.console_url
        return str(dict(parse_qsl(place.fragment))["tgWebAppData"])

    async def send(self, init_data: str) -> httpx.Response:
        return await self.http.post(f"{self.door}/telegram", json={"init_data": init_data}, headers=self.own_page)

    async def log_in(self, person: Person) -> httpx.Response:
        """Go through Telegram's login for desks as this person, and return the console's answer."""
        back = await self.choose(person)
        return await self.http.get(back)

    async def choose(self, person: Person) -> str:
        """Begin a login, choose a person at Telegram, and return the address to which Telegram sends the browser."""
        begun = await self.http.get(f"{self.door}/login")
        assert begun.status_code == 303
        asked = await self.sandbox.telegram.get(begun.headers["location"])
        assert person.name in asked.text
        query = urlsplit(begun.headers["location"]).query
        chosen = await self.sandbox.telegram.get(f"/oauth/chosen?{query}&person={person.id}")
        assert chosen.status_code == 303
        return str(chosen.headers["location"])

    async def session(self) -> httpx.Response:
        return await self.http.get("/api/session")


@pytest.fixture
async def owner(sandbox: Sandbox) -> AsyncIterator[Person]:
    """Make a person the owner of an agent for one test."""
    person, bot = await sandbox.person("Ann", "de"), await sandbox.bot(AGENT)
    document = sandbox.firestore.document(paths.bot_path(AGENT))
    known = (await document.get()).to_dict() or {}
    name = {"username": bot["username"], "at": known.get("claimed_at") or (await document.get()).read_time}
    await document.set({"owner": person.id, "names": {str(bot["id"]): name}}, merge=True)
    yield person
    await document.set({"owner": DELETE_FIELD, "console_off_at": DELETE_FIELD}, merge=True)


@pytest.fixture
async def visitor(sandbox: Sandbox) -> AsyncIterator[Visitor]:
    made = Visitor(sandbox)
    yield made
    await made.http.aclose()


async def test_a_stranger_finds_nothing(visitor: Visitor) -> None:
    of_the_framework = ("/favicon.ico", "/robots.txt")
    for path in ("/", "/api/session", "/api/words", "/web-1/console/main.js", f"{visitor.door}/x", *of_the_framework):
        shown = await visitor.http.get(path)
        assert said(shown) == NOTHING
        assert not [word for word in ("telegram", "console", "lull", "robots") if word in str(shown.headers).lower()]
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        assert said(await visitor.http.request(method, "/api/session")) == NOTHING


async def test_the_owner_opens_the_mini_app(visitor: Visitor, owner: Person) -> None:
    data = await visitor.launch(owner)
    assert (await visitor.send(data)).status_code == 200
    session = (await visitor.session()).json()
    assert (session["owner"], session["agents"], session["language"]) == (owner.id, [AGENT], "de")
    assert said(await visitor.send(data)) == NOTHING  # a second time


async def test_somebody_else_opens_the_mini_app_in_vain(visitor: Visitor, owner: Person) -> None:
    other = await visitor.sandbox.person("Bob")
    assert said(await visitor.send(await visitor.launch(other))) == NOTHING
    assert said(await visitor.session()) == NOTHING


async def test_the_owner_logs_in_on_a_desk(visitor: Visitor, owner: Person) -> None:
    shown = await visitor.log_in(owner)
    assert shown.status_code == 200
    assert 'content="0;url=/"' in shown.text
    assert '<link rel="icon" href="data:,">' in shown.text  # otherwise browsers ask for /favicon.ico
    cookies = shown.headers.get_list("set-cookie")
    assert any("-session-" in one and "HttpOnly" in one and "SameSite=Strict" in one for one in cookies)
    assert (await visitor.session()).json()["owner"] == owner.id


async def test_somebody_else_logs_in_on_a_desk_in_vain(visitor: Visitor, owner: Person) -> None:
    assert said(await visitor.log_in(await visitor.sandbox.person("Bob"))) == NOTHING
    assert said(await visitor.session()) == NOTHING


async def test_a_login_ends_only_in_the_browser_that_began_it_and_once(visitor: Visitor, owner: Person) -> None:
    back = await visitor.choose(owner)
    async with httpx.AsyncClient(base_url=visitor.base, timeout=60) as other:
        assert said(await other.get(back)) == NOTHING
    assert (await visitor.http.get(back)).status_code == 200
    assert said(await visitor.http.get(back)) == NOTHING


async def test_a_login_whose_state_code_or_nonce_is_altered_is_refused(visitor: Visitor, owner: Person) -> None:
    back = await visitor.choose(owner)
    code, state = (parse_qs(urlsplit(back).query)[name][0] for name in ("code", "state"))
    assert said(await visitor.http.get(f"{visitor.door}/back?code={code}&state=x{state}")) == NOTHING
    for query in ("", f"?state={state}", f"?code=&state={state}", "?error=access_denied", f"?code=x&state={state}"):
        await visitor.choose(owner)
        assert said(await visitor.http.get(f"{visitor.door}/back{query}")) == NOTHING
    # a code of another login: its verifier and its nonce are those of another browser
    stolen = Visitor(visitor.sandbox)
    foreign = parse_qs(urlsplit(await stolen.choose(owner)).query)["code"][0]
    state = parse_qs(urlsplit(await visitor.choose(owner)).query)["state"][0]
    assert said(await visitor.http.get(f"{visitor.door}/back?code={foreign}&state={state}")) == NOTHING
    await stolen.http.aclose()


async def test_telegrams_login_refuses_another_address_and_another_client(visitor: Visitor, owner: Person) -> None:
    begun = (await visitor.http.get(f"{visitor.door}/login")).headers["location"]
    for old, new in (("redirect_uri=http%3A%2F%2F", "redirect_uri=http%3A%2F%2Fevil."), ("client_id=", "client_id=9")):
        assert (await visitor.sandbox.telegram.get(begun.replace(old, new))).status_code == 400


async def test_the_pages_files_are_kept_by_the_browser_and_are_sent_compressed(visitor: Visitor, owner: Person) -> None:
    await visitor.send(await visitor.launch(owner))
    page = await visitor.http.get("/")
    assert page.status_code == 200
    script = re.search(r'src="(/web-[0-9a-f]{16}/console/main\.js)"', page.text)
    assert script is not None
    shown = await visitor.http.get(script[1])
    assert (shown.status_code, shown.headers["content-encoding"]) == (200, "gzip")
    assert shown.headers["cache-control"] == "private, max-age=31536000, immutable"
    again = await visitor.http.get(script[1], headers={"If-None-Match": shown.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_no_path_reaches_another_file(visitor: Visitor, owner: Person) -> None:
    await visitor.send(await visitor.launch(owner))
    web = re.search(r"/web-[0-9a-f]{16}", (await visitor.http.get("/")).text)
    assert web is not None
    for path in ("../shared/console/app.py", "..%2fmain.py", "%2e%2e/main.py", "console/../../main.py", "/etc/passwd"):
        url = httpx.URL(visitor.base).copy_with(raw_path=f"{web[0]}/{path}".encode())
        assert said(await visitor.http.get(url)) == NOTHING
    for path in ("..%2f..%2fmain.py", "main.py", "index.html", "%00"):
        url = httpx.URL(visitor.base).copy_with(raw_path=f"{visitor.door}/file/{path}".encode())
        assert said(await visitor.http.get(url)) == NOTHING


async def test_the_words_are_in_the_owners_language(visitor: Visitor, owner: Person) -> None:
    await visitor.send(await visitor.launch(owner))
    told = (await visitor.http.get("/api/words")).json()
    english = {file.stem for file in (ROOT / "web/console/words/en").glob("*.json")}
    assert told["language"] == "de"
    assert told["words"].keys() > english > {"common"}
