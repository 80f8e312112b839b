"""Serves Gemini's embeddings API, `embedContent` and `batchEmbedContents`, from any source of vectors."""

from collections.abc import Sequence
from typing import Any

from local.gemini.answers import texts_in
from local.model.calls import Answer, ApiError, Call, Fault, Json, json_answer
from local.model.vectors import Vectors

#: most texts of one request in the API
BATCH = 100


async def embedded(call: Call, vectors: Vectors) -> Answer:
    """Return the response to an embeddings call. Raises ApiError."""
    if call.model != vectors.name:
        raise ApiError(Fault.NOT_FOUND, f"models/{call.model} is not found; the embedding model is {vectors.name}.")
    body = call.json()
    if call.method == "embedContent":
        (found,) = await vectors.embed([_text_of(body)], call.limit_s)
        return json_answer({"embedding": {"values": found}, "usageMetadata": _usage([_text_of(body)])})
    texts = [_text_of(request) for request in _requests(body)]
    found_all = await vectors.embed(texts, call.limit_s)
    return json_answer({"embeddings": [{"values": one} for one in found_all], "usageMetadata": _usage(texts)})


def _requests(body: Json) -> list[Any]:
    requests = body.get("requests")
    if not isinstance(requests, list) or not requests:
        raise ApiError(Fault.INVALID_ARGUMENT, "BatchEmbedContentsRequest.requests: at least one request is required.")
    if len(requests) > BATCH:
        why = f"BatchEmbedContentsRequest.requests: at most {BATCH} requests can be in one batch."
        raise ApiError(Fault.INVALID_ARGUMENT, why)
    return requests


def _text_of(request: Any) -> str:
    """Return the text of one request. As in Gemini, all parts of its content make one text."""
    text = "\n".join(texts_in(request.get("content") if isinstance(request, dict) else None))
    if not text.strip():
        raise ApiError(Fault.INVALID_ARGUMENT, "EmbedContentRequest.content: a text is required.")
    return text


def _usage(texts: Sequence[str]) -> Json:
    """Return token counts, estimated as one token per four bytes of text."""
    tokens = sum(max(1, len(text.encode()) // 4) for text in texts)
    return {"promptTokenCount": tokens, "totalTokenCount": tokens}
