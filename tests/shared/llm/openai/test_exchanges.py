"""Exchanges with each provider in the shape that its documentation gives, played by a real server.

A case of `exchanges/*.yaml` has a prompt, the server's answers in order, and what lull makes of them.
"""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from shared.base.errors import ModelError
from shared.llm.openai.endpoint import OpenAIEndpoint
from shared.llm.openai.model import OpenAIModel
from shared.llm.reading_progress import watch_reading
from shared.values.capabilities import OutputKind
from shared.values.prompt import (
    Attachment,
    ModelReply,
    Prompt,
    PromptTurn,
    ToolAnswer,
    ToolCall,
    ToolDeclaration,
    TurnRole,
)
from tests.shared.llm.openai.player import Player, playing, value_at

FOLDER = Path(__file__).parent / "exchanges"
SECRET = "Ann's secret"
SCHEMA = {"type": "object", "properties": {"tasks": {"type": "array", "items": {"type": "object"}}}}
TOOLS = tuple(
    ToolDeclaration(name=name, description=f"Does {name}.", parameters={"type": "object", "properties": {}})
    for name in ("weather", "clock")
)
FILES = {
    "image": Attachment(mime_type="image/png", content=b"\x89PNG"),
    "sticker": Attachment(mime_type="image/webp", content=b"RIFF", is_simple=True),
    "sound": Attachment(mime_type="audio/ogg", content=b"OggS"),
    "mp3": Attachment(mime_type="audio/mpeg", content=b"ID3"),
    "pdf": Attachment(mime_type="application/pdf", content=b"%PDF"),
    "film": Attachment(mime_type="video/mp4", content=b"ftyp"),
    "text": Attachment(mime_type="text/plain", content=b"a line"),
}
CASES = [
    pytest.param(case, id=f"{file.stem}: {case['name']}")
    for file in sorted(FOLDER.glob("*.yaml"))
    for case in yaml.safe_load(file.read_text(encoding="utf-8"))
]


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, Player]]:
    with playing() as running:
        yield running


def prompt_of(asks: Mapping[str, Any]) -> Prompt:
    """The prompt of a case; by default one text, in which somebody has a secret."""
    if "makes" in asks:
        turn = PromptTurn(role=TurnRole.USER, parts=(SECRET,))
        return Prompt(system="", turns=(turn,), makes=OutputKind(asks["makes"]), voice=asks.get("voice", ""))
    files = tuple(FILES[name] for name in asks.get("files", ()))
    parts = tuple(part for n, _ in enumerate(files, 1) for part in (f"Ann#{n}: look", f"[the file of message {n}]"))
    places = tuple(2 * n for n, _ in enumerate(files, 1))
    first = PromptTurn(role=TurnRole.USER, parts=(*parts, SECRET), attached=files, attached_at=places)
    turns = [first]
    if "called" in asks:
        turns.append(PromptTurn(role=TurnRole.MODEL, verbatim=asks["called"]))
        given = [ToolAnswer(call=ToolCall(name="", arguments={}, id=one.pop("id")), **one) for one in asks["answers"]]
        turns.append(PromptTurn(role=TurnRole.USER, answers=tuple(given)))
    return Prompt(
        system=asks.get("system", "Be kind."),
        turns=tuple(turns),
        tools=TOOLS if asks.get("tools") else (),
        may_call=asks.get("may_call", True),
        searches=asks.get("searches", False),
        reply_tokens=asks.get("reply_tokens"),
    )


async def answer_of(case: Mapping[str, Any], url: str, told: list[str], read: list[tuple[int, int]]) -> list[Any]:
    """The reply or error of each call of a case, over one adapter."""
    asks = case.get("asks", {})
    endpoint = OpenAIEndpoint(
        case.get("provider", "openai"), f"{url}/v1", case.get("key", "the-key"), asks.get("reports_progress", False)
    )
    model = OpenAIModel(case.get("model", "m-1"), endpoint, asks.get("timeout_s", 10.0), asks.get("tries", 1))
    schema = SCHEMA if asks.get("schema") else None
    found: list[Any] = []
    for _ in range(case.get("calls", 1)):
        try:
            with watch_reading(lambda *one: read.append(one)):
                found.append(await model.generate(prompt_of(asks), schema, told.append if asks.get("stream") else None))
        except ModelError as error:
            found.append(error)
    await model.aclose()
    return found


@pytest.mark.parametrize("case", CASES)
async def test_an_exchange_is_understood(case: dict[str, Any], server: tuple[str, Player]) -> None:
    url, player = server
    number = str(len(player.answers))
    player.answers[number] = [dict(one) for one in case["answers"]]
    told: list[str] = []
    read: list[tuple[int, int]] = []
    *before, last = await answer_of(case, f"{url}/{number}", told, read)
    asked = player.asked.get(number, [])
    wanted: dict[str, Any] = dict(case["expect"])
    assert [type(one).__name__ for one in before] == wanted.pop("before", ["ModelReply"] * len(before))
    assert len(asked) == wanted.pop("requests", len(case["answers"]) if case.get("calls", 1) == 1 else len(asked))
    assert told == wanted.pop("told", told)
    assert read == [tuple(one) for one in wanted.pop("read", read)]
    for n, sent in enumerate(wanted.pop("sent", ())):
        for path, value in sent.items():
            assert value_at(asked[n], path) == value, (n, path, asked[n])
    if "error" in wanted:
        check_error(last, wanted)
    else:
        check_reply(last, wanted)


def check_error(error: Any, wanted: dict[str, Any]) -> None:
    assert isinstance(error, ModelError), error
    assert type(error).__name__ == wanted.pop("error")
    wait = timedelta(seconds=wanted.pop("wait_s")) if "wait_s" in wanted else None
    between = wanted.pop("wait_between", None)
    if between is not None:
        assert error.wait is not None
        assert between[0] <= error.wait.total_seconds() <= between[1]
    else:
        assert error.wait == wait
    assert (error.trouble.value, error.may_be_paid) == (wanted.pop("trouble"), wanted.pop("may_be_paid", False))
    assert wanted.pop("says", "") in str(error)
    assert error.ended_by == wanted.pop("ended_by", "")
    assert (error.call is not None) == wanted.pop("counted", False)
    assert not wanted, "every expectation is checked"
    # an error's text and its traceback name nothing of what was said
    for word in (SECRET, "Ann", "QUOTED", "the-key"):
        assert word not in f"{error} {error.__cause__}"
    assert error.__suppress_context__ or error.__context__ is None or isinstance(error.__context__, ModelError)


def check_reply(reply: Any, wanted: dict[str, Any]) -> None:
    assert isinstance(reply, ModelReply), repr(reply)
    assert reply.text == wanted.pop("text", "")
    assert reply.is_complete == wanted.pop("complete", True)
    assert reply.is_bad_call == wanted.pop("bad_call", False)
    calls = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in reply.tool_calls]
    assert calls == wanted.pop("tool_calls", [])
    assert bool(reply.verbatim) == bool(calls)
    for word in wanted.pop("verbatim_has", ()):
        assert word in reply.verbatim
    files = [{"mime_type": file.mime_type, "bytes": len(file.content)} for file in reply.files]
    assert files == wanted.pop("files", [])
    for name, value in wanted.pop("counts", {}).items():
        assert getattr(reply.call, name) == value, (name, reply.call)
    assert reply.call.is_uncounted == wanted.pop("uncounted", False)
    assert not wanted, "every expectation is checked"
