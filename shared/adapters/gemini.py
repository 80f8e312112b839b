"""The model: Gemini through its official client, one call at a time."""

import secrets
import time
from collections.abc import Mapping

import httpx2
from google.genai import Client, errors, types

from shared.errors import ModelRefused, ModelUnavailable
from shared.logs import current_trace, log
from shared.models.prompt import ModelReply, Prompt
from shared.models.usage import ModelCall

#: over quota and failing servers; the client waits between tries, doubling, with jitter
RETRIED = [408, 429, 500, 502, 503, 504]

#: why a reply ended that may be used, or may be asked for again
ENDED = {types.FinishReason.STOP, types.FinishReason.FINISH_REASON_UNSPECIFIED, None}
CUT = {types.FinishReason.MAX_TOKENS, types.FinishReason.MALFORMED_FUNCTION_CALL, types.FinishReason.OTHER}


class GeminiModel:
    """One of Gemini's models. One client per instance, made inside the running loop."""

    def __init__(self, model: str, api_key: str, base_url: str, timeout_s: float, tries: int) -> None:
        """`base_url` is empty for Google's own; `timeout_s` is for one try."""
        self.model = model
        retry = types.HttpRetryOptions(
            attempts=tries, initial_delay=0.5, max_delay=8.0, jitter=0.5, http_status_codes=RETRIED
        )
        options = types.HttpOptions(base_url=base_url or None, timeout=int(timeout_s * 1000), retry_options=retry)
        self.client = Client(api_key=api_key, http_options=options)

    async def generate(self, prompt: Prompt, schema: Mapping[str, object]) -> ModelReply:
        """The reply, held to a JSON schema. Raises ModelUnavailable or ModelRefused."""
        started = time.monotonic()
        try:
            response = await self.client.aio.models.generate_content(
                model=self.model, contents=_contents(prompt), config=_config(prompt, schema)
            )
        except errors.APIError as cause:
            raise _translated(cause) from None  # Gemini's own text may quote the prompt
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as cause:
            raise ModelUnavailable(f"Gemini did not answer ({type(cause).__name__})") from None
        except ValueError as cause:  # what the client says of a body that is no JSON, or not of its shape
            raise ModelUnavailable(f"Gemini's answer cannot be read ({type(cause).__name__})") from None
        call = _call(self.model, response, round((time.monotonic() - started) * 1000))
        log("the model answered", **call.model_dump(exclude={"problem"}))
        return _reply(response, call)


def _contents(prompt: Prompt) -> list[types.ContentUnion]:
    return [
        types.Content(role=turn.role.value, parts=[types.Part(text=text) for text in turn.parts])
        for turn in prompt.turns
    ]


def _config(prompt: Prompt, schema: Mapping[str, object]) -> types.GenerateContentConfig:
    trace = current_trace() or secrets.token_hex(16)
    headers = {"traceparent": f"00-{trace}-{secrets.token_hex(8)}-01"}
    return types.GenerateContentConfig(
        system_instruction=prompt.system,
        response_mime_type="application/json",
        response_json_schema=dict(schema),
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        http_options=types.HttpOptions(headers=headers),
    )


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
        raise ModelRefused(f"Gemini blocked the prompt ({blocked.value})")
    candidate = response.candidates[0] if response.candidates else types.Candidate()
    if candidate.finish_reason not in ENDED | CUT:
        raise ModelRefused(f"Gemini blocked its answer ({candidate.finish_reason})")
    parts = (candidate.content.parts if candidate.content else None) or []
    text = "".join(part.text for part in parts if part.text and not part.thought)
    return ModelReply(text=text, is_complete=candidate.finish_reason in ENDED, call=call)


def _translated(error: errors.APIError) -> ModelUnavailable | ModelRefused:
    what = f"Gemini answered {error.code} {error.status or ''}".rstrip()
    if error.code in RETRIED:
        return ModelUnavailable(what)
    if error.code in {401, 403} or "API key" in (error.message or ""):
        return ModelRefused(f"{what}: check GEMINI_API_KEY")
    return ModelRefused(what)
