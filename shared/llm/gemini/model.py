"""Gemini as a language model: turns prompts into requests of its API, and the API's answers into replies."""

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
from shared.llm.gemini.api import GeminiApi
from shared.llm.gemini.credentials import GeminiAccess
from shared.llm.gemini.errors import block_reason, translate_errors
from shared.llm.gemini.generated_media import generation_body
from shared.llm.retries import LONGEST_PAUSE
from shared.values.prompt import Attachment, ModelReply, Prompt, PromptTurn, SearchResult, SearchResults, ToolAnswer

#: the reasons why a reply with bad function calls ended: unreadable, undeclared, or too many at once
BAD_CALLS: Final = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"})
#: models that answer 400 to a request with both a schema and functions
#: (ai.google.dev/gemini-api/docs/structured-output)
_BEFORE_3: Final = re.compile(r"(?:.*/)?gemini-[12][.-].*")


def takes_schema(model: str, prompt: Prompt) -> bool:
    """Return whether a request may have a schema: old models refuse a schema together with tools."""
    return not (prompt.tools and _BEFORE_3.fullmatch(model))


def request_body(prompt: Prompt, schema: Mapping[str, object] | None) -> dict[str, Any]:
    """Return a request in the API's JSON (ai.google.dev/api/generate-content), with the reply's schema if given."""
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
    """Return the request's tools. Tools that may no longer be called stay declared, since earlier turns mention them.

    Search is Google's own tool (ai.google.dev/gemini-api/docs/google-search).
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
    """Return one turn in the API's JSON: its files, texts and tool answers, or a reply of the model unchanged."""
    if turn.verbatim:
        return dict(json.loads(turn.verbatim))
    answers = [{"functionResponse": _response(answer)} for answer in turn.answers]
    return {"role": turn.role.value, "parts": [*answers, *_texts_and_files(turn)]}


def _texts_and_files(turn: PromptTurn) -> Iterator[dict[str, Any]]:
    """Yield the texts, with the files at their places between them."""
    places = turn.attached_at or (0,) * len(turn.attached)
    texts = list(_texts(turn.parts))
    for place in range(len(texts) + 1):
        yield from (_inline(file) for file, at in zip(turn.attached, places, strict=True) if at == place)
        yield from texts[place : place + 1]


def _inline(attachment: Attachment) -> dict[str, Any]:
    """Return a file as data in the request; all files together may have 20 MB (ai.google.dev/gemini-api/docs/files)."""
    data = base64.b64encode(attachment.content).decode("ascii")
    return {"inlineData": {"mimeType": attachment.mime_type, "data": data}}


def _texts(texts: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield a part for each text. All but the last end with a line break, since the model reads parts as one text."""
    *before, last = texts or ("",)
    yield from ({"text": f"{text}\n"} for text in before)
    if texts:
        yield {"text": last}


def _response(answer: ToolAnswer) -> dict[str, Any]:
    what = "error" if answer.is_error else "output"
    names = {"id": answer.call.id} if answer.call.id else {}
    return {**names, "name": answer.call.name, "response": {what: answer.text}}


#: the reasons why a usable reply ended, and the reasons why a reply ended that may be requested again
ENDED = {"STOP", "FINISH_REASON_UNSPECIFIED", ""}
CUT = {"MAX_TOKENS", "CONTINUATION", "MALFORMED_RESPONSE", "OTHER"} | BAD_CALLS


class GeminiModel:
    """One of Gemini's models, called over a pool of connections. Must be created inside the running event loop."""

    def __init__(self, model: str, access: GeminiAccess, base_url: str, timeout_s: float, tries: int) -> None:
        """If `base_url` is empty, Google's address is used. `timeout_s` is the time limit of one try."""
        self.model, self._timeout_s = model, timeout_s
        #: the seconds in which a stream has to begin, over all tries
        self._begin_timeout_s = tries * (timeout_s + LONGEST_PAUSE)
        self.api = GeminiApi(access, base_url, timeout_s, tries)

    def named(self, model: str) -> "GeminiModel":
        """Return another of Gemini's models on the same connections."""
        other = copy(self)
        other.model = model
        return other

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        """Return the reply, in the form of `schema` if one is given. Raises ModelUnavailable or ModelRefused.

        With `on_text` the reply is streamed: `on_text` gets the whole text so far each time there is more. A stream
        that breaks off or takes too long raises ModelUnavailable.
        """
        started = time.monotonic()
        body = generation_body(prompt) or request_body(prompt, schema if takes_schema(self.model, prompt) else None)
        with translate_errors():
            if on_text is None:
                answer = parse_answer(await self.api.answer(self.model, body))
            else:
                answer = await self._stream(body, on_text)
        return _reply(answer, answer.call(self.model, round((time.monotonic() - started) * 1000), prompt))

    async def count_tokens(self, text: str) -> int:
        """Return the number of tokens of a text; the call is free. Raises ModelUnavailable or ModelRefused."""
        body = {"contents": [{"role": "user", "parts": [{"text": text}]}]}
        with translate_errors():
            said = await self.api.answer(self.model, body, "countTokens")
        found = said.get("totalTokens") if isinstance(said, dict) else None
        return found if isinstance(found, int) else 0

    async def _stream(self, body: Mapping[str, Any], on_text: Callable[[str], None]) -> GeminiAnswer:
        """Stream an answer, and return it whole."""
        told: list[GeminiAnswer] = []
        said = ""
        async with (
            asyncio.timeout(self._begin_timeout_s) as limit,
            aclosing(self.api.events(self.model, body)) as events,
        ):
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


#: Google's own results page of a query, which Google's terms require to be shown beside the results
_RESULTS_PAGE: Final = "https://www.google.com/search?q="


def parse_grounding(grounding: Mapping[str, Any]) -> SearchResults:
    """Return search results, starting with those that the answer used, and links to Google's results pages."""
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
    """Yield each page that a search found, with its index."""
    for n, chunk in enumerate(_list(chunks)):
        if isinstance(chunk, dict) and isinstance(chunk.get("web"), dict):
            yield n, chunk["web"]


def _supports(supports: object) -> Iterator[tuple[str, list[int]]]:
    """Yield the passages of the answer, each with the indices of the pages that support it."""
    for support in _list(supports):
        if isinstance(support, dict) and isinstance(support.get("segment"), dict):
            indices = [index for index in _list(support.get("groundingChunkIndices")) if isinstance(index, int)]
            yield _text_of(support["segment"], "text"), indices


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text_of(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    return text if isinstance(text, str) else ""
