"""Builds Gemini's responses for the scripted model, and reads the texts of requests."""

from collections.abc import Mapping
from typing import Any

from local.model.calls import Json


def text_part(text: str, is_thought: bool = False) -> Json:
    """Return a text as a part of a response. With `is_thought`, the text is a thought of the model, which people do not
    see.
    """
    return {"text": text, "thought": True} if is_thought else {"text": text}


def candidate(parts: list[Json], finish_reason: str = "") -> Json:
    """Return a candidate with index 0, for a response that has no other candidate. Without a finish reason, the next
    event of the stream continues the candidate. An empty list of parts makes an empty response.
    """
    content: Json = {"role": "model", **({"parts": parts} if parts else {})}
    return {"content": content, **({"finishReason": finish_reason} if finish_reason else {}), "index": 0}


def generation(candidates: list[Json], model: str, answer_id: str, usage: Json | None = None) -> Json:
    """Return a GenerateContentResponse: a complete response, or one event of a streamed one."""
    body: Json = {"candidates": candidates} if candidates else {}
    if usage is not None:
        body["usageMetadata"] = usage
    return {**body, "modelVersion": model, "responseId": answer_id}


def usage_of(prompt: int, written: int, cached: int = 0) -> Json:
    """Return token counts as `usageMetadata`."""
    counts = {"promptTokenCount": prompt, "candidatesTokenCount": written, "totalTokenCount": prompt + written}
    return {**counts, "cachedContentTokenCount": cached} if cached else counts


def with_media(usage: Json, tokens: Mapping[str, int]) -> Json:
    """Return `usage` with the token counts of the prompt's files added to those of its text. `tokens` are the counts of
    files by modality, such as `IMAGE`.
    """
    words = usage["promptTokenCount"]
    counts = {"TEXT": words, **tokens}
    more = sum(tokens.values())
    return {
        **usage,
        "promptTokenCount": words + more,
        "totalTokenCount": usage["totalTokenCount"] + more,
        "promptTokensDetails": [{"modality": name, "tokenCount": count} for name, count in counts.items()],
    }


def model_entry(name: str, label: str, prompt_limit: int, answer_limit: int) -> Json:
    """Return a model as `models.get` and `models.list` describe it; limits are in tokens."""
    return {
        "name": f"models/{name}",
        "version": "local",
        "displayName": label,
        "inputTokenLimit": prompt_limit,
        "outputTokenLimit": answer_limit,
        "supportedGenerationMethods": ["generateContent", "streamGenerateContent", "countTokens"],
    }


def texts_in(body: Any) -> list[str]:
    """Return every text of a request in order: instruction, contents, nested parts."""
    if isinstance(body, dict):
        own = [body["text"]] if isinstance(body.get("text"), str) else []
        return own + [text for key, value in body.items() if key != "text" for text in texts_in(value)]
    if isinstance(body, list):
        return [text for value in body for text in texts_in(value)]
    return []
