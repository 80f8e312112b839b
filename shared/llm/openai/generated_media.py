"""Generated speech and pictures (platform.openai.com/docs/api-reference/audio/createSpeech and /images/create)."""

import base64
import binascii
from collections.abc import Collection, Iterator
from typing import Final

from shared.base.model_call import ModelCall
from shared.llm.openai.features import Feature
from shared.llm.openai.json_values import Json, as_count, as_list, as_object, as_text
from shared.values.prompt import Attachment, Prompt

SPEECH_PATH: Final = "/audio/speech"
PICTURES_PATH: Final = "/images/generations"
#: the voice in place of one that the server does not know: OpenAI's oldest
_USUAL_VOICE: Final = "alloy"
#: the beginnings of picture files
_SIGNATURES: Final = ((b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"RIFF", "image/webp"))


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
    """Return the picture's call with its token counts; `is_uncounted` is set if there are none (with older models)."""
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
