"""Registering bots at the local Telegram, which keeps webhooks and menus as the real one."""

import json
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from local.telegram.serving import serve
from local.telegram.settings import TelegramSettings
from shared.base.errors import ChannelRefused
from shared.base.wording.words import words_in
from shared.commands.registry import menus
from shared.telegram.inbound.envelope import ALLOWED_UPDATES
from shared.telegram.outbound.bot import TelegramAccount
from shared.upkeep.jobs.register import Registrar, WebhookFault, cause_to_set, register, register_all
from shared.values.registration import Menu, MenuEntry, MenuScope, Webhook, WebhookState, claim_code

TOKENS = {
    "lull": "700000001:local-bot-token_0123456789abcdefghi",
    "moss": "700000002:local-bot-token_0123456789abcdefghi",
}
UNKNOWN_TOKEN = "700000009:local-bot-token_0123456789abcdefghi"
BASE = "https://webhook.example"
WANTED = Webhook(url=f"{BASE}/lull", secret="the-secret", allowed_updates=ALLOWED_UPDATES)
STANDS = WebhookState(url=WANTED.url, allowed_updates=frozenset(ALLOWED_UPDATES), max_connections=100)
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@dataclass
class LocalSetup:
    """A local Telegram with two bots."""

    api: httpx.AsyncClient
    registrar: Registrar

    async def calls(self, method: str) -> list[dict[str, Any]]:
        found = (await self.api.get("/world/calls?after=0")).json()["calls"]
        return [call for call in found if call["method"] == method]

    async def call(self, agent: str, method: str, **params: Any) -> Any:
        answer = await self.api.post(f"/bot{TOKENS[agent]}/{method}", json=params)
        assert answer.is_success, answer.text
        return answer.json()["result"]


@pytest.fixture
async def local_setup() -> AsyncIterator[LocalSetup]:
    async with (
        serve(TelegramSettings(clock_scale=0.01)) as telegram,
        httpx.AsyncClient(base_url=telegram.url) as api,
    ):
        for agent, token in TOKENS.items():
            bot = {"token": token, "first_name": agent, "username": f"{agent}_bot", "privacy": agent == "moss"}
            (await api.post("/world/bots", json=bot)).raise_for_status()
        accounts = {agent: TelegramAccount(token, telegram.url) for agent, token in TOKENS.items()}
        yield LocalSetup(api, Registrar(accounts=accounts, secret="the-secret", clock=lambda: datetime.now(UTC)))
        for account in accounts.values():
            await account.aclose()


async def test_a_new_bot_gets_its_webhook_and_its_commands(local_setup: LocalSetup) -> None:
    found = await register(local_setup.registrar, "lull", WANTED.url)
    assert (found.cause, found.menus, found.identity.username) == (WebhookFault.NONE_THERE, len(menus()), "lull_bot")
    assert found.identity.can_read_all_group_messages
    (call,) = await local_setup.calls("setWebhook")
    params = call["params"]
    assert (params["url"], params["secret_token"], params["max_connections"]) == (WANTED.url, "the-secret", "100")
    info = await local_setup.call("lull", "getWebhookInfo")
    assert set(info["allowed_updates"]) == set(ALLOWED_UPDATES)
    shown = await local_setup.call("lull", "getMyCommands", scope={"type": menus()[0].scope})
    assert [(one["command"], one["description"]) for one in shown] == [
        (entry.name, entry.description) for entry in menus()[0].entries
    ]


async def test_people_are_shown_the_commands_in_their_language(local_setup: LocalSetup) -> None:
    await register(local_setup.registrar, "lull", WANTED.url)
    for language in ("uk", "pt", "ar"):
        scope = {"type": MenuScope.PRIVATE_CHATS.value}
        shown = await local_setup.call("lull", "getMyCommands", scope=scope, language_code=language)
        told = {one["command"]: one["description"] for one in shown}
        assert told["stop"] == words_in(language).say("description.stop") != words_in("en").say("description.stop")


async def test_a_menu_that_is_refused_fails_after_the_others(local_setup: LocalSetup) -> None:
    good, bad = menus()[0], Menu(scope=MenuScope.GROUPS, entries=(MenuEntry(name="Not a name", description="x"),))
    with pytest.raises(ChannelRefused):
        await register(replace(local_setup.registrar, menus=(bad, good)), "lull", WANTED.url)
    assert await local_setup.call("lull", "getMyCommands", scope={"type": good.scope.value}) != []


async def test_what_stands_is_left_alone(local_setup: LocalSetup) -> None:
    await register_all(local_setup.registrar, BASE)
    assert await register_all(local_setup.registrar, BASE) == {"agents": 2, "webhooks": 0, "menus": 0}
    assert len(await local_setup.calls("setWebhook")) == 2
    assert len(await local_setup.calls("setMyCommands")) == 2 * len(menus())


async def test_whoever_deployed_has_telegram_told_a_secret_that_it_would_not_tell(local_setup: LocalSetup) -> None:
    await register(local_setup.registrar, "lull", WANTED.url)
    turned = replace(local_setup.registrar, secret="another-secret")
    found = await register(turned, "lull", WANTED.url, always=True)
    assert found.cause is None
    assert [call["params"]["secret_token"] for call in await local_setup.calls("setWebhook")] == [
        "the-secret",
        "another-secret",
    ]


async def test_a_webhook_that_was_lost_comes_back_and_what_waited_is_kept(local_setup: LocalSetup) -> None:
    await register_all(local_setup.registrar, BASE)
    await local_setup.call("moss", "deleteWebhook")
    person = (await local_setup.api.post("/world/people", json={"first_name": "Ann"})).json()["id"]
    chat = (
        await local_setup.api.post("/world/chats", json={"type": "private", "person_id": person, "bot_id": 700000002})
    ).json()["key"]
    await local_setup.api.post(f"/world/chats/{chat}/messages", json={"from": person, "text": "hi"})
    assert (await register_all(local_setup.registrar, BASE))["webhooks"] == 1
    info = await local_setup.call("moss", "getWebhookInfo")
    assert info["url"] == f"{BASE}/moss"
    assert info["pending_update_count"] == 1


async def test_one_bot_that_fails_does_not_keep_the_others_from_it(
    local_setup: LocalSetup, caplog: pytest.LogCaptureFixture
) -> None:
    lost = TelegramAccount(UNKNOWN_TOKEN, str(local_setup.api.base_url))
    registrar = replace(local_setup.registrar, accounts={"alf": lost, **local_setup.registrar.accounts})
    with caplog.at_level(logging.INFO, "lull"), pytest.raises(ChannelRefused):
        await register_all(registrar, f"{BASE}/")
    await lost.aclose()
    urls = {agent: (await local_setup.call(agent, "getWebhookInfo"))["url"] for agent in TOKENS}
    assert urls == {"lull": f"{BASE}/lull", "moss": f"{BASE}/moss"}
    said = "\n".join(record.getMessage() for record in caplog.records)
    assert said.count("the webhook was set: there was none") == 2
    assert not any(token in said + json.dumps([str(vars(r)) for r in caplog.records]) for token in TOKENS.values())


async def test_menus_are_of_their_scope_and_language(local_setup: LocalSetup) -> None:
    entries = (MenuEntry(name="stop", description="Aufhören"),)
    german = Menu(entries=entries, scope=MenuScope.GROUPS, language="de")
    registrar = replace(local_setup.registrar, menus=(german,))
    assert (await register(registrar, "lull", WANTED.url)).menus == 1
    scope = {"type": "all_group_chats"}
    assert await local_setup.call("lull", "getMyCommands", scope=scope) == []
    (shown,) = await local_setup.call("lull", "getMyCommands", scope=scope, language_code="de")
    assert shown["description"] == "Aufhören"
    assert (await register(registrar, "lull", WANTED.url)).menus == 0


async def test_a_webhook_is_removed_and_may_be_removed_again(local_setup: LocalSetup) -> None:
    await register(local_setup.registrar, "lull", WANTED.url)
    for _ in range(2):
        await local_setup.registrar.accounts["lull"].remove_webhook()
    assert (await local_setup.registrar.accounts["lull"].webhook()).url == ""


@pytest.mark.parametrize(
    ("state", "cause"),
    [
        (STANDS, None),
        (WebhookState(url=""), WebhookFault.NONE_THERE),
        (replace(STANDS, url="https://elsewhere.example/lull"), WebhookFault.ELSEWHERE),
        (replace(STANDS, max_connections=40), WebhookFault.OTHER_SETTINGS),
        (replace(STANDS, allowed_updates=frozenset({"message"})), WebhookFault.OTHER_SETTINGS),
        (replace(STANDS, allowed_updates=frozenset()), WebhookFault.OTHER_SETTINGS),
        (replace(STANDS, last_error_at=NOW - timedelta(hours=23)), WebhookFault.FAILING),
        (replace(STANDS, last_error_at=NOW - timedelta(hours=24)), None),
    ],
)
def test_a_webhook_is_set_only_for_a_reason(state: WebhookState, cause: WebhookFault | None) -> None:
    assert cause_to_set(state, WANTED, NOW) is cause


async def test_whoever_deploys_it_is_given_the_link_that_makes_its_owner(
    local_setup: LocalSetup, caplog: pytest.LogCaptureFixture
) -> None:
    found = await register(local_setup.registrar, "moss", f"{BASE}/moss")
    code = claim_code("the-secret", "moss", 700000002)
    assert found.claim_link == f"https://t.me/moss_bot?start=claim_{code}"
    assert code not in repr(found)
    with caplog.at_level(logging.INFO, "lull"):
        answered = await register_all(local_setup.registrar, BASE)
    assert code not in str(answered) + str([vars(record) for record in caplog.records])


def test_the_secret_is_in_no_representation() -> None:
    assert "the-secret" not in repr(WANTED)
    assert "the-secret" not in repr(Registrar(accounts={}, secret="the-secret", clock=lambda: NOW))
