"""The routes of the side panel: data of the running local cloud, and a sentence when a part of it is down."""

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from local.page.inspect import InspectSettings, PageChat, place_of, routes, settings_from
from tests.stories.play import Sandbox


def panel(settings: InspectSettings) -> httpx.AsyncClient:
    app = Starlette(routes=[Mount("/inspect", routes=routes(settings))])
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://page")


def test_keys_of_the_page_are_chats_of_telegram() -> None:
    assert place_of("p1100000001-7000000001", "", None) == PageChat(
        chat_id=1_100_000_001, topic_id=0, bot_id=7_000_000_001
    )
    assert place_of("g1002000000001", "12", "7") == PageChat(chat_id=-1_002_000_000_001, topic_id=12, bot_id=7)
    assert place_of("g4", "x", "y") == PageChat(chat_id=-4, topic_id=0, bot_id=None)
    assert place_of("nonsense", None, None) is None
    assert place_of(f"g{10**19}", None, None) is None


def test_the_settings_are_those_of_the_supervisor() -> None:
    env = {
        "FIRESTORE_EMULATOR_HOST": "127.0.0.1:8080",
        "GOOGLE_CLOUD_PROJECT": "lull-local",
        "LULL_LOCAL_MODEL_URL": "http://127.0.0.1:9000/",
        "LULL_LOCAL_SCHEDULER_URL": "http://127.0.0.1:9001/",
        "LULL_PERSONA_PROBLEM": "/somewhere/problem.json",
        "LULL_BOT_IDS": '{"lull": 7000000001}',
    }
    assert settings_from(env) == InspectSettings(
        project="lull-local",
        firestore="127.0.0.1:8080",
        model="http://127.0.0.1:9000",
        scheduler="http://127.0.0.1:9001",
        persona_problem="/somewhere/problem.json",
        bots={"lull": 7_000_000_001},
    )
    assert settings_from({}) == InspectSettings()


async def test_an_answered_message_is_told_from_its_update_to_its_prompt(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("Hello Ann.")
    asked = await chat.writes(ann, "a medlar question")
    await chat.answers()
    await chat.rests()
    found = (await sandbox.telegram.get(f"/inspect/chats/{chat.key}", params={"message": asked})).json()
    assert found["agent"] == "lull"
    assert found["chat"] == chat.chat_key.id
    assert found["update"]["read"] is True
    assert [(d["message_id"], d["respond"], d["tier"]) for d in found["decisions"]] == [(asked, True, "chat")]
    plan = found["plan"]
    assert plan["trigger_message_ids"] == [asked]
    (task,) = plan["tasks"]
    assert (task["kind"], task["state"], task["summary"]) == ("send", "done", "Hello Ann.")
    (delivery,) = task["deliveries"]
    assert (delivery["method"], delivery["state"]) == ("sendMessage", "confirmed")
    (call,) = plan["calls"]
    answer = (await sandbox.telegram.get("/inspect/exchanges", params={"trace": call["trace"]})).json()
    assert ["medlar" in exchange["request"] for exchange in answer["exchanges"]] == [True]


async def test_a_plan_that_cannot_be_read_is_told_in_a_sentence(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("Hello Ann.")
    await chat.writes(ann, "a quince question")
    await chat.answers()
    await chat.rests()
    await sandbox.firestore.document(f"plans/{chat.chat_key.id}").set({"steps": "a quince question"})
    found = (await sandbox.telegram.get(f"/inspect/chats/{chat.key}")).json()
    assert found == {
        "unreachable": "Another version of lull wrote this chat's plan, so lull’s activity cannot be shown."
    }


async def test_the_state_of_the_model_is_passed_on(sandbox: Sandbox) -> None:
    model = (await sandbox.telegram.get("/inspect/model")).json()
    assert model["state"] == "ready"


async def test_a_chat_that_lull_never_read_is_told_as_such(sandbox: Sandbox) -> None:
    chat = await sandbox.private(await sandbox.person("Ben"))
    found = (await sandbox.telegram.get(f"/inspect/chats/{chat.key}")).json()
    assert "nothing in this chat yet" in found["unreachable"]


async def test_without_firestore_the_panel_gets_a_sentence() -> None:
    async with panel(InspectSettings()) as client:
        answer = (await client.get("/inspect/chats/p1-2")).json()
        assert "runs without Firestore" in answer["unreachable"]
        assert (await client.get("/inspect/model")).json()["state"] == "unknown"
        assert (await client.get("/inspect/exchanges?trace=x")).json() == {"exchanges": []}
        assert (await client.get("/inspect/chats/nonsense")).status_code == 404


async def test_a_firestore_or_a_model_server_that_is_away_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    away = "127.0.0.1:1"
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", away)
    settings = InspectSettings(project="p", firestore=away, model=f"http://{away}", bots={"lull": 2})
    async with panel(settings) as client:
        chat = (await client.get("/inspect/chats/p1-2?message=5")).json()
        assert away in chat["unreachable"]
        model = (await client.get("/inspect/model")).json()
        assert "model server of this machine does not answer" in model["unreachable"]


async def test_the_bot_says_which_agent_is_meant(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("Yes.")
    await chat.writes(ann, "are you there?")
    await chat.answers()
    await chat.rests()
    settings = InspectSettings(
        project=sandbox.cloud.project, firestore=sandbox.cloud.firestore_host, bots={"lull": chat.bot_id, "other": 5}
    )
    async with panel(settings) as client:
        found = (await client.get(f"/inspect/chats/{chat.key}")).json()
        assert (found["agent"], found["generation"] > 0) == ("lull", True)
        other = (await client.get(f"/inspect/chats/p{ann.id}-5")).json()
        assert "nothing in this chat yet" in other["unreachable"]
