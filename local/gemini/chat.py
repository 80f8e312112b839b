"""Converts a request to Gemini into a chat for another model. Unsupported features are refused in a sentence."""

import json
from collections.abc import Callable

from local.gemini.calling import tools_of, turns_of
from local.gemini.calls import ApiError, Fault, Json
from local.gemini.request import Content, GenerateRequest, GenerationConfig, Part
from local.gemini.schema import for_small_model, from_gemini

#: most tokens of an answer: one or two minutes of generating, and half of the model's context
ANSWER_TOKENS = 1_024

TEXT_ONLY = "This local model reads text only: it cannot see images, sound or files. Set GEMINI_API_KEY to use Gemini."


def chat_of(request: GenerateRequest) -> Json:
    """Return the chat completion request in OpenAI's form, which the engine expects. Raises ApiError for an
    unsupported feature.
    """
    if request.tool_config.function_calling_config.mode in ("ANY", "VALIDATED"):
        raise _wrong("This local model calls no functions: leave the mode of function calling at AUTO.")
    schema, messages = _schema_of(request.generation_config, narrowed=for_small_model), messages_of(request)
    chat = _completion(request, messages, schema, temperature=0.0)
    return {**chat, "max_tokens": min(chat["max_tokens"], ANSWER_TOKENS), "cache_prompt": True}


def whole_chat_of(request: GenerateRequest) -> Json:
    """Return the request for a more capable model of an OpenAI-compatible server, with the unchanged schema and with
    functions.
    """
    chat = _completion(request, messages_of(request, with_calls=True), _schema_of(request.generation_config))
    tools = tools_of(request)
    return {**chat, "tools": tools} if tools else chat


def _completion(request: GenerateRequest, messages: list[Json], schema: Json | None, temperature: float = 0.2) -> Json:
    config = request.generation_config
    _refuse_what_is_not_done(request)
    chat: Json = {
        "messages": messages,
        "max_tokens": config.max_output_tokens or ANSWER_TOKENS,
        **_sampling(config, temperature),
    }
    if schema:
        chat["response_format"] = _held_to(schema)
    elif config.response_mime_type == "application/json":
        # LM Studio does not support `json_object` (its issue 189)
        chat["response_format"] = _held_to({"type": "object"})
    return chat


def _held_to(schema: Json) -> Json:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}


def messages_of(request: GenerateRequest, *, with_calls: bool = False) -> list[Json]:
    """Return the turns: at most one `system`, then `user` and `assistant`. Consecutive turns of one role are joined.

    `with_calls`: function calls and their results are separate turns; otherwise they become text.
    """
    instruction = request.system_instruction
    turns: list[Json] = [{"role": "system", "content": _text_of(instruction)}] if instruction else []
    for place, content in enumerate(request.contents):
        if with_calls and (calls := turns_of(content, place)):
            turns += calls
            continue
        role = "assistant" if content.role == "model" else "user"
        text = _text_of(content)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += "\n" + text
        else:
            turns.append({"role": role, "content": text})
    if not any(turn["role"] == "user" for turn in turns):
        raise _wrong("`contents` holds no turn of a user.")
    return turns


def _sampling(config: GenerationConfig, temperature: float) -> Json:
    """Return the sampling options. Plans are best with a low temperature; requests to current Gemini models set no
    temperature.
    """
    given = {
        "temperature": config.temperature if config.temperature is not None else temperature,
        "top_p": config.top_p if config.top_p is not None else 0.9,
        "top_k": config.top_k,
        "seed": config.seed,
        "presence_penalty": config.presence_penalty,
        "frequency_penalty": config.frequency_penalty,
        "stop": config.stop_sequences,
    }
    return {name: value for name, value in given.items() if value is not None}


def _text_of(content: Content) -> str:
    return "\n".join(text for part in content.parts if (text := _part_text(part)))


def _part_text(part: Part) -> str:
    if part.inline_data or part.file_data:
        raise _wrong(TEXT_ONLY)
    if part.function_call or part.function_response:
        return json.dumps(part.model_dump(exclude_unset=True, by_alias=True), ensure_ascii=False)
    if part.thought:
        return ""
    if part.text is None and part.model_extra:
        raise _wrong(f"This local model does not know a part with {', '.join(sorted(part.model_extra))}.")
    return part.text or ""


def _refuse_what_is_not_done(request: GenerateRequest) -> None:
    config = request.generation_config
    if (config.candidate_count or 1) > 1:
        raise _wrong("This local model gives one candidate: leave candidateCount out.")
    if request.cached_content:
        raise _wrong("This local model has no cached contents: send the whole prompt, its start is cached by itself.")
    if any(kind != "TEXT" for kind in config.response_modalities):
        raise _wrong("This local model writes text only: leave responseModalities out.")


def _schema_of(config: GenerationConfig, narrowed: Callable[[Json], Json] = dict) -> Json | None:
    own, plain = config.response_schema, config.response_json_schema
    try:
        schema = from_gemini(own) if plain is None and own is not None else plain
        return narrowed(schema) if isinstance(schema, dict) else None
    except (AttributeError, KeyError, TypeError, ValueError) as cause:
        raise _wrong("The schema of the response is not a schema: a keyword in it has a wrong value.") from cause


def _wrong(message: str) -> ApiError:
    return ApiError(Fault.INVALID_ARGUMENT, message)
