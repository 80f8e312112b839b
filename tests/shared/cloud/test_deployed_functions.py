"""Calls of deployed functions: their requests, and the result if there is no response."""

import pytest

from shared.cloud.deployed_functions import DeployedFunctions
from shared.values.canary import FunctionAnswer
from tests.local.cloud_tasks.task_handler import Answer as Scripted
from tests.local.cloud_tasks.task_handler import task_handler

NOBODY = "http://127.0.0.1:1"


async def test_the_webhook_is_called_as_telegram_calls_it() -> None:
    async with task_handler() as function:
        doors = DeployedFunctions(function.url, NOBODY)
        function.script = [Scripted(), Scripted(401)]
        assert (await doors.webhook("lull", b"{}", "hush")).status == 200
        assert (await doors.webhook("lull", b"{}", "")).status == 401
    told, untold = function.received
    assert (told.method, told.path, told.body) == ("POST", "/tick/lull", b"{}")
    assert told.headers["x-telegram-bot-api-secret-token"] == "hush"
    assert "x-telegram-bot-api-secret-token" not in untold.headers


async def test_the_sweep_is_asked_for_and_needs_no_token_where_none_could_be_hidden() -> None:
    async with task_handler() as function:
        assert (await DeployedFunctions(NOBODY, function.url).sweep()).status == 200
    (received,) = function.received
    assert received.body == b'{"job": "sweep"}'
    assert "authorization" not in received.headers


async def test_no_answer_is_an_answer() -> None:
    doors = DeployedFunctions(NOBODY, NOBODY)
    assert await doors.webhook("lull", b"{}", "hush") == FunctionAnswer(status=None, said="ConnectError")
    assert await doors.sweep() == FunctionAnswer(status=None, said="ConnectError")


async def test_without_a_metadata_server_nobody_says_who_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GCE_METADATA_HOST", "127.0.0.1:1")
    monkeypatch.setenv("GCE_METADATA_TIMEOUT", "1")
    answer = await DeployedFunctions(NOBODY, "https://127.0.0.1:1").sweep()
    assert answer.status is None
    assert answer.said.startswith("no identity token: ")
