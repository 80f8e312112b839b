"""Attacks on the console in a real browser: script in what strangers write, foreign pages, stolen cookies."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

import pytest
import uvicorn
from playwright.async_api import expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from local.guest_server import GuestServer, serving
from local.ports import ReservedPort, listen, reserve_port
from shared.chat.store.bots import FirestoreOwners
from shared.console.app import console_app
from tests.local.page.visitor import Desks
from tests.shared.conftest import new_queue
from tests.shared.console.conftest import console as harness
from tests.shared.console.harness import BOTS, DOOR, OWNER, ConsoleHarness
from tests.web.console_page import ConsolePage
from tests.web.owner import Owner, Owners
from tests.web.test_views import addresses

__all__ = ["harness", "new_queue"]

#: names of fields whose texts people, models, files or other services write
WRITTEN = frozenset(
    (
        "text", "title", "name", "username", "words", "last_words", "opening", "snippet", "who", "shows", "says",
        "chat_title", "forwarded_from", "problem", "reason", "label", "instruction", "abbreviation", "summary",
        "said_by", "said_in", "note", "emoji", "pronouns", "set", "source", "link", "url", "address", "topics",
        "aliases", "answer", "failure", "description", "system", "arguments", "written", "system_instruction",
    )
)  # fmt: skip
SCRIPT = "window.hit=(window.hit||0)+1"
PAYLOADS = (
    f'"><img src=x onerror="{SCRIPT}"><script>{SCRIPT}</script>',
    f"'><svg onload='{SCRIPT}'><iframe srcdoc='<script>parent.{SCRIPT}</script>'></iframe>",
    f"</textarea></title></style><script>{SCRIPT}</script>${{{SCRIPT}}}{{{{{SCRIPT}}}}}\u202e\u0000",
)
ADDRESSES = (f"javascript:{SCRIPT}", f"data:text/html,<script>{SCRIPT}</script>", f"JaVaScRiPt:\t{SCRIPT}//https://x")


def poisoned(value: Any, payload: str, address: str, field: str = "") -> Any:
    """Return an answer in which everything that others write attacks the page."""
    if isinstance(value, dict):
        return {name: poisoned(one, payload, address, name) for name, one in value.items()}
    if isinstance(value, list):
        return [poisoned(one, payload, address, field) for one in value]
    if isinstance(value, tuple):
        return tuple(poisoned(one, payload, address, field) for one in value)
    if not isinstance(value, str) or field not in WRITTEN:
        return value
    if value.startswith(("http:", "https:")):
        return address
    return value + payload


@pytest.mark.parametrize(("payload", "address"), [*zip(PAYLOADS, ADDRESSES, strict=True)], ids=["image", "svg", "ends"])
async def test_script_in_names_texts_and_addresses_never_runs(
    owners: Owners, console: ConsolePage, payload: str, address: str
) -> None:
    console.answers = {asked: poisoned(answer, payload, address) for asked, answer in console.answers.items()}
    assert sum(json.dumps(one).count("window.hit") for one in console.answers.values()) > 300
    owner = await owners.visit()
    seen = 0
    for path in addresses():
        await owner.opens(path)
        seen += (await owner.page.locator("body").inner_text()).count("window.hit")
        for disclosure in await owner.page.locator("main summary").all():
            await disclosure.click()
        assert await owner.page.evaluate("window.hit") is None, path
        found = await owner.page.evaluate(
            """() => [...document.querySelectorAll("*")].filter((one) =>
                ["SCRIPT", "IFRAME", "OBJECT", "EMBED"].includes(one.tagName) && one.closest("body") ||
                [...one.attributes].some((each) => /^on/i.test(each.name) ||
                    ["href", "src", "action", "formaction", "xlink:href"].includes(each.name) &&
                    /^[\\s\\x00-\\x1f]*(javascript|data:text)/i.test(each.value))).map((one) => one.outerHTML)"""
        )
        assert found == [], path
    assert seen > 100, "the texts are shown, as texts"
    owners.problems.clear()  # a name may also be a key, which the page then does not find


class ForeignPage:
    """A page at another address, which the owner visits while they are signed in to the console."""

    def __init__(self, console: str) -> None:
        self.console = console
        self.url = ""

    def app(self) -> Starlette:
        return Starlette(routes=[Route("/{name}", self._page), Route("/", self._page)])

    async def _page(self, request: Request) -> Response:
        if request.path_params.get("name") == "frame":
            return HTMLResponse(f'<iframe src="{self.console}/" width="800" height="600"></iframe>')
        form = f'<form method="post" enctype="text/plain" action="{self.console}/api/sign-out"><input name="x"></form>'
        return HTMLResponse(f"<h1>Kittens</h1>{form}")


@asynccontextmanager
async def foreign_page(console: str) -> AsyncIterator[ForeignPage]:
    port = reserve_port()
    page = ForeignPage(console)
    page.url = f"http://127.0.0.1:{port.number}"
    config = uvicorn.Config(page.app(), log_level="warning", ws="none", timeout_graceful_shutdown=1)
    try:
        async with serving(GuestServer(config), listen("127.0.0.1", port.number)):
            yield page
    finally:
        port.release()


@pytest.fixture
async def visitors(harness: ConsoleHarness, console_address: ReservedPort, desks: Desks) -> AsyncIterator[Owners]:
    """Serve the real function's application, and open its pages in a browser."""
    await harness.claim()
    app = console_app(harness.door, lambda: harness.services)
    config = uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=1)
    async with serving(GuestServer(config), listen("127.0.0.1", console_address.number)):
        opened = Owners(desks, f"http://127.0.0.1:{console_address.number}")
        yield opened
        await opened.close()


async def enter(visitors: Owners, harness: ConsoleHarness) -> Owner:
    data = harness.telegram.init_data(OWNER, BOTS["lull"], harness.now)
    owner = await visitors.launch(f"/{DOOR}#tgWebAppData={quote(data)}")
    await owner.settles()
    return owner


async def is_signed_in(owner: Owner) -> bool:
    """Return whether the browser still has a valid cookie."""
    shown = await owner.page.context.request.get(f"{owner.url}/api/session")
    return shown.ok


async def test_a_foreign_page_cannot_show_the_console_in_a_frame(visitors: Owners, harness: ConsoleHarness) -> None:
    owner = await enter(visitors, harness)
    async with foreign_page(visitors.url) as foreign:
        await owner.page.goto(f"{foreign.url}/frame")
        (frame,) = owner.page.main_frame.child_frames
        assert not frame.url.startswith(visitors.url)
        assert await frame.locator(".console").count() == 0


async def test_a_foreign_page_cannot_change_or_read_anything(visitors: Owners, harness: ConsoleHarness) -> None:
    # another port is the same site, so that the browser sends the cookie: only the origin tells them apart
    owner = await enter(visitors, harness)
    async with foreign_page(visitors.url) as foreign:
        await owner.page.goto(foreign.url)
        results = await owner.page.evaluate(
            """async (url) => {
                const ask = (path, options) => fetch(url + path, { credentials: "include", ...options })
                    .then(async (one) => `${one.type} ${one.status} ${await one.text()}`, (error) => error.name);
                return [
                    await ask("/api/session"),
                    await ask("/api/sign-out", { method: "POST", mode: "no-cors", body: "{}" }),
                    await ask("/api/sign-out", { method: "POST", headers: { "x-lull-console": "1" }, body: "{}" }),
                    await ask("/api/sign-out", { method: "POST", mode: "no-cors", body: new URLSearchParams("a=1") }),
                ];
            }""",
            visitors.url,
        )
        # none of the answers can be read, not even as an opaque one (Cross-Origin-Resource-Policy)
        assert results == ["TypeError"] * 4
        await owner.page.evaluate("document.querySelector('form').submit()")
        await expect(owner.page.locator("body")).to_have_text("Not Found")
        assert await is_signed_in(owner)


async def test_a_script_cannot_read_the_cookie(visitors: Owners, harness: ConsoleHarness) -> None:
    owner = await enter(visitors, harness)
    assert await owner.page.evaluate("document.cookie") == ""
    stored = await owner.page.evaluate("JSON.stringify([{ ...sessionStorage }, { ...localStorage }])")
    assert "tgWebAppData" not in stored
    assert "signature" not in stored


async def test_inline_script_and_foreign_script_are_refused_by_the_policy(
    visitors: Owners, harness: ConsoleHarness
) -> None:
    owner = await enter(visitors, harness)
    await owner.page.evaluate(
        """() => {
            const inline = document.createElement("script");
            inline.textContent = "window.hit = 1";
            const foreign = document.createElement("script");
            foreign.src = "https://evil.example/x.js";
            document.body.append(inline, foreign);
            document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.hit = 2'>");
        }"""
    )
    assert await owner.page.evaluate("window.hit") is None


async def test_whoever_is_signed_out_elsewhere_sees_nothing_more(visitors: Owners, harness: ConsoleHarness) -> None:
    owner = await enter(visitors, harness)
    harness.wait(seconds=5)
    await FirestoreOwners(harness.client).end_console("lull", harness.now)
    await owner.page.goto(f"{visitors.url}/#/costs")
    await expect(owner.page.get_by_role("heading", name=re.compile("Signed out|Abgemeldet"))).to_be_visible()
    assert not await is_signed_in(owner)


async def test_a_page_that_only_listens_is_out_as_soon_as_its_sign_in_is_revoked(
    visitors: Owners, harness: ConsoleHarness
) -> None:
    owner = await enter(visitors, harness)
    await expect(owner.page.locator(".status-live")).to_have_text(re.compile("Live"))
    harness.wait(seconds=5)
    await FirestoreOwners(harness.client).end_console("lull", harness.now)
    await expect(owner.page.get_by_role("heading", name=re.compile("Signed out|Abgemeldet"))).to_be_visible()
    assert not await is_signed_in(owner)


async def test_signing_in_leads_to_no_other_site(visitors: Owners) -> None:
    owner = await visitors.visit(address="/nothing")
    for path in (
        f"//evil.example/{DOOR}",
        f"/{DOOR}//evil.example",
        f"/{DOOR}/login?next=https://evil.example",
        f"/{DOOR}/back?next=https://evil.example&redirect=//evil.example",
        "/\\\\evil.example",
        f"/{DOOR}?next=https://evil.example",
    ):
        await owner.page.goto(visitors.url + path)
        assert owner.page.url.startswith(visitors.url)
        assert "evil" not in await owner.page.evaluate("document.body.innerHTML")
