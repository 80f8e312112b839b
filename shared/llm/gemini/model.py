"""The model: Gemini over its HTTP API, one call at a time."""

import asyncio
import base64
import json
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from copy import copy
from typing import Any, Final
from urllib.parse import quote_plus

from shared.base.errors import ModelRefused, ModelTrouble
from shared.base.model_call import ModelCall
from shared.llm.gemini.answers import GeminiAnswer, join_events, parse_answer
from shared.llm.gemini.api import LONGEST_PAUSE, GeminiApi
from shared.llm.gemini.credentials import GeminiAccess
from shared.llm.gemini.errors import block_reason, translate_errors
from shared.llm.gemini.generated_media import generation_body
from shared.values.prompt import Attachment, ModelReply, Prompt, PromptTurn, SearchResult, SearchResults, ToolAnswer

#: why a reply ended that calls a function as nobody can: not readable, not declared, too many at once
BAD_CALLS: Final = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"})
#: they answer 400 to a schema beside functions; Gemini 3 takes both (ai.google.dev/gemini-api/docs/structured-output)
_BEFORE_3: Final = re.compile(r"(?:.*/)?gemini-[12][.-].*")


def takes_schema(model: str, prompt: Prompt) -> bool:
    """Whether the reply may be held to a schema; where it may not, what it says is read all the same."""
    return not (prompt.tools and _BEFORE_3.fullmatch(model))


def request_body(prompt: Prompt, schema: Mapping[str, object] | None) -> dict[str, Any]:
    """A request in the API's JSON (ai.google.dev/api/generate-content); with a schema, which the reply is held to."""
    generation: dict[str, Any] = {}
    if prompt.reply_tokens is not None:
        generation["maxOutputTokens"] = prompt.reply_tokens
    if prompt.attached and all(attachment.is_simple for attachment in prompt.attached):
        # for the whole request: a part's own resolution is in the API's v1alpha alone
        # (ai.google.dev/gemini-api/docs/generate-content/media-resolution, read on 2026-11-24)
        generation["mediaResolution"] = "MEDIA_RESOLUTION_LOW"
    if schema is not None:
        generation |= {"responseMimeType": "application/json", "responseJsonSchema": dict(schema)}
    return {
        "systemInstruction": {"role": "user", "parts": [{"text": prompt.system}]},
        "contents": [turn_content(turn) for turn in prompt.turns],
        "generationConfig": generation,
        **_tools(prompt),
    }


def _tools(prompt: Prompt) -> dict[str, Any]:
    """What a request says of tools. Those that may be called no more stay declared: the conversation speaks of them.

    Search is a tool of Google's own (ai.google.dev/gemini-api/docs/google-search).
    """
    if prompt.searches:
        return {"tools": [{"google_search": {}}]}
    if not prompt.tools:
        return {}
    functions = [
        {"name": tool.name, "description": tool.description, "parametersJsonSchema": dict(tool.parameters)}
        for tool in prompt.tools
    ]
    tools = {"tools": [{"functionDeclarations": functions}]}
    return tools if prompt.may_call else {**tools, "toolConfig": {"functionCallingConfig": {"mode": "NONE"}}}


def turn_content(turn: PromptTurn) -> dict[str, Any]:
    """One turn in the API's JSON: its files and texts, the answers of tools, or a reply of the model's as it was."""
    if turn.verbatim:
        return dict(json.loads(turn.verbatim))
    answers = [{"functionResponse": _response(answer)} for answer in turn.answers]
    return {"role": turn.role.value, "parts": [*answers, *_shown(turn)]}


def _shown(turn: PromptTurn) -> Iterator[dict[str, Any]]:
    """The texts, and the files in their places between them."""
    places = turn.attached_at or (0,) * len(turn.attached)
    texts = list(_texts(turn.parts))
    for place in range(len(texts) + 1):
        yield from (_inline(file) for file, at in zip(turn.attached, places, strict=True) if at == place)
        yield from texts[place : place + 1]


def _inline(attachment: Attachment) -> dict[str, Any]:
    """A file inside the request, which may have 20 MB with all its files (ai.google.dev/gemini-api/docs/files)."""
    data = base64.b64encode(attachment.content).decode("ascii")
    return {"inlineData": {"mimeType": attachment.mime_type, "data": data}}


def _texts(texts: Sequence[str]) -> Iterator[dict[str, str]]:
    """A part for each text; all but the last end with a line's end, since the model reads parts without a break."""
    *before, last = texts or ("",)
    yield from ({"text": f"{text}\n"} for text in before)
    if texts:
        yield {"text": last}


def _response(answer: ToolAnswer) -> dict[str, Any]:
    what = "error" if answer.is_error else "output"
    names = {"id": answer.call.id} if answer.call.id else {}
    return {**names, "name": answer.call.name, "response": {what: answer.text}}


#: why a reply ended that may be used, or may be asked for again
ENDED = {"STOP", "FINISH_REASON_UNSPECIFIED", ""}
CUT = {"MAX_TOKENS", "CONTINUATION", "MALFORMED_RESPONSE", "OTHER"} | BAD_CALLS


class GeminiModel:
    """One of Gemini's models. One pool of connections per instance, made inside the running loop."""

    def __init__(self, model: str, access: GeminiAccess, base_url: str, timeout_s: float, tries: int) -> None:
        """`base_url` is empty for Google's own; `timeout_s` is for one try."""
        self.model, self._timeout_s = model, timeout_s
        #: by when a stream has begun, however often it was tried
        self._patience_s = tries * (timeout_s + LONGEST_PAUSE)
        self.api = GeminiApi(access, base_url, timeout_s, tries)

    def named(self, model: str) -> "GeminiModel":
        """Another of Gemini's models, over the same connections."""
        other = copy(self)
        other.model = model
        return other

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        """The reply, held to a JSON schema if one is given. Raises ModelUnavailable or ModelRefused.

        With `on_text` it is streamed: all that is written so far is told each time there is more of it. The reply, its
        counts and its errors are the same; a stream that breaks off, or takes too long as a whole, is ModelUnavailable.
        """
        started = time.monotonic()
        body = generation_body(prompt) or request_body(prompt, schema if takes_schema(self.model, prompt) else None)
        with translate_errors():
            if on_text is None:
                answer = parse_answer(await self.api.answer(self.model, body))
            else:
                answer = await self._streamed(body, on_text)
        return _reply(answer, answer.call(self.model, round((time.monotonic() - started) * 1000), prompt))

    async def count_tokens(self, text: str) -> int:
        """How many tokens a text has, which costs nothing. Raises ModelUnavailable or ModelRefused."""
        body = {"contents": [{"role": "user", "parts": [{"text": text}]}]}
        with translate_errors():
            said = await self.api.answer(self.model, body, "countTokens")
        found = said.get("totalTokens") if isinstance(said, dict) else None
        return found if isinstance(found, int) else 0

    async def _streamed(self, body: Mapping[str, Any], on_text: Callable[[str], None]) -> GeminiAnswer:
        """A streamed answer, put together as if it had come at once."""
        told: list[GeminiAnswer] = []
        said = ""
        async with asyncio.timeout(self._patience_s) as limit, aclosing(self.api.events(self.model, body)) as events:
            async for event in events:
                if not told:
                    limit.reschedule(asyncio.get_running_loop().time() + self._timeout_s)
                told.append(parse_answer(event))
                if more := told[-1].text:
                    said += more
                    on_text(said)
        return join_events(told)


def _reply(answer: GeminiAnswer, call: ModelCall) -> ModelReply:
    if answer.blocked:
        raise ModelRefused(f"Gemini blocked the prompt ({answer.blocked})", call, ModelTrouble.BLOCKED)
    if answer.finish not in ENDED | CUT:
        refused = ModelRefused(f"Gemini blocked its answer ({answer.finish})", call, block_reason(answer.finish))
        refused.ended_by = answer.finish
        raise refused
    calls = answer.calls
    is_bad_call = answer.finish in BAD_CALLS or any(not wanted.name for wanted in calls)
    return ModelReply(
        text=answer.text,
        is_complete=answer.finish in ENDED and not is_bad_call,
        call=call,
        tool_calls=calls,
        verbatim=answer.verbatim if calls else "",
        is_bad_call=is_bad_call,
        files=answer.files,
        found=parse_grounding(answer.grounding) if answer.grounding else None,
    )


#: where Google's own results for a query are, which its terms want shown beside what was found
_RESULTS_PAGE: Final = "https://www.google.com/search?q="


def parse_grounding(grounding: Mapping[str, Any]) -> SearchResults:
    """The pages, those first that the answer rests on, and Google's own pages for what was searched."""
    said = defaultdict[int, list[str]](list)
    for text, chunks in _supports(grounding.get("groundingSupports")):
        for chunk in chunks:
            said[chunk].append(text)
    pages = [
        SearchResult(title=_text_of(web, "title"), url=_text_of(web, "uri"), snippet=" ".join(dict.fromkeys(said[n])))
        for n, web in _webs(grounding.get("groundingChunks"))
    ]
    queries = [query for query in _list(grounding.get("webSearchQueries")) if isinstance(query, str)]
    return SearchResults(
        results=tuple(sorted(pages, key=lambda page: not page.snippet)),
        shown_with=tuple(f"{_RESULTS_PAGE}{quote_plus(query, errors='ignore')}" for query in queries),
    )


def _webs(chunks: object) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The pages with their numbers."""
    for n, chunk in enumerate(_list(chunks)):
        if isinstance(chunk, dict) and isinstance(chunk.get("web"), dict):
            yield n, chunk["web"]


def _supports(supports: object) -> Iterator[tuple[str, list[int]]]:
    """What the answer says, in pieces, each with the numbers of the pages that it is taken from."""
    for support in _list(supports):
        if isinstance(support, dict) and isinstance(support.get("segment"), dict):
            indices = [index for index in _list(support.get("groundingChunkIndices")) if isinstance(index, int)]
            yield _text_of(support["segment"], "text"), indices


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text_of(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    return text if isinstance(text, str) else ""
