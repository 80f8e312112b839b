"""A language model at any address that speaks OpenAI's protocol."""

import asyncio
import base64
import binascii
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import aclosing
from copy import copy
from functools import partial
from typing import Final

from shared.base.errors import ModelError, ModelRefused, ModelTrouble
from shared.base.model_call import ModelCall
from shared.llm.openai.answers import OpenAIAnswer, parse_answer
from shared.llm.openai.api import OpenAIApi
from shared.llm.openai.endpoint import OpenAIEndpoint
from shared.llm.openai.errors import BadReplyReported, maybe_paid_error, parse_error, translate_error, translate_errors
from shared.llm.openai.features import Feature
from shared.llm.openai.json_values import Json, as_count, as_list, as_object, as_text, parse_json
from shared.llm.openai.request import as_stream, chat_body
from shared.llm.openai.streamed import StreamedAnswer
from shared.llm.retries import LONGEST_PAUSE
from shared.values.capabilities import OutputKind
from shared.values.prompt import Attachment, ModelReply, Prompt

CHAT_PATH: Final = "/chat/completions"
SPEECH_PATH: Final = "/audio/speech"
PICTURES_PATH: Final = "/images/generations"
#: the voice in place of one that the server does not know: OpenAI's oldest
_USUAL_VOICE: Final = "alloy"
#: the beginnings of picture files
_SIGNATURES: Final = ((b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"RIFF", "image/webp"))
#: reasons why an answer ended: at its limit, for safety, for lack of resources, and by an error. All others are usual
_CUT: Final = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})
_BLOCKED: Final = frozenset({"content_filter", "safety", "refusal", "sensitive", "moderation", "prohibited_content"})
_OVERLOADED: Final = "insufficient_system_resource"
_FAILED: Final = "error"


class OpenAIModel:
    """One of a server's models, called over a pool of connections."""

    def __init__(self, model: str, endpoint: OpenAIEndpoint, timeout_s: float, tries: int) -> None:
        """`model` is the server's own name, without its provider; `timeout_s` is the time limit of one try."""
        self.model, self.endpoint = model, endpoint
        self.api = OpenAIApi(endpoint, timeout_s, tries)

    def named(self, model: str) -> "OpenAIModel":
        """Return another model of the same server on the same connections."""
        other = copy(self)
        other.model = model
        return other

    async def aclose(self) -> None:
        """Close the connections."""
        await self.api.aclose()

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        """Return the reply, in the form of `schema` if the server supports it. Raises ModelUnavailable or ModelRefused.

        With `on_text` the reply is streamed: `on_text` gets the whole text so far each time there is more. A stream
        that breaks off or takes too long raises ModelUnavailable.
        """
        started = time.monotonic()
        if prompt.makes is OutputKind.SPEECH:
            return await self._speak(prompt, started)
        if prompt.makes is OutputKind.PICTURES:
            return await self._draw(prompt, started)
        if prompt.searches:
            raise ModelRefused(
                f"{self.endpoint.provider} does not search the web here; search with a model of Gemini's",
                trouble=ModelTrouble.MISCONFIGURED,
            )
        ask = self._ask_whole if on_text is None and not self.endpoint.reports_progress else self._ask_streamed
        # some servers take a schema or tools, but not both
        key = (self.model, bool(prompt.tools))
        try:
            answer = await self.api.features.negotiate(key, partial(ask, prompt, schema, on_text))
        except BadReplyReported as reported:
            call = ModelCall(model=self._full_name, ms=_ms_since(started), is_uncounted=True)
            return ModelReply(text="", is_complete=False, call=call, is_bad_call=reported.is_call)
        with translate_errors(self.endpoint.provider):
            return self._reply(answer, answer.call(self._full_name, _ms_since(started), prompt))

    @property
    def _full_name(self) -> str:
        return self.endpoint.full_name(self.model)

    async def _ask_whole(
        self,
        prompt: Prompt,
        schema: Mapping[str, object] | None,
        _: Callable[[str], None] | None,
        without: frozenset[Feature],
    ) -> OpenAIAnswer:
        body = chat_body(self.model, self.endpoint.provider, prompt, schema, without)
        response = await self.api.post(self.model, CHAT_PATH, body)
        with translate_errors(self.endpoint.provider):
            return self._without_error(parse_answer(parse_json(response.content)))

    async def _ask_streamed(
        self,
        prompt: Prompt,
        schema: Mapping[str, object] | None,
        on_text: Callable[[str], None] | None,
        without: frozenset[Feature],
    ) -> OpenAIAnswer:
        """Stream an answer, and return it whole."""
        body = chat_body(self.model, self.endpoint.provider, prompt, schema, without)
        body = as_stream(body, without, reports_progress=self.endpoint.reports_progress)
        answer = StreamedAnswer()
        try:
            with translate_errors(self.endpoint.provider):
                await self._read_stream(body, answer, on_text)
                if answer.is_cut and answer.error is None:
                    raise maybe_paid_error(f"{self.endpoint.provider}'s answer broke off")
                return self._without_error(answer.whole())
        except ModelError as error:
            error.may_be_paid = error.may_be_paid or answer.has_begun
            raise

    async def _read_stream(self, body: Json, answer: StreamedAnswer, on_text: Callable[[str], None] | None) -> None:
        """Read a stream to its end. The first chunk must arrive within the time limit of all tries together, and the
        rest within the time limit of one try.

        While the server reports that the model is still reading the prompt, each report restarts the second limit.
        """
        timeout_s, is_waiting = self.api.timeout_s, True
        async with (
            asyncio.timeout(self.api.tries * (timeout_s + LONGEST_PAUSE)) as limit,
            aclosing(await self.api.open_stream(self.model, body)) as chunks,
        ):
            async for chunk in chunks:
                text = answer.add(chunk)
                if is_waiting:
                    limit.reschedule(asyncio.get_running_loop().time() + timeout_s)
                    is_waiting = answer.is_reading
                if text and on_text is not None:
                    on_text(text)
                if answer.error is not None:
                    return

    def _without_error(self, answer: OpenAIAnswer) -> OpenAIAnswer:
        """Return the answer, or raise the error that it contains. Text before the error may have to be paid for."""
        if answer.error is None:
            return answer
        error = translate_error(self.endpoint.provider, parse_error(200, answer.error, {}))
        error.may_be_paid = error.may_be_paid or bool(answer.text or answer.thoughts or answer.calls)
        raise error

    def _reply(self, answer: OpenAIAnswer, call: ModelCall) -> ModelReply:
        finish = answer.finish.lower()
        if as_text(answer.message.get("refusal")) or finish in _BLOCKED:
            provider = self.endpoint.provider
            refused = ModelRefused(f"{provider} blocked its answer", call, ModelTrouble.BLOCKED)
            refused.ended_by = finish if finish in _BLOCKED else "refusal"
            raise refused
        if finish in {_FAILED, _OVERLOADED}:
            trouble = ModelTrouble.CAPACITY if finish == _OVERLOADED else ModelTrouble.UNKNOWN
            raise maybe_paid_error(f"{self.endpoint.provider} ended its answer with an error", trouble)
        calls = answer.calls
        is_bad_call = any(not wanted.name for wanted in calls)
        return ModelReply(
            text=answer.text,
            is_complete=finish not in _CUT and not is_bad_call,
            call=call,
            tool_calls=calls,
            verbatim=answer.verbatim if calls else "",
            is_bad_call=is_bad_call,
        )

    async def _speak(self, prompt: Prompt, started: float) -> ModelReply:
        """Return speech. The answer is only a file, so the number of its tokens is not known."""

        async def ask(without: frozenset[Feature]) -> ModelReply:
            response = await self.api.post(self.model, SPEECH_PATH, speech_body(self.model, prompt, without))
            files = speech_in(response.content, response.headers.get("content-type", ""))
            call = ModelCall(model=self._full_name, ms=_ms_since(started), is_uncounted=True)
            return ModelReply(text="", is_complete=True, call=call, files=files)

        return await self.api.features.negotiate((self.model, OutputKind.SPEECH), ask)

    async def _draw(self, prompt: Prompt, started: float) -> ModelReply:
        async def ask(without: frozenset[Feature]) -> ModelReply:
            response = await self.api.post(self.model, PICTURES_PATH, pictures_body(self.model, prompt, without))
            with translate_errors(self.endpoint.provider):
                body = parse_json(response.content)
            call = picture_call(self._full_name, _ms_since(started), body)
            return ModelReply(text="", is_complete=True, call=call, files=pictures_in(body))

        return await self.api.features.negotiate((self.model, OutputKind.PICTURES), ask)


def _ms_since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)


def speech_body(model: str, prompt: Prompt, without: Collection[Feature]) -> Json:
    """Return a request for speech. It asks for a WAV file, since some servers support no other format."""
    voice = prompt.voice if prompt.voice and Feature.VOICE not in without else _USUAL_VOICE
    return {"model": model, "input": _words(prompt), "voice": voice, "response_format": "wav"}


def pictures_body(model: str, prompt: Prompt, without: Collection[Feature]) -> Json:
    """Return a request for one picture. It asks for the picture itself, not for a URL of the picture."""
    body: Json = {"model": model, "prompt": _words(prompt), "n": 1}
    return body if Feature.BASE64 in without else {**body, "response_format": "b64_json"}


def speech_in(content: bytes, content_type: str) -> tuple[Attachment, ...]:
    """Return the sound of an answer; () if the answer is not a sound."""
    if content.startswith(b"RIFF"):
        return (Attachment(mime_type="audio/wav", content=content),)
    is_sound = content_type.lower().startswith("audio/") and bool(content)
    return (Attachment(mime_type=content_type, content=content),) if is_sound else ()


def pictures_in(body: object) -> tuple[Attachment, ...]:
    """Return the pictures of an answer. Invalid base64, and pictures that are only given as URLs, are skipped."""
    return tuple(_pictures(as_list(as_object(body).get("data"))))


def _pictures(found: list[object]) -> Iterator[Attachment]:
    for one in map(as_object, found):
        try:
            content = base64.b64decode(as_text(one.get("b64_json")), validate=True)
        except (binascii.Error, ValueError):
            continue
        mime_type = next((name for start, name in _SIGNATURES if content.startswith(start)), "")
        if mime_type:
            yield Attachment(mime_type=mime_type, content=content)


def picture_call(model: str, ms: int, body: object) -> ModelCall:
    """Return the call with its token counts. Older models report no counts; `is_uncounted` is then set."""
    usage = as_object(as_object(body).get("usage"))
    read, drawn = as_count(usage.get("input_tokens")), as_count(usage.get("output_tokens"))
    return ModelCall(
        model=model,
        prompt_tokens=read,
        output_tokens=drawn,
        picture_tokens=drawn,
        ms=ms,
        is_uncounted=not (read and drawn),
    )


def _words(prompt: Prompt) -> str:
    return "\n".join(part for turn in prompt.turns for part in turn.parts)
