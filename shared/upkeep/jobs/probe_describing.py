"""The probe that describes a file: the reader opens a tiny picture, and a model describes the picture."""

from typing import Final

from shared.llm.ports.world import ModelProvider
from shared.media.description_prompt import describing_prompt
from shared.reader.ports import MediaPreparer
from shared.upkeep.jobs.probe import REPLY_TOKENS, ProbeFailed, ask_models
from shared.values.canary import PROBE_WORDS
from shared.values.evolve import evolve
from shared.values.media import MediaKind, MediaRef
from shared.values.prompt import Prompt

#: a PNG of 16 × 16 pixels in one colour
PICTURE: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000010000000100802000000909168360000001a4944415478da63fc7542838114"
    "c0c4402218d530aa61e86800000e08020a9f928d680000000049454e44ae426082"
)


async def describe_a_picture(preparer: MediaPreparer, models: ModelProvider, model: str) -> str:
    """Let the reader open a picture. Then let `model` describe it, if `model` is not empty. Raises ProbeFailed."""
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="canary", unique_id="canary", mime_type="image/png", size=len(PICTURE))
    made = await preparer.prepare(ref.kind, ref.mime_type, PICTURE)
    if made.problem:
        raise ProbeFailed(made.problem)
    if not model:
        return "a picture was opened, but not described: LULL_MEDIA_MODEL names no model"
    return await ask_models(models, [model], _short(describing_prompt(ref, made.model_parts, made.facts)))


def _short(prompt: Prompt) -> Prompt:
    """Return the prompt with words that identify a probe, and with a limit of a few tokens for the reply."""
    (turn,) = prompt.turns
    turn = evolve(turn, parts=(*turn.parts, PROBE_WORDS))
    return evolve(prompt, turns=(turn,), reply_tokens=REPLY_TOKENS)
