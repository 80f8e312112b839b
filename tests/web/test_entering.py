"""Attacks on signing in, in a real browser: links with the data of others, and data that proves nothing."""

from dataclasses import replace
from datetime import timedelta
from urllib.parse import quote

import pytest
from google.cloud.firestore_v1 import DELETE_FIELD
from playwright.async_api import expect

from shared.chat.store import paths
from shared.console.signin.oidc import TelegramLogin
from tests.shared.conftest import new_queue
from tests.shared.console.conftest import console as harness
from tests.shared.console.harness import BOTS, DOOR, OTHER, OWNER, ConsoleHarness, Telegram
from tests.web.owner import Owner, Owners
from tests.web.test_attacks import enter, is_signed_in, visitors

__all__ = ["harness", "new_queue", "visitors"]

TELEGRAMS_WEB_CLIENT = "https://web.telegram.org"


def launch(harness: ConsoleHarness, person: int = OWNER, agent: str = "lull") -> str:
    """Return the address that Telegram opens when this person opens the agent's Mini App."""
    return f"/{DOOR}#tgWebAppData={quote(harness.telegram.init_data(person, BOTS[agent], harness.now))}"


async def follow_link(owner: Owner, address: str) -> None:
    """Follow a link to the console on a page of another site."""
    await owner.page.route(
        "https://elsewhere.example/",
        lambda route: route.fulfill(content_type="text/html", body=f'<a href="{owner.url}{address}">Kittens</a>'),
    )
    await owner.page.goto("https://elsewhere.example/")
    async with owner.page.expect_navigation():
        await owner.page.get_by_role("link", name="Kittens").click()


async def test_a_link_with_somebodys_data_signs_nobody_in_an_ordinary_browser(
    visitors: Owners, harness: ConsoleHarness
) -> None:
    await harness.claim("moss", OTHER)
    others = launch(harness, OTHER, "moss")
    browser = await visitors.visit(address="/nothing")
    await follow_link(browser, others)
    await expect(browser.page.get_by_role("status")).to_have_text(
        "Open this page inside Telegram: send /console to your agent."
    )
    assert browser.page.url == f"{visitors.url}/{DOOR}"
    assert not await is_signed_in(browser)
    in_telegram = await visitors.launch(others)
    await in_telegram.settles()
    assert await person_of(in_telegram) == OTHER, "the data was fresh, and not used up"


@pytest.fixture
def login(harness: ConsoleHarness) -> None:
    """Set up Telegram's login at the console, before it is served."""
    login = TelegramLogin(issuer="http://127.0.0.1:9", client_id="1", client_secret="x")
    harness.door = replace(harness.door, login=login)


@pytest.mark.usefixtures("login")
async def test_a_link_with_data_only_offers_telegrams_login_on_a_desk(
    visitors: Owners, harness: ConsoleHarness
) -> None:
    browser = await visitors.visit(address="/nothing")
    await follow_link(browser, launch(harness))
    await expect(browser.page.get_by_role("link", name="Sign in with Telegram")).to_be_visible()
    assert not await is_signed_in(browser)


async def test_a_link_with_the_data_of_another_owner_leaves_one_in_ones_own_session(
    visitors: Owners, harness: ConsoleHarness
) -> None:
    await harness.claim("moss", OTHER)
    owner = await enter(visitors, harness)
    await follow_link(owner, launch(harness, OTHER, "moss"))
    await expect(owner.page.get_by_role("status")).to_contain_text("Das hat nicht geklappt.")
    assert await person_of(owner) == OWNER


@pytest.mark.parametrize("app", ["window.external.notify = () => {}", "window.TelegramWebviewProxy = {postEvent() {}}"])
async def test_a_telegram_app_signs_its_person_in(visitors: Owners, harness: ConsoleHarness, app: str) -> None:
    browser = await visitors.visit(user_agent=app)
    await browser.page.context.add_init_script(app)
    await browser.page.goto(visitors.url + launch(harness))
    await browser.settles()
    assert await person_of(browser) == OWNER


async def test_telegrams_web_client_signs_its_person_in(visitors: Owners, harness: ConsoleHarness) -> None:
    browser = await visitors.visit(address="/nothing")
    await browser.page.route(
        f"{TELEGRAMS_WEB_CLIENT}/",
        lambda route: route.fulfill(
            content_type="text/html", body=f'<iframe src="{visitors.url}{launch(harness)}"></iframe>'
        ),
    )
    # a page of the internet may show one of this machine
    await browser.page.context.grant_permissions(["local-network-access"], origin=TELEGRAMS_WEB_CLIENT)
    async with browser.page.expect_response(f"{visitors.url}/{DOOR}/telegram") as sent:
        await browser.page.goto(f"{TELEGRAMS_WEB_CLIENT}/")
    assert (await sent.value).status == 200


def unproven(harness: ConsoleHarness) -> dict[str, str]:
    """Return data of Mini Apps that do not prove who opened them."""
    telegram, now, bot = harness.telegram, harness.now, BOTS["lull"]
    return {
        "altered": telegram.init_data(OTHER, bot, now).replace(str(OTHER), str(OWNER)),
        "old": telegram.init_data(OWNER, bot, now - timedelta(minutes=6)),
        "another owner's bot": telegram.init_data(OWNER, BOTS["moss"], now),
        "a stranger": telegram.init_data(703, bot, now),
        "another key": Telegram().init_data(OWNER, bot, now),
    }


async def test_data_that_proves_nothing_opens_nothing(visitors: Owners, harness: ConsoleHarness) -> None:
    await harness.claim("moss", OTHER)
    visitor = await visitors.launch("/nothing")
    for data in unproven(harness).values():
        await visitor.page.goto("about:blank")
        await visitor.page.goto(f"{visitors.url}/{DOOR}#tgWebAppData={quote(data)}")
        await expect(visitor.page.get_by_role("status")).to_contain_text("Das hat nicht geklappt.")
        assert await visitor.page.context.cookies() == []
    await visitor.page.goto(visitors.url)
    await expect(visitor.page.locator("body")).to_have_text("Not Found")


async def test_who_owns_no_agent_reads_why_the_console_stays_closed(visitors: Owners, harness: ConsoleHarness) -> None:
    visitor = await visitors.launch(launch(harness, OTHER))
    await expect(visitor.page.get_by_role("status")).to_contain_text("Nur wem ein Agent gehört")
    await harness.client.document(paths.bot_path("lull")).update({"owner": DELETE_FIELD})
    await visitor.page.goto("about:blank")
    await visitor.page.goto(f"{visitors.url}{launch(harness)}")
    await expect(visitor.page.get_by_role("status")).to_contain_text("Dieser Agent hat noch keinen Besitzer.")


async def test_data_that_signed_somebody_in_is_worth_nothing_in_another_browser(
    visitors: Owners, harness: ConsoleHarness
) -> None:
    address = launch(harness)
    await (await visitors.launch(address)).settles()
    thief = await visitors.launch(address)
    await expect(thief.page.get_by_role("status")).to_contain_text("Das hat nicht geklappt.")
    assert not await is_signed_in(thief)


async def test_no_id_in_an_address_leads_to_another_document(visitors: Owners, harness: ConsoleHarness) -> None:
    owner = await enter(visitors, harness)
    for path in (
        "conversations/..%2f..%2fbots%2flull",
        "media/files/..%2f..%2fx/parts/0",
        "people/..%2fmoss/list/people",
        "people/..%5cmoss/list/people",
    ):
        shown = await owner.page.context.request.get(f"{visitors.url}/api/{path}")
        assert shown.status == 404, path


async def person_of(owner: Owner) -> int:
    """Return who is signed in in this browser."""
    session = await (await owner.page.context.request.get(f"{owner.url}/api/session")).json()
    return int(session["owner"])
