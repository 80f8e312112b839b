import json
from dataclasses import replace

import pytest
from pydantic import ValidationError

from local.gemini.script import Reply, Script, bodies_of
from local.model.calls import Call
from local.model.inline import FILE_TOKENS


def call(method: str = "generateContent") -> Call:
    return Call(http_method="POST", path="/", query="", headers={}, body=b"{}", model="m", method=method)


def script(*replies: dict[str, object]) -> Script:
    return Script.model_validate({"replies": replies})


def test_replies_come_in_order_and_end() -> None:
    written = script({"text": "a"}, {"text": "b"})
    assert [reply and reply.text for reply in (written.take("x") for _ in range(3))] == ["a", "b", None]


def test_a_match_comes_before_the_order_and_waits_for_its_request() -> None:
    written = script({"text": "a"}, {"text": "m", "match": "(tea)"})
    taken = [written.take(texts) for texts in ("some (tea)", "tea", "coffee")]
    assert [reply and reply.text for reply in taken] == ["m", "a", None]
    assert written.replies == []


def test_what_is_asked_in_the_background_takes_no_reply_that_waits_for_another_request() -> None:
    written = script({"text": "a"}, {"text": "m", "match": "tea"})
    taken = [written.take(texts, by_match=True) for texts in ("coffee", "tea", "tea")]
    assert [reply and reply.text for reply in taken] == [None, "m", None]
    assert [reply.text for reply in written.replies] == ["a"]


def test_times_are_counted_down() -> None:
    written = script({"text": "a", "times": 2}, {"text": "b", "times": None})
    assert [reply and reply.text for reply in (written.take("") for _ in range(5))] == ["a", "a", "b", "b", "b"]
    assert [reply.times for reply in written.replies] == [None]


def test_a_script_is_extended_and_keeps_its_default() -> None:
    written = Script(default="echo")
    written.extend(script({"text": "a"}))
    assert (len(written.replies), written.default) == (1, "echo")


@pytest.mark.parametrize(
    "wrong",
    [
        {"match": "["},
        {"times": 0},
        {"status": 99},
        {"delay_s": -1},
        {"chunk_chars": 0},
        {"pause_s": -1},
        {"unknown": 1},
    ],
)
def test_a_wrong_reply_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Reply.model_validate(wrong)


def test_a_stream_is_cut_into_chunks_and_ends_with_the_reason() -> None:
    reply = Reply(text="abcde", chunks=2, thoughts="hm", function_calls=[{"name": "f"}])
    first, last = bodies_of(reply, call("streamGenerateContent"), "1")
    assert first["candidates"][0]["content"]["parts"] == [{"text": "hm", "thought": True}, {"text": "abc"}]
    assert "finishReason" not in first["candidates"][0]
    text, function = last["candidates"][0]["content"]["parts"]
    assert (text, function["functionCall"]) == ({"text": "de"}, {"name": "f"})
    assert (last["candidates"][0]["finishReason"], "usageMetadata" in last) == ("STOP", True)
    assert len(bodies_of(reply, call(), "1")) == 1


def test_a_stream_is_cut_into_pieces_of_a_length() -> None:
    bodies = bodies_of(Reply(text="abcde", chunk_chars=2), call("streamGenerateContent"), "1")
    assert [body["candidates"][0]["content"]["parts"][0]["text"] for body in bodies] == ["ab", "cd", "e"]
    assert len(bodies_of(Reply(text="abcde", chunk_chars=2), call(), "1")) == 1
    for method in ("generateContent", "streamGenerateContent"):
        [silent] = bodies_of(Reply(chunk_chars=2), call(method), "1")
        assert "parts" not in silent["candidates"][0]["content"]


def test_a_plan_is_json_text() -> None:
    for tasks in ([{"kind": "send"}], {"tasks": [{"kind": "send"}]}):
        [body] = bodies_of(Reply(tasks=tasks), call(), "1")
        assert json.loads(body["candidates"][0]["content"]["parts"][0]["text"]) == {"tasks": [{"kind": "send"}]}


def test_a_script_counts_files_beside_the_words_of_a_request() -> None:
    types = ("image/jpeg", "image/png", "audio/ogg")
    files = [{"inlineData": {"mimeType": name, "data": "AAAA" * 99_999}} for name in types]
    (bare,), (full,) = (
        bodies_of(Reply(text="x"), replace(call(), body=json.dumps({"parts": parts}).encode()), "id")
        for parts in ([], files)
    )
    assert "promptTokensDetails" not in bare["usageMetadata"]
    usage = full["usageMetadata"]
    counts = {one["modality"]: one["tokenCount"] for one in usage["promptTokensDetails"]}
    assert (counts["IMAGE"], counts["AUDIO"]) == (2 * FILE_TOKENS, FILE_TOKENS)
    assert counts["TEXT"] < 200
    assert usage["promptTokenCount"] == sum(counts.values())
    assert usage["totalTokenCount"] == usage["promptTokenCount"] + usage["candidatesTokenCount"]


@pytest.mark.parametrize("method", ["generateContent", "streamGenerateContent"])
def test_what_a_model_made_stands_behind_what_it_says(method: str) -> None:
    made = {"mime_type": "image/png", "data": "aGk="}
    reply = Reply.model_validate({"text": "abcd", "chunks": 2, "inline": [made]})
    parts = [part for body in bodies_of(reply, call(method), "1") for part in body["candidates"][0]["content"]["parts"]]
    said = "".join(part.get("text", "") for part in parts)
    assert (said, parts[-1]) == ("abcd", {"inlineData": {"mimeType": "image/png", "data": "aGk="}})
    alone = bodies_of(Reply.model_validate({"inline": [made]}), call(method), "1")[-1]
    assert alone["candidates"][0]["content"]["parts"][-1] == parts[-1]
