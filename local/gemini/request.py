"""A GenerateContentRequest, parsed once: the fields that a local model can use."""

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from local.gemini.calls import ApiError, Call, Fault, Json

RequestT = TypeVar("RequestT", bound="GenerateRequest")


class _Wire(BaseModel):
    """Accepts camelCase and snake_case like the API, and ignores unknown fields."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True, extra="ignore")


class Part(_Wire):
    """A piece of a turn. Exactly one field is set."""

    model_config = ConfigDict(extra="allow")

    text: str | None = None
    thought: bool = False
    inline_data: Json | None = None
    file_data: Json | None = None
    function_call: Json | None = None
    function_response: Json | None = None


class Content(_Wire):
    """A turn, by `user` or `model`, or the instruction."""

    role: str = "user"
    parts: list[Part] = Field(default_factory=list)


class GenerationConfig(_Wire):
    """Options of generation; None if not given."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: float | None = None
    seed: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    stop_sequences: list[str] | None = None
    max_output_tokens: int | None = Field(default=None, ge=1)
    candidate_count: int | None = None
    response_mime_type: str = ""
    response_schema: Json | None = None
    response_json_schema: Any = None
    response_modalities: list[str] = Field(default_factory=list)


class FunctionCalling(_Wire):
    """The mode of function calling: functions may, must or must not be called."""

    mode: str = "AUTO"


class Tool(_Wire):
    """Functions that may be called, or Google's search."""

    function_declarations: list[Json] = Field(default_factory=list)
    google_search: Json | None = None


class ToolConfig(_Wire):
    """Options of the request's tools."""

    function_calling_config: FunctionCalling = FunctionCalling()


class GenerateRequest(_Wire):
    """The request."""

    contents: list[Content] = Field(default_factory=list)
    system_instruction: Content | None = None
    generation_config: GenerationConfig = GenerationConfig()
    tools: list[Tool] = Field(default_factory=list)
    tool_config: ToolConfig = ToolConfig()
    cached_content: str = ""


class CountRequest(GenerateRequest):
    """A CountTokensRequest: contents, or a whole request."""

    generate_content_request: GenerateRequest | None = None


def generate_request(call: Call) -> GenerateRequest:
    """Parse the request of a call that generates. A 400 names the wrong field, or says that search is not available."""
    request = _parsed(GenerateRequest, call)
    if any(tool.google_search is not None for tool in request.tools):
        raise ApiError(Fault.INVALID_ARGUMENT, "Search as tool is not enabled for this model")  # text of Google's error
    return request


def count_request(call: Call) -> GenerateRequest:
    """Parse the request of `countTokens`."""
    request = _parsed(CountRequest, call)
    return request.generate_content_request or request


def _parsed(kind: type[RequestT], call: Call) -> RequestT:
    try:
        return kind.model_validate(call.json())
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ApiError(Fault.INVALID_ARGUMENT, f"Invalid value at '{where}': {first['msg']}.") from wrong
