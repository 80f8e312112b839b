from typing import Any

from local.gemini.calls import Call
from local.gemini.hashed import NAME, HashedWords
from local.gemini.scripted import ScriptedBackend
from local.gemini.with_vectors import WithVectors


def call(method: str, body: bytes = b"{}", **more: Any) -> Call:
    fields: dict[str, Any] = {"http_method": "POST", "path": "/", "query": "", "headers": {}, "model": NAME}
    return Call(**fields, method=method, body=body, **more)


async def test_calls_for_vectors_go_to_one_and_others_to_the_other() -> None:
    both = WithVectors(ScriptedBackend(), HashedWords())
    await both.start()
    answer = await both.answer(call("embedContent", b'{"content": {"parts": [{"text": "hi"}]}}'))
    assert b"embedding" in answer.body
    assert b"totalTokens" in (await both.answer(call("countTokens"))).body
    report = both.report()
    assert report.vectors
    assert (report.name, report.vectors.name) == ("scripted", NAME)
    assert report.as_json()["vectors"]["state"] == "ready"
    await both.stop()
