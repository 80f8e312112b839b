"""Our Bot API server stands in for the real Telegram; the local page has another one beside it."""

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import httpx
import pytest

from local.checks import RealBot
from local.cloud import CloudSpec, LocalCloud
from local.real_bots import add_real_bots, console_of_real_bots, real_settings
from shared.values.registration import claim_code
from tests.conftest import ANSWERING
from tests.forking import forked
from tests.local.telegram.scene import TOKEN, Scene, scene
from tests.local.watching import eventually

HURRIED = {"LULL_QUIET_PRIVATE_S": "0.2"}
BOT = RealBot(agent="lull", username="marvin_test_bot", token=TOKEN)


@pytest.fixture
async def real() -> AsyncIterator[Scene]:
    async with scene() as made:
        yield made


async def answers(client: httpx.AsyncClient) -> list[str]:
    calls = (await client.get("/world/calls?after=0")).json()["calls"]
    return [call["params"]["text"] for call in calls if call["method"] == "sendMessage"]


async def signs_in_at_the_console(cloud: LocalCloud, real: Scene) -> None:
    """Check that whoever claims the bot is told the console's address, signs in there, and that nobody else can."""
    console = console_of_real_bots(
        {name: part.url for name, part in cloud.parts.items()}, cloud.credentials.console_door
    )
    async with httpx.AsyncClient(timeout=60) as browser:
        assert 'data-claimed="no"' in (await browser.get(console)).text
        await real.say(real.private, real.ann, f"/claim {claim_code(cloud.webhook_secret, 'lull', real.marvin)}")

        async def claimed() -> bool:
            return 'data-claimed="yes"' in (await browser.get(console)).text

        await eventually(claimed)
        await real.say(real.private, real.ann, "/console")

        async def told() -> bool:
            return any(text.endswith(console) for text in await answers(real.http))

        await eventually(told)
        sent = (await real.http.get("/world/calls?after=0&method=sendMessage")).json()["calls"]
        assert "web_app" not in str(sent)  # Telegram would refuse it
        assert not [call for call in sent if console in str(call["params"].get("entities"))]

        asked = (await browser.get(f"{console}/login")).headers["location"]
        shown = (await browser.get(asked)).text
        assert "The owner of lull" in shown
        chosen = [f"/oauth/chosen?{urlsplit(asked).query}&person={who}" for who in (real.bob, real.ann)]
        login = cloud.url("real_login")
        assert (shown.count("<li>"), (await browser.get(f"{login}{chosen[0]}")).status_code) == (1, 400)
        back = (await browser.get(f"{login}{chosen[1]}")).headers["location"]
        assert (await browser.get(back)).status_code == 200
        session = (await browser.get(f"{cloud.url('real_console')}/api/session")).json()
        assert (session["owner"], session["agents"]) == (real.ann, ["lull"])
        # the page's console has other owners and another secret
        (cookie,) = (value for name, value in browser.cookies.items() if "session" in name)
        port = cloud.url("console").rpartition(":")[2]
        elsewhere = {"Cookie": f"lull-session-{port}={cookie}"}
        assert (await browser.get(f"{cloud.url('console')}/api/session", headers=elsewhere)).status_code == 404
        secrets = {cloud.parts[part].env["LULL_CONSOLE_SECRET"] for part in ("console", "real_console")}
        assert len(secrets) == 2


@pytest.mark.parametrize(("said", "opens"), [({}, "no"), ({"LULL_OPEN": "no"}, "no"), ({"LULL_OPEN": "yes"}, "yes")])
def test_a_real_bot_is_open_only_if_it_is_said(said: dict[str, str], opens: str) -> None:
    assert real_settings("http://127.0.0.1:1", said)["LULL_OPEN"] == opens


async def test_what_is_written_at_the_real_telegram_is_answered_there(real: Scene) -> None:
    env = HURRIED | {"LULL_OPEN": "yes"}
    cloud = LocalCloud(forked(has_own_firestore=True, parts=(*ANSWERING, "console"), env=env))
    await asyncio.to_thread(cloud.open)
    try:
        await asyncio.to_thread(add_real_bots, cloud, [BOT], real.telegram.url)
        assert {"real_tick", "real_webhook", "poller_lull"} < cloud.parts.keys()
        assert cloud.parts["real_tick"].env["LULL_TICK_URL"] == cloud.url("real_tick") != cloud.tick_url
        async with httpx.AsyncClient(base_url=cloud.model_url, timeout=30) as gemini:
            (await gemini.post("/script", json={"default": "echo"})).raise_for_status()
        await real.say(real.private, real.ann, "is anybody there?")

        async def answered() -> list[str]:
            return await answers(real.http)

        await eventually(answered)
        assert "is anybody there?" in (await answers(real.http))[0]
        async with httpx.AsyncClient(base_url=cloud.telegram_url, timeout=30) as page:
            assert await answers(page) == []

        # its persona says lull_bot; in that Telegram its name is marvin_test_bot
        team = (await real.group())["key"]
        await real.say(team, real.ann, f"@{cloud.agents['lull'].front.username} who is that?")
        await real.say(team, real.ann, "/whoami@marvin_test_bot")
        await real.say(team, real.ann, "@marvin_test_bot what is up?")

        async def answered_there() -> bool:
            said = (await answers(real.http))[1:]
            return any("what is up?" in text for text in said) and any("Ann Ångström" in text for text in said)

        await eventually(answered_there)

        # a message that is put off goes the same way
        reminder = {"id": 1, "kind": "schedule", "text": "Tea!", "after": "1 second"}
        async with httpx.AsyncClient(base_url=cloud.model_url, timeout=30) as gemini:
            replies = [{"tasks": [reminder], "match": "in a second"}]
            (await gemini.post("/script", json={"replies": replies})).raise_for_status()
        await real.say(real.private, real.ann, "tell me in a second that it is time for tea")

        async def told_later() -> bool:
            return "Tea!" in await answers(real.http)

        await eventually(told_later)
        async with httpx.AsyncClient(base_url=cloud.telegram_url, timeout=30) as page:
            assert await answers(page) == []
        await signs_in_at_the_console(cloud, real)
        logs = {log.stem: log.read_text() for log in cloud.folder.glob("logs/*.log")}
        assert "decided" in logs["real_tick"]
        assert [part for part, log in logs.items() if TOKEN in log] == []
        assert logs["tick"] == "", "the page's functions had nothing to do"
    finally:
        await asyncio.to_thread(cloud.close)


def test_without_real_bots_nothing_is_added() -> None:
    cloud = LocalCloud(CloudSpec())
    add_real_bots(cloud, [], "http://127.0.0.1:1")
    assert cloud.parts == {}
