"""Translates the scripted model's answers from the format of Gemini's API into that of OpenAI's."""

import base64
import json
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import replace

from local.model.calls import JSON_HEADERS, Answer, Call, ConnectionCut, Json, json_answer

#: reasons for the end of an answer that have another name
_FINISHES = {"STOP": "stop", "MAX_TOKENS": "length", "SAFETY": "content_filter", "PROHIBITED_CONTENT": "content_filter"}
_SECONDS = re.compile(r"(\d+(?:\.\d+)?)s")


def translate_answer(answer: Answer, call: Call) -> Answer:
    """Return an answer of Gemini's API in OpenAI's format. `call` is the request, translated into Gemini's format."""
    if answer.stream is not None:
        return replace(answer, stream=_chunks(answer.stream) if call.streams else answer.stream)
    body = json.loads(answer.body)
    if answer.status >= 400:
        return _refusal(body["error"], answer.status)
    if call.embeds:
        return json_answer(_vectors(body))
    wanted = call.json()["generationConfig"].get("responseModalities", ())
    files = [part["inlineData"] for part in _parts(body) if "inlineData" in part]
    if "AUDIO" in wanted:
        content = b"".join(base64.b64decode(file["data"]) for file in files)
        headers = {**JSON_HEADERS, "content-type": files[0]["mimeType"] if files else "application/json"}
        return replace(answer, body=content, headers=headers)
    if "IMAGE" in wanted:
        usage = body.get("usageMetadata", {})
        counts = {"input_tokens": usage.get("promptTokenCount"), "output_tokens": usage.get("candidatesTokenCount")}
        return json_answer({"data": [{"b64_json": file["data"]} for file in files], "usage": counts})
    return json_answer(_completion(body))


def _refusal(error: Json, status: int) -> Answer:
    """Return an error in OpenAI's format. If the error asks the caller to wait, the seconds are in the header
    `retry-after`.
    """
    waits = [_SECONDS.fullmatch(str(detail.get("retryDelay", ""))) for detail in error.get("details", ())]
    found = next((wait[1] for wait in waits if wait), None)
    told = {"message": error["message"], "type": error["status"].lower(), "param": None, "code": None}
    answer = json_answer({"error": told}, status)
    return replace(answer, headers={**answer.headers, "retry-after": found}) if found else answer


def _completion(body: Json) -> Json:
    """Return a complete answer as the protocol's `chat.completion` object."""
    candidates = body.get("candidates") or []
    choices = [{"index": 0, "message": _message(body), "finish_reason": _finish(body)}] if candidates else []
    if block := body.get("promptFeedback", {}).get("blockReason"):
        choices = [{"index": 0, "message": {"role": "assistant", "refusal": block}, "finish_reason": "stop"}]
    return {"object": "chat.completion", "model": body.get("modelVersion"), "choices": choices, "usage": _usage(body)}


def _message(body: Json) -> Json:
    calls = list(_calls(body))
    thoughts = _text(body, is_thought=True)
    return {
        "role": "assistant",
        "content": _text(body) or None,
        **({"reasoning_content": thoughts} if thoughts else {}),
        **({"tool_calls": calls} if calls else {}),
    }


async def _chunks(stream: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """Yield an answer as a stream of the protocol's events, followed by one event that has only the token counts. If
    the scripted model cuts the connection, the last event is incomplete.
    """
    rest = b""
    usage: Json | None = None
    async with aclosing(stream) as events:
        try:
            async for piece in events:
                *whole, rest = (rest + piece).split(b"\r\n\r\n")
                for one in whole:
                    body = json.loads(one.removeprefix(b"data: "))
                    usage = _usage(body) or usage
                    yield _event({"choices": [{"index": 0, "delta": _delta(body), "finish_reason": _finish(body)}]})
        except ConnectionCut:
            yield b'data: {"choices": ['
            raise
    yield _event({"choices": [], "usage": usage})
    yield b"data: [DONE]\n\n"


def _delta(body: Json) -> Json:
    message = _message(body)
    numbered = [{"index": n, **call} for n, call in enumerate(message.pop("tool_calls", ()))]
    return {**message, **({"tool_calls": numbered} if numbered else {})}


def _event(chunk: Json) -> bytes:
    return f"data: {json.dumps({'object': 'chat.completion.chunk', **chunk}, ensure_ascii=False)}\n\n".encode()


def _parts(body: Json) -> list[Json]:
    candidates = body.get("candidates") or [{}]
    parts: list[Json] = candidates[0].get("content", {}).get("parts", [])
    return parts


def _text(body: Json, *, is_thought: bool = False) -> str:
    return "".join(part.get("text", "") for part in _parts(body) if bool(part.get("thought")) is is_thought)


def _calls(body: Json) -> Iterator[Json]:
    """Yield the tool calls. Gemini's thought signatures are put into the field that Google uses for them in its own
    server for OpenAI's protocol.
    """
    parts = [part for part in _parts(body) if "functionCall" in part]
    for n, part in enumerate(parts):
        function = part["functionCall"]
        arguments = json.dumps(function.get("args", {}), ensure_ascii=False)
        signature = part.get("thoughtSignature")
        yield {
            "id": function.get("id") or f"call_{n}",
            "type": "function",
            "function": {"name": function["name"], "arguments": arguments},
            **({"extra_content": {"google": {"thought_signature": signature}}} if signature else {}),
        }


def _finish(body: Json) -> str | None:
    candidates = body.get("candidates") or [{}]
    reason = candidates[0].get("finishReason")
    if reason == "STOP" and any("functionCall" in part for part in _parts(body)):
        return "tool_calls"
    return _FINISHES.get(reason, reason.lower()) if reason else None


def _usage(body: Json) -> Json | None:
    counts = body.get("usageMetadata")
    if counts is None:
        return None
    read, thoughts = counts.get("promptTokenCount", 0), counts.get("thoughtsTokenCount", 0)
    written = counts.get("candidatesTokenCount", 0) + thoughts
    by_kind = {one["modality"].lower(): one["tokenCount"] for one in counts.get("promptTokensDetails", ())}
    files = {f"{kind}_tokens": by_kind[kind] for kind in ("audio", "image") if kind in by_kind}
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
        "prompt_tokens_details": {"cached_tokens": counts.get("cachedContentTokenCount", 0), **files},
        "completion_tokens_details": {"reasoning_tokens": thoughts},
    }


def _vectors(body: Json) -> Json:
    data = [{"index": n, "embedding": one["values"]} for n, one in enumerate(body["embeddings"])]
    read = body["usageMetadata"]["promptTokenCount"]
    return {"object": "list", "data": data, "usage": {"prompt_tokens": read, "total_tokens": read}}
