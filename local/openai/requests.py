"""Translates requests of OpenAI's protocol into the format of Gemini's API, which the scripted model and the recorder
use.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local.model.calls import ApiError, Fault, Json

#: an id that `local/openai/replies.py` gave to a call that had none
GIVEN_ID = re.compile(r"call_\d+")
_DATA_URL = re.compile(r"data:(?P<type>[^;,]+);base64,(?P<data>.*)", re.DOTALL)
_SOUNDS = {"mp3": "mpeg", "m4a": "mp4"}


def gemini_request(path: str, body: Json) -> tuple[str, Json]:
    """Translate a request to the path `path` of OpenAI's protocol. Return the corresponding method of Gemini's API, and
    the body in the format of that method. Raises ApiError if the path is not served.
    """
    match path:
        case "chat/completions":
            return "streamGenerateContent" if body.get("stream") else "generateContent", _chat(body)
        case "embeddings":
            texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
            return "batchEmbedContents", {"requests": [{"content": {"parts": [{"text": text}]}} for text in texts]}
        case "audio/speech":
            voice = {"voiceConfig": {"prebuiltVoiceConfig": {"voiceName": body["voice"]}}}
            return "generateContent", _made(body["input"], {"responseModalities": ["AUDIO"], "speechConfig": voice})
        case "images/generations":
            return "generateContent", _made(body["prompt"], {"responseModalities": ["TEXT", "IMAGE"]})
    raise ApiError(Fault.NOT_FOUND, f"POST /{path} is not served here.")


def _made(text: str, wanted: Json) -> Json:
    return {"contents": [{"role": "user", "parts": [{"text": text}]}], "generationConfig": wanted}


def _chat(body: Json) -> Json:
    messages = body.get("messages")
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        raise ApiError(Fault.INVALID_ARGUMENT, "messages: a list of objects is needed.")
    system = [part for one in messages if one["role"] == "system" for part in _parts(one.get("content"))]
    return {
        **({"systemInstruction": {"role": "user", "parts": system}} if system else {}),
        "contents": list(_contents([one for one in messages if one["role"] != "system"])),
        "generationConfig": _generation(body),
        **_tools(body),
    }


def _generation(body: Json) -> Json:
    found: Json = {}
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    if limit is not None:
        found["maxOutputTokens"] = limit
    form = body.get("response_format") or {}
    if form.get("type") == "json_schema":
        found |= {"responseMimeType": "application/json", "responseJsonSchema": form["json_schema"]["schema"]}
    return found


def _tools(body: Json) -> Json:
    if not body.get("tools"):
        return {}
    functions = [one["function"] for one in body["tools"]]
    declared = [
        {"name": one["name"], "description": one["description"], "parametersJsonSchema": one["parameters"]}
        for one in functions
    ]
    tools = {"tools": [{"functionDeclarations": declared}]}
    may_not = body.get("tool_choice") == "none"
    return tools | ({"toolConfig": {"functionCallingConfig": {"mode": "NONE"}}} if may_not else {})


def _contents(messages: Sequence[Json]) -> Iterator[Json]:
    """Yield the messages as turns of Gemini's API. Consecutive answers of tools become one turn."""
    names: dict[str, str] = {}
    answers: list[Json] = []
    for message in messages:
        if message["role"] == "tool":
            answers.append(_answer(message, names))
            continue
        if answers:
            yield {"role": "user", "parts": answers}
            answers = []
        calls = message.get("tool_calls") or []
        names |= {call["id"]: call["function"]["name"] for call in calls}
        role = "model" if message["role"] == "assistant" else "user"
        yield {"role": role, "parts": [*_parts(message.get("content")), *map(_call, calls)]}
    if answers:
        yield {"role": "user", "parts": answers}


def _answer(message: Json, names: Mapping[str, str]) -> Json:
    identity = message.get("tool_call_id", "")
    if identity not in names:
        raise ApiError(Fault.INVALID_ARGUMENT, "tool_call_id: no call before this message has this id.")
    text = message["content"]
    kind = "error" if text.startswith("Error: ") else "output"
    response = {kind: text.removeprefix("Error: ")}
    return {"functionResponse": {**_id(identity), "name": names[identity], "response": response}}


def _call(call: Json) -> Json:
    function = {**_id(call["id"]), "name": call["function"]["name"]}
    function["args"] = json.loads(call["function"]["arguments"])
    signature = call.get("extra_content", {}).get("google", {}).get("thought_signature")
    return {"functionCall": function, **({"thoughtSignature": signature} if signature else {})}


def _id(identity: str) -> Json:
    return {} if GIVEN_ID.fullmatch(identity) else {"id": identity}


def _parts(content: Any) -> Iterator[Json]:
    if isinstance(content, str):
        yield from ({"text": content} for _ in content[:1])
        return
    for part in content or []:
        if part["type"] == "text":
            yield {"text": part["text"]}
        elif part["type"] == "input_audio":
            sound = part["input_audio"]
            yield _inline(f"audio/{_SOUNDS.get(sound['format'], sound['format'])}", sound["data"])
        else:
            url = part["image_url"]["url"] if part["type"] == "image_url" else part["file"]["file_data"]
            found = _DATA_URL.fullmatch(url)
            if found is None:
                raise ApiError(Fault.INVALID_ARGUMENT, "image_url: only data URLs are read here.")
            yield _inline(found["type"], found["data"])


def _inline(mime_type: str, data: str) -> Json:
    return {"inlineData": {"mimeType": mime_type, "data": data}}
