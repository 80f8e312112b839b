import asyncio
import http.server
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from local.checks import (
    RealBot,
    check_bots,
    check_gemini_key,
    check_machine,
    check_personas,
    check_settings,
    check_usernames,
    unknown_settings,
)
from local.options import CannotStart, LocalOptions, options_from
from local.parts import Backend
from operations.deployment.starting import KINDS
from shared.wiring.settings.environment import ALIKE, nearest_setting
from tests.local.telegram.scene import OTHER_TOKEN, TOKEN, Scene, scene

NOWHERE = "http://127.0.0.1:1"


@pytest.fixture
async def real() -> AsyncIterator[Scene]:
    """Serve our Bot API in place of the real one; it knows Marvin's token."""
    async with scene() as made:
        yield made


@pytest.fixture
def google() -> Iterator[str]:
    """Serve an API like Google's that accepts only the key `good-key`."""

    class Door(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.headers["x-goog-api-key"] == "good-key" else 400)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Write no log."""

    serving = http.server.HTTPServer(("127.0.0.1", 0), Door)
    thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{serving.server_port}"
    serving.shutdown()
    serving.server_close()
    thread.join()


def warned(warnings: list[str]) -> str:
    return " ".join(warnings)


def asked_for(real: Scene, token: str = TOKEN, **more: str) -> LocalOptions:
    return options_from({"TELEGRAM_API_URL": real.telegram.url, "TELEGRAM_BOT_TOKEN": token, **more})


async def bots_of(
    options: LocalOptions, warnings: list[str] | None = None, answer: bool | None = None
) -> list[RealBot]:
    ask = None if answer is None else lambda _: answer
    said = warnings if warnings is not None else []
    return await asyncio.to_thread(check_bots, options, ["lull", "moss"], said.append, ask)


def test_this_machine_can_run_it(tmp_path: Path) -> None:
    check_machine(options_from({"LULL_DATA": str(tmp_path / "not" / "yet" / "made")}))


def test_a_taken_port_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        options = options_from({"PORT": str(server.getsockname()[1]), "LULL_DATA": str(tmp_path)})
        with pytest.raises(CannotStart, match=r"port \d+ is not available \(Address already in use\); choose another"):
            check_machine(options)


def test_no_java_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CannotStart, match="needs Java 17 or newer"):
        check_machine(options_from({"LULL_DATA": str(tmp_path)}), env={"PATH": str(tmp_path)}, java_package="none")


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match=r"The disk of .* is full: \d+ MiB are needed, .*set LULL_DATA"):
        check_machine(options_from({"LULL_DATA": str(tmp_path)}), free_bytes=10**18)


def test_a_persona_that_cannot_be_read_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "agent.md").write_text("---\nname: Odd\nusername: odd_bot\ncolour: red\n---\nBe odd.\n")
    options = options_from({"LULL_AGENTS_PATH": str(tmp_path)})
    with pytest.raises(CannotStart, match=r"A persona cannot be read: .*odd/agent\.md:4: unknown key 'colour'"):
        check_personas(options)
    assert set(check_personas(options_from({}))) == {"librarian", "lull", "moss", "tutor"}


def test_a_good_key_passes_and_a_wrong_one_is_said_without_being_shown(google: str) -> None:
    warnings: list[str] = []
    good = options_from({"GEMINI_API_KEY": "good-key", "GEMINI_BASE_URL": google})
    check_gemini_key(good, warnings.append)
    with pytest.raises(CannotStart, match=r"Gemini refuses GEMINI_API_KEY \(400\)") as refused:
        check_gemini_key(replace(good, gemini_key="wrong-key"), warnings.append)
    assert "wrong-key" not in str(refused.value)
    assert warnings == []


def test_a_key_that_cannot_be_tried_is_a_warning() -> None:
    warnings: list[str] = []
    check_gemini_key(options_from({"GEMINI_API_KEY": "a-key", "GEMINI_BASE_URL": NOWHERE}), warnings.append)
    assert "Gemini cannot be reached" in warned(warnings)
    check_gemini_key(replace(options_from({}), backend=Backend.SMALL, gemini_url=NOWHERE), warnings.append)
    assert len(warnings) == 1


@pytest.mark.parametrize("key", ["a-key\r", " a-key", '"a-key"', "a-kéy"])
def test_a_key_that_no_request_carries_is_refused_and_not_shown(google: str, key: str) -> None:
    with pytest.raises(CannotStart, match=r"Copy it again.*GEMINI_API_KEY") as refused:
        check_gemini_key(options_from({"GEMINI_API_KEY": key, "GEMINI_BASE_URL": google}), lambda _: None)
    assert key.strip() not in str(refused.value)


@pytest.mark.parametrize("name", ["TELEGRAM_API_URL", "GEMINI_BASE_URL"])
def test_a_place_that_is_no_address_is_said(name: str) -> None:
    env = {name: "api.example.org"}
    with pytest.raises(CannotStart, match=rf"^{name} is wrong \(write an address such as https://"):
        check_settings(options_from(env), env)


def test_no_functions_setting_is_taken_for_another_misspelt() -> None:
    names = {name for kind in KINDS for name in kind.variables()}
    for kind in KINDS:
        own = set(kind.variables())
        assert [name for name in names - own if nearest_setting(name, own, ALIKE)] == []


def test_what_nothing_reads_is_said() -> None:
    known = {"LULL_DATA": "x", "LULL_MODEL": "y", "LULL_READER_HOSTS": "z", "LULL_SECRETS": "s", "PATH": "/bin"}
    assert unknown_settings(known) == []
    assert unknown_settings({"LULL_DAY_USDD": "0.1", "LULL_X": "1", **known}) == [
        "LULL_DAY_USDD is not a setting of lull and is ignored. Did you mean LULL_DAY_USD?",
        "LULL_X is not a setting of lull and is ignored. docs/configuration.md lists all settings.",
    ]
    assert unknown_settings({"lull_model": "m", "LUL_OPEN": "no"}) == [
        "LUL_OPEN is not a setting of lull and is ignored. Did you mean LULL_OPEN?",
        "lull_model is not a setting of lull and is ignored. Did you mean LULL_MODEL?",
    ]


@pytest.mark.parametrize(
    ("name", "meant"),
    [("LULL_MAX_USD_A_DAY", "LULL_DAY_USD"), ("LULL_USD_PER_DAY", "LULL_DAY_USD"), ("LULL_BUDGET", ""),
     ("LULL_LANGUAGE", "")],
)  # fmt: skip
def test_an_invented_setting_is_told_with_the_one_that_has_its_words_or_with_the_list(name: str, meant: str) -> None:
    (told,) = unknown_settings({name: "1"})
    more = f"Did you mean {meant}?" if meant else "docs/configuration.md lists all settings."
    assert told == f"{name} is not a setting of lull and is ignored. {more}"


@pytest.mark.parametrize(
    ("key", "is_usual"), [("nonsense", False), ("AIza" + "x" * 35, True), ("AQ." + "y" * 50, True)]
)
def test_a_key_that_looks_like_none_is_told_where_it_cannot_be_tried(key: str, is_usual: bool) -> None:
    warnings: list[str] = []
    check_gemini_key(options_from({"GEMINI_API_KEY": key, "GEMINI_BASE_URL": NOWHERE}), warnings.append)
    assert ("does not look like a Gemini key" in warned(warnings)) is not is_usual
    assert key not in warned(warnings)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("GEMINI_APIKEY", "GEMINI_API_KEY"), ("TELEGRAM_TOKEN", "TELEGRAM_BOT_TOKEN"), ("TELEGRAM_API_ID", ""),
     ("TELEGRAM_BOT_TOKEN_MOSS", ""), ("GEMINI_CLI_THEME", ""), ("GOOGLE_API_KEY", "")],
)  # fmt: skip
def test_what_may_be_another_programs_is_told_where_it_looks_like_one_that_is_unset(name: str, meant: str) -> None:
    assert unknown_settings({name: "x"}) == ([f"{name} is ignored by lull. Did you mean {meant}?"] if meant else [])
    assert unknown_settings({name: "x", meant: "y"}) == []


@pytest.mark.parametrize("token", [f"{TOKEN}\r", f'"{TOKEN}"', f"bot{TOKEN}", "@marvin_test_bot", " "])
async def test_what_cannot_be_a_token_is_told_before_anybody_is_asked(token: str) -> None:
    with pytest.raises(CannotStart, match=r"The bot token of lull is invalid: the given text is") as told:
        await bots_of(options_from({"TELEGRAM_API_URL": NOWHERE, "TELEGRAM_BOT_TOKEN": token}))
    assert TOKEN not in str(told.value)


async def test_one_bot_cannot_be_two_agents() -> None:
    env = {"TELEGRAM_API_URL": NOWHERE, "TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_BOT_TOKEN_MOSS": TOKEN}
    with pytest.raises(CannotStart, match="lull and moss have the same bot token"):
        await bots_of(options_from(env))


async def test_an_agent_is_named_in_capitals_or_not(real: Scene) -> None:
    (bot,) = await bots_of(asked_for(real, "", TELEGRAM_BOT_TOKEN_moss=TOKEN))
    assert bot.agent == "moss"


async def test_a_good_token_tells_whose_bot_it_is(real: Scene) -> None:
    (bot,) = await bots_of(asked_for(real))
    assert (bot.agent, bot.username, bot.token) == ("lull", "marvin_test_bot", TOKEN)
    assert bot.privacy.startswith("Privacy mode is o")
    assert "@marvin_test_bot receives only" in bot.privacy
    assert TOKEN not in repr(bot)


async def test_another_username_in_the_persona_is_a_warning(real: Scene) -> None:
    warnings: list[str] = []
    bots, agents = await bots_of(asked_for(real)), check_personas(options_from({}))
    check_usernames(bots, agents, warnings.append)
    assert warned(warnings).startswith(
        "lull/agent.md says `username: lull_bot`, but at Telegram the bot is @marvin_test_bot: it is mentioned"
    )
    for same in (
        [replace(bots[0], username="Lull_Bot")],
        [RealBot(agent="lull", username="lull", token=TOKEN)],  # Telegram could not be reached
    ):
        check_usernames(same, agents, warnings.append)
    assert len(warnings) == 1


async def test_a_wrong_token_is_said_without_being_shown(real: Scene) -> None:
    with pytest.raises(CannotStart, match=r"does not know the bot token of lull; copy it again") as refused:
        await bots_of(asked_for(real, OTHER_TOKEN))
    assert OTHER_TOKEN not in str(refused.value)


async def test_a_token_for_an_agent_that_is_not_there_is_said(real: Scene) -> None:
    with pytest.raises(CannotStart, match=r"unknown agent bob; the agents are lull, moss"):
        await bots_of(asked_for(real, "", TELEGRAM_BOT_TOKEN_BOB=TOKEN))


async def test_telegram_out_of_reach_is_a_warning() -> None:
    warnings: list[str] = []
    options = options_from({"TELEGRAM_API_URL": NOWHERE, "TELEGRAM_BOT_TOKEN": TOKEN})
    (bot,) = await bots_of(options, warnings)
    assert (bot.agent, bot.username, bot.privacy) == ("lull", "lull", "")
    assert "Telegram cannot be reached" in warned(warnings)


async def test_a_webhook_is_removed_only_when_somebody_says_so(real: Scene) -> None:
    await real.call("setWebhook", url=f"{real.telegram.url}/elsewhere")
    with pytest.raises(CannotStart, match=r"@marvin_test_bot has a webhook at 127.0.0.1.*LULL_REMOVE_WEBHOOK=yes"):
        await bots_of(asked_for(real))
    with pytest.raises(CannotStart, match="The webhook of @marvin_test_bot was kept"):
        await bots_of(asked_for(real), answer=False)
    assert (await real.call("getWebhookInfo"))["url"] != ""
    await bots_of(asked_for(real), answer=True)
    assert (await real.call("getWebhookInfo"))["url"] == ""
    await real.call("setWebhook", url=f"{real.telegram.url}/elsewhere")
    await bots_of(asked_for(real, LULL_REMOVE_WEBHOOK="yes"))
    assert (await real.call("getWebhookInfo"))["url"] == ""
