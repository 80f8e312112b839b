"""A request for something that is made: speech (ai.google.dev/gemini-api/docs/speech-generation), or a picture."""

from typing import Any

from shared.models.capabilities import Made
from shared.models.prompt import Prompt


def making_body(prompt: Prompt) -> dict[str, Any] | None:
    """The request in the API's JSON; none for a prompt that is answered with text.

    It has no instruction: models that speak refuse one ("Developer instruction is not enabled for this model"), and
    take the text for what is to be said, word for word.
    """
    match prompt.makes:
        case Made.SPEECH:
            voice = {"voiceConfig": {"prebuiltVoiceConfig": {"voiceName": prompt.voice}}}
            wanted: dict[str, Any] = {"responseModalities": ["AUDIO"], "speechConfig": voice}
        case Made.PICTURES:
            wanted = {"responseModalities": ["TEXT", "IMAGE"]}
        case _:
            return None
    text = "\n".join(part for turn in prompt.turns for part in turn.parts)
    return {"contents": [{"role": "user", "parts": [{"text": text}]}], "generationConfig": wanted}
