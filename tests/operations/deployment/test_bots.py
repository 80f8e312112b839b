"""The bots of a deployment, at a local Telegram."""

import io
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace

import httpx
import pytest
from rich.console import Console

from local.telegram.serving import serve
from operations.deployment.bots import (
    LeavingBot,
    check_bots,
    check_key,
    check_models,
    check_tokens,
    register_bots,
    remove_webhooks,
)
from operations.deployment.options import CannotDeploy, Options
from operations.deployment.secret_values import SecretValues
from operations.deployment.terminal import Terminal
from shared.values.registration import claim_code
from tests.operations.deployment.google_apis import GOOD_KEY, GoogleApis, google_apis

TOKEN = "700000001:not-a-token-of-any-bot-0123456789ab"
SECRETS = SecretValues(bot_tokens={"lull": TOKEN}, webhook_secret="w" * 32, gemini_api_key=GOOD_KEY)
STRANGE = SecretValues(bot_tokens={"lull": f"7{TOKEN}"}, webhook_secret="w" * 32, gemini_api_key="another")
NOBODY = Options(command="deploy", telegram_url="http://127.0.0.1:1", gemini_url="http://127.0.0.1:1")


@dataclass
class LocalSetup:
    """A Telegram with one bot, and the output of the deployment."""

    api: httpx.AsyncClient
    options: Options
    screen: io.StringIO
    terminal: Terminal

    async def url(self) -> str:
        answer = await self.api.get(f"/bot{TOKEN}/getWebhookInfo")
        return str(answer.json()["result"]["url"])

    async def secret(self) -> str:
        """Return the secret that Telegram received last."""
        calls = (await self.api.get("/world/calls?after=0")).json()["calls"]
        return [str(call["params"]["secret_token"]) for call in calls if call["method"] == "setWebhook"][-1]

    async def is_private(self, *, privacy: bool) -> None:
        bot = {"token": TOKEN, "first_name": "lull", "username": "lull_test_bot", "privacy": privacy}
        (await self.api.post("/world/bots", json=bot)).raise_for_status()


@pytest.fixture
async def new_chats() -> AsyncIterator[LocalSetup]:
    screen = io.StringIO()
    async with serve() as telegram, httpx.AsyncClient(base_url=telegram.url) as api:
        options = Options(command="deploy", telegram_url=telegram.url)
        made = LocalSetup(api, options, screen, Terminal(1, Console(file=screen)))
        await made.is_private(privacy=True)
        yield made


@pytest.fixture
def gemini() -> Iterator[GoogleApis]:
    with google_apis() as running:
        yield running


async def test_bots_are_registered_and_it_is_said_how_to_talk_to_them(new_chats: LocalSetup) -> None:
    await check_bots(new_chats.options, SECRETS)
    urls = {"lull": "https://w.example/lull"}
    assert await register_bots(new_chats.options, SECRETS, urls, [], new_chats.terminal) == {"lull": "lull_test_bot"}
    said = new_chats.screen.getvalue()
    assert "lull: https://t.me/lull_test_bot (its webhook was set, there was none)" in said
    assert "Privacy mode is on: in groups, @lull_test_bot receives only commands" in said
    assert await new_chats.url() == urls["lull"]

    await new_chats.is_private(privacy=False)
    await register_bots(new_chats.options, SECRETS, urls, [], new_chats.terminal)
    again = new_chats.screen.getvalue().removeprefix(said)
    assert again.startswith(
        "lull: https://t.me/lull_test_bot (its webhook was correct, its secret was set again)\n  Privacy mode is off: "
    )

    await remove_webhooks(new_chats.options, {"lull": LeavingBot(url=urls["lull"], token=TOKEN)}, new_chats.terminal)
    assert new_chats.screen.getvalue().endswith("The webhook of lull was removed.\n")
    assert await new_chats.url() == ""


async def test_a_secret_that_changed_is_told_although_the_webhook_stands(new_chats: LocalSetup) -> None:
    urls = {"lull": "https://w.example/lull"}
    for secret in ("w" * 32, "n" * 32):
        await register_bots(new_chats.options, replace(SECRETS, webhook_secret=secret), urls, [], new_chats.terminal)
        assert await new_chats.secret() == secret


async def test_how_to_own_a_bot_is_said_where_nobody_else_reads_it(new_chats: LocalSetup) -> None:
    urls, code = {"lull": "https://w.example/lull"}, claim_code("w" * 32, "lull", 700000001)

    async def said(options: Options, *owned: str) -> str:
        before = len(new_chats.screen.getvalue())
        await register_bots(options, SECRETS, urls, owned, new_chats.terminal)
        return new_chats.screen.getvalue()[before:]

    link = f"open this in Telegram to become the owner: https://t.me/lull_test_bot?start=claim_{code}\n"
    assert link in await said(new_chats.options)
    for told, wanted in (
        (await said(new_chats.options, "lull"), "It has an owner."),
        (
            await said(replace(new_chats.options, is_agreed=True)),
            "It has no owner yet: `make register` prints a link",
        ),
    ):
        assert wanted in told
        assert code not in told


async def test_a_token_that_telegram_does_not_know_is_told_without_it(new_chats: LocalSetup) -> None:
    with pytest.raises(CannotDeploy, match="Telegram does not know the bot token of lull") as caught:
        await check_bots(new_chats.options, STRANGE)
    assert "not-a-token" not in str(caught.value)
    with pytest.raises(CannotDeploy, match="did not register lull"):
        await register_bots(new_chats.options, STRANGE, {"lull": "https://w.example/lull"}, [], new_chats.terminal)


async def test_bots_that_are_gone_do_not_keep_the_others_webhooks(new_chats: LocalSetup) -> None:
    url = "https://w.example/lull"
    await register_bots(new_chats.options, SECRETS, {"lull": url}, [], new_chats.terminal)
    tokens = {"alf": "", "fern": "7" + TOKEN, "odd": "?", **SECRETS.bot_tokens}
    gone = {agent: LeavingBot(url=url, token=token) for agent, token in tokens.items()}
    await remove_webhooks(new_chats.options, gone, new_chats.terminal)
    said = new_chats.screen.getvalue()
    assert "The bot token of alf is not known here, so its webhook cannot be removed" in said
    for agent in ("fern", "odd"):
        assert f"Telegram does not know the bot token of {agent} any more, so there is no webhook to remove." in said
    assert "not-a-token" not in said
    assert await new_chats.url() == ""
    with pytest.raises(CannotDeploy, match="did not remove the webhook of lull"):
        await remove_webhooks(NOBODY, {"lull": gone["lull"]}, new_chats.terminal)


async def test_a_bot_that_another_deployment_has_is_left_to_it(new_chats: LocalSetup) -> None:
    theirs = "https://theirs.example/lull"
    await register_bots(new_chats.options, SECRETS, {"lull": theirs}, [], new_chats.terminal)
    gone = {"lull": LeavingBot(url="https://w.example/lull", token=TOKEN)}
    await remove_webhooks(new_chats.options, gone, new_chats.terminal)
    assert await new_chats.url() == theirs
    assert "The webhook of lull already leads to another address." in new_chats.screen.getvalue()


async def test_what_is_no_token_is_told() -> None:
    with pytest.raises(CannotDeploy, match="The bot token of lull is invalid"):
        await check_bots(NOBODY, SecretValues(bot_tokens={"lull": "?"}, webhook_secret="", gemini_api_key=""))


async def test_a_telegram_that_cannot_be_reached_is_told() -> None:
    with pytest.raises(CannotDeploy, match="The bot of lull could not be checked at Telegram"):
        await check_bots(NOBODY, SECRETS)


def test_a_key_is_tried(gemini: GoogleApis) -> None:
    options = Options(command="deploy", gemini_url=gemini.url)
    check_key(options, SECRETS)
    with pytest.raises(CannotDeploy, match=r"Gemini refuses the API key \(400\)"):
        check_key(options, STRANGE)
    with pytest.raises(CannotDeploy, match="Gemini cannot be reached"):
        check_key(NOBODY, SECRETS)
    check_key(NOBODY, SecretValues(bot_tokens={}, webhook_secret="", gemini_api_key=""))


def test_a_model_that_gemini_does_not_have_is_told_with_those_that_resemble_it() -> None:
    known = [{"name": "models/gemini-3.8-flash"}, {"name": "models/gemini-3.5-flash-lite"}]
    check_models(known, {"LULL_MODEL": ["gemini-3.8-flash"], "LULL_MODELS": []})
    check_models([], {"LULL_MODEL": ["anything"]})
    with pytest.raises(
        CannotDeploy, match=r"LULL_MODELS is gemini-3\.8-flsh, but Gemini has no such model\. .*gemini-3\.8-flash"
    ):
        check_models(known, {"LULL_MODELS": ["gemini-3.5-flash-lite", "gemini-3.8-flsh"]})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("@lull_test_bot", "a bot's name"),
        ("lull_test_bot", "a bot's name"),
        ("https://t.me/lull_test_bot", "a bot's name"),
        ("AIzaSyNotAKeyOfAnybody", "a Gemini API key"),
        ("700000001", "a bot's id"),
        ("700000001: not-a-token", "a token that contains a space"),
        ('"700000001:not-a-token"', "a token in quotes"),
        ("<700000001:not-a-token>", "a token in quotes or brackets"),
        ("700000001:не-токен", "not a bot token"),
    ],
)
def test_what_is_no_token_is_told_by_what_it_is(given: str, said: str) -> None:
    with pytest.raises(CannotDeploy) as caught:
        check_tokens({"lull": given})
    assert f"the given text is {said}" in str(caught.value)
    assert given not in str(caught.value)


def test_one_bot_is_one_agents() -> None:
    with pytest.raises(CannotDeploy, match=r"lull and moss have the same bot token") as caught:
        check_tokens({"lull": TOKEN, "moss": TOKEN})
    assert TOKEN not in str(caught.value)


@pytest.mark.parametrize("key", ["AIza with a blank", "AIza\n", "ключ"])
def test_a_key_that_cannot_be_sent_is_told(key: str) -> None:
    with pytest.raises(CannotDeploy, match="Copy it again") as caught:
        check_key(NOBODY, replace(SECRETS, gemini_api_key=key))
    assert key not in str(caught.value)
