"""Generated speech (ai.google.dev/gemini-api/docs/speech-generation) and pictures: requests, and the answers' files."""

import base64
import binascii
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.values.capabilities import OutputKind
from shared.values.prompt import Attachment, Prompt


def generation_body(prompt: Prompt) -> dict[str, Any] | None:
    """Return the request in the API's JSON; None for a prompt that is answered with text.

    The request has no system instruction. Speech models refuse one ("Developer instruction is not enabled for this
    model"), and need none, since they speak the text word for word.
    """
    match prompt.makes:
        case OutputKind.SPEECH:
            voice = {"voiceConfig": {"prebuiltVoiceConfig": {"voiceName": prompt.voice}}}
            wanted: dict[str, Any] = {"responseModalities": ["AUDIO"], "speechConfig": voice}
        case OutputKind.PICTURES:
            wanted = {"responseModalities": ["TEXT", "IMAGE"]}
        case _:
            return None
    text = "\n".join(part for turn in prompt.turns for part in turn.parts)
    return {"contents": [{"role": "user", "parts": [{"text": text}]}], "generationConfig": wanted}


def generated_files(parts: Iterable[Mapping[str, Any]]) -> Iterator[Attachment]:
    """Yield the inline files of parts (ai.google.dev/api/caching, Blob). Invalid base64 is skipped."""
    for part in parts:
        blob = part.get("inlineData")
        data, mime_type = (blob.get("data"), blob.get("mimeType")) if isinstance(blob, dict) else (None, None)
        try:
            content = base64.b64decode(data, validate=True) if isinstance(data, str) else b""
        except (binascii.Error, ValueError):
            continue
        if content:
            yield Attachment(mime_type=mime_type if isinstance(mime_type, str) else "", content=content)
