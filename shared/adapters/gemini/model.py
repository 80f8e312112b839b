"""The model: Gemini through its official client, one call at a time."""

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from copy import copy
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast

import httpx2
from google.auth.credentials import Credentials
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError
from google.genai import Client, errors, types
from google.genai.types import HttpOptions

from shared.adapters.gemini.contents import BAD_CALLS, body_of, calls_in, takes_schema, verbatim_of
from shared.adapters.gemini.trouble import RETRIED, blocked_by, translated
from shared.errors import ModelRefused, ModelTrouble, ModelUnavailable
from shared.logs import current_trace
from shared.models.prompt import ModelReply, Prompt
from shared.models.usage import ModelCall


@dataclass(frozen=True, kw_only=True)
class VertexAI:
    """Gemini in a project of Google Cloud: no key, but the right to use it (roles/aiplatform.user).

    `location` is a region or `global`; without `credentials` they are Google's application default ones.
    """

    project: str
    location: str
    credentials: Credentials | None = None


#: who asks: a key of Gemini's API, or a project
Access: TypeAlias = str | VertexAI


def new_client(access: Access, options: HttpOptions) -> Client:
    """A client; nothing is asked and no credentials are looked for before its first call."""
    if isinstance(access, VertexAI):
        return Client(
            enterprise=True,
            project=access.project,
            location=access.location,
            credentials=access.credentials,
            http_options=options,
        )
    return Client(enterprise=False, api_key=access, http_options=options)


T = TypeVar("T")

#: seconds between two tries, at most
LONGEST_PAUSE = 8.0

#: why a reply ended that may be used, or may be asked for again
ENDED = {types.FinishReason.STOP, types.FinishReason.FINISH_REASON_UNSPECIFIED, None}
CUT = {types.FinishReason.MAX_TOKENS, types.FinishReason.MALFORMED_RESPONSE, types.FinishReason.OTHER} | BAD_CALLS
#: what the client is given as contents. The real ones are in the body, which it gets in the API's own JSON: it would
#: make models of it and then JSON again, which takes a fifth of a tick's processor time
STAND_IN = "contents"


class GeminiModel:
    """One of Gemini's models. One client per instance, made inside the running loop."""

    def __init__(self, model: str, access: Access, base_url: str, timeout_s: float, tries: int) -> None:
        """`base_url` is empty for Google's own; `timeout_s` is for one try."""
        self.model, self._timeout_s = model, timeout_s
        #: by when a stream has begun, however often it was tried
        self._patience_s = tries * (timeout_s + LONGEST_PAUSE)
        retry = types.HttpRetryOptions(
            attempts=tries, initial_delay=0.5, max_delay=LONGEST_PAUSE, jitter=0.5, http_status_codes=RETRIED
        )
        options = types.HttpOptions(base_url=base_url or None, timeout=int(timeout_s * 1000), retry_options=retry)
        self.client = new_client(access, options)

    def named(self, model: str) -> "GeminiModel":
        """Another of Gemini's models, over the same client."""
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
        if not takes_schema(self.model, prompt):
            schema = None
        asked: dict[str, Any] = {"model": self.model, "contents": STAND_IN, "config": _config(body_of(prompt, schema))}
        try:
            if on_text is None:
                response = await self.client.aio.models.generate_content(**asked)
            else:
                response = await self._streamed(asked, on_text)
        except errors.APIError as cause:
            raise translated(cause) from None  # Gemini's own text may quote the prompt
        except DefaultCredentialsError:
            raise ModelRefused(
                "there are no Google Cloud credentials here to ask Vertex AI with", trouble=ModelTrouble.MISCONFIGURED
            ) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, GoogleAuthError) as cause:
            raise ModelUnavailable(f"Gemini did not answer ({type(cause).__name__})") from None
        except ValueError as cause:  # what the client says of a body that is no JSON, or not of its shape
            raise ModelUnavailable(f"Gemini's answer cannot be read ({type(cause).__name__})") from None
        call = _call(self.model, response, round((time.monotonic() - started) * 1000))
        return _reply(response, call)

    async def _streamed(
        self, asked: Mapping[str, Any], on_text: Callable[[str], None]
    ) -> types.GenerateContentResponse:
        """A streamed answer, put together as if it had come at once."""
        told: list[types.GenerateContentResponse] = []
        said = ""
        async with asyncio.timeout(self._patience_s) as limit, aclosing(self._events(asked)) as events:
            async for event in events:
                if not told:
                    limit.reschedule(asyncio.get_running_loop().time() + self._timeout_s)
                told.append(event)
                if more := _text(event):
                    said += more
                    on_text(said)
        return _whole(told)

    async def _events(self, asked: Mapping[str, Any]) -> AsyncGenerator[types.GenerateContentResponse]:
        """The events of a stream. Raises what the client does, and ModelUnavailable for one that it stumbles over."""
        events = await self.client.aio.models.generate_content_stream(**asked)
        async with aclosing(cast(AsyncGenerator[types.GenerateContentResponse], events)) as stream:
            try:
                async for event in stream:
                    yield event
            except (AttributeError, TypeError) as cause:  # an error without a code
                raise ModelUnavailable(f"Gemini's answer cannot be read ({type(cause).__name__})") from None


def _config(body: Mapping[str, Any]) -> dict[str, Any]:
    """What the client is told of one request. It is no model of the client's, which would be copied in depth."""
    trace = current_trace() or secrets.token_hex(16)
    headers = {"traceparent": f"00-{trace}-{secrets.token_hex(8)}-01"}
    return {
        "automatic_function_calling": {"disable": True},
        "http_options": {"headers": headers, "extra_body": body},
    }


def _call(model: str, response: types.GenerateContentResponse, ms: int) -> ModelCall:
    usage = response.usage_metadata or types.GenerateContentResponseUsageMetadata()
    return ModelCall(
        model=response.model_version or model,
        prompt_tokens=usage.prompt_token_count or 0,
        cached_tokens=usage.cached_content_token_count or 0,
        thought_tokens=usage.thoughts_token_count or 0,
        output_tokens=usage.candidates_token_count or 0,
        ms=ms,
    )


def _reply(response: types.GenerateContentResponse, call: ModelCall) -> ModelReply:
    blocked = response.prompt_feedback.block_reason if response.prompt_feedback else None
    if blocked is not None:
        raise ModelRefused(f"Gemini blocked the prompt ({blocked.value})", call, blocked_by(blocked))
    finish = _candidate(response).finish_reason
    if finish is not None and finish not in ENDED | CUT:
        raise ModelRefused(f"Gemini blocked its answer ({finish.value})", call, blocked_by(finish))
    tool_calls = calls_in(_parts(response))
    is_bad_call = finish in BAD_CALLS or any(not wanted.name for wanted in tool_calls)
    return ModelReply(
        text=_text(response),
        is_complete=finish in ENDED and not is_bad_call,
        call=call,
        tool_calls=tool_calls,
        verbatim=verbatim_of(_parts(response)) if tool_calls else "",
        is_bad_call=is_bad_call,
    )


def _candidate(response: types.GenerateContentResponse) -> types.Candidate:
    return response.candidates[0] if response.candidates else types.Candidate()


def _text(response: types.GenerateContentResponse) -> str:
    """What the model says in an answer, without what it only thinks."""
    return "".join(part.text for part in _parts(response) if part.text and not part.thought)


def _parts(response: types.GenerateContentResponse) -> list[types.Part]:
    content = _candidate(response).content
    return (content and content.parts) or []


def _whole(events: Sequence[types.GenerateContentResponse]) -> types.GenerateContentResponse:
    """The answer that a stream told bit by bit. Raises ModelUnavailable for one that ended before its answer did."""
    finish = _last(_candidate(event).finish_reason for event in events)
    feedback = _last(event.prompt_feedback for event in events)
    parts = [part for event in events for part in _parts(event)]
    if parts and finish is None and feedback is None:
        raise ModelUnavailable("Gemini's answer broke off")
    content = types.Content(role="model", parts=parts)
    return types.GenerateContentResponse(
        candidates=[types.Candidate(content=content, finish_reason=finish)],
        prompt_feedback=feedback,
        usage_metadata=_last(event.usage_metadata for event in events),
        model_version=_last(event.model_version for event in events),
    )


def _last(values: Iterable[T | None]) -> T | None:
    """The last that was told; counts in a stream are running totals."""
    return next((value for value in reversed(list(values)) if value is not None), None)
