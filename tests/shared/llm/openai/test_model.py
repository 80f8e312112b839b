"""The adapter's connections: other models, traces, keys, and a server that is not there."""

import json
from collections.abc import Iterator

import pytest

from local.ports import reserve_port
from shared.base.errors import ModelUnavailable
from shared.base.logs import about
from shared.llm.openai.answers import split_thoughts
from shared.llm.openai.endpoint import OpenAIEndpoint
from shared.llm.openai.model import OpenAIModel
from shared.values.prompt import Prompt, PromptTurn, TurnRole
from tests.shared.llm.openai.player import Player, playing

PROMPT = Prompt(system="Be kind.", turns=(PromptTurn(role=TurnRole.USER, parts=("hi", "there")),))
OK = {
    "json": {
        "choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6},
    }
}
TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.fixture
def server() -> Iterator[tuple[str, Player]]:
    with playing() as running:
        running[1].answers["1"] = [OK]
        yield running


def model_at(url: str, key: str = "the-key", tries: int = 1) -> OpenAIModel:
    return OpenAIModel("m-1", OpenAIEndpoint("home", f"{url}/1/v1", key), 5.0, tries)


async def test_another_model_is_asked_over_the_same_connections(server: tuple[str, Player]) -> None:
    url, player = server
    model = model_at(url)
    other = model.named("org/m:2")
    assert (await model.generate(PROMPT, None)).call.model == "home:m-1"
    assert (await other.generate(PROMPT, None)).call.model == "home:org/m:2"
    assert other.api is model.api
    assert [one["body"]["model"] for one in player.asked["1"]] == ["m-1", "org/m:2"]
    await model.aclose()


async def test_a_call_belongs_to_its_updates_trace(server: tuple[str, Player]) -> None:
    url, player = server
    model = model_at(url)
    with about(trace=TRACE):
        await model.generate(PROMPT, None)
    headers = player.asked["1"][0]["headers"]
    assert headers["traceparent"].startswith(f"00-{TRACE}-")
    assert (headers["user-agent"], headers["accept-encoding"]) == ("lull", "identity")
    assert player.asked["1"][0]["body"]["messages"][1]["content"] == "hi\nthere"
    await model.aclose()


async def test_accounts_of_the_environment_are_not_sent(
    server: tuple[str, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "BASE_URL"):
        monkeypatch.setenv(f"OPENAI_{name}", "from-outside")
    url, player = server
    model = model_at(url, key="")
    await model.generate(PROMPT, None)
    assert "from-outside" not in json.dumps(player.asked["1"])
    assert "authorization" not in player.asked["1"][0]["headers"]
    await model.aclose()


def test_a_key_is_shown_nowhere() -> None:
    assert "the-key" not in repr(OpenAIEndpoint("home", "http://x", "the-key"))


async def test_a_server_that_is_not_there_was_not_asked() -> None:
    port = reserve_port()
    model = model_at(f"http://127.0.0.1:{port.number}", tries=2)
    with pytest.raises(ModelUnavailable, match=r"home did not answer \(ConnectError\)") as caught:
        await model.generate(PROMPT, None, lambda _: None)
    assert not caught.value.may_be_paid
    await model.aclose()
    port.release()


async def test_a_model_that_was_never_asked_is_closed() -> None:
    await model_at("http://127.0.0.1:1").aclose()


async def test_unreadably_deep_arguments_are_a_bad_call(server: tuple[str, Player]) -> None:
    url, player = server
    deep = '{"a":' * 100_000 + "1" + "}" * 100_000
    call = {"id": "c", "function": {"name": "clock", "arguments": deep}}
    answer = {"choices": [{"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    player.answers["1"] = [{"json": answer}]
    model = model_at(url)
    reply = await model.generate(PROMPT, None)
    assert (reply.is_bad_call, reply.is_complete) == (True, False)
    await model.aclose()


@pytest.mark.parametrize(
    ("text", "thoughts", "visible"),
    [
        ("<think>a</think>b", "a", "b"),
        (" \n<thinking>a\n</thinking>\n\n b", "a\n", "b"),
        ("<think>a", "a", ""),
        ("<thi", "", ""),
        ("<", "", ""),
        ("< b", "", "< b"),
        ("", "", ""),
        ("a\n</think>\nb", "a\n", "b"),
        ("a </think> b", "", "a </think> b"),
        ('{"a": "\n</think>\n"}', "", '{"a": "\n</think>\n"}'),
        ("<think>a</think>b</think>", "a", "b</think>"),
    ],
)
def test_thoughts_are_no_text(text: str, thoughts: str, visible: str) -> None:
    assert split_thoughts(text) == (thoughts, visible)
