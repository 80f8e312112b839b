"""A model that copies all of its input into its output. For deletion, this is the worst that a model of notes can
do.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from local.gemini.answers import texts_in
from local.gemini.script import Reply
from local.gemini.scripted import ScriptedBackend
from local.model.calls import Call, Json
from local.model.recorder import Recorder
from local.model.server import build_app
from shared.llm.gemini.model import GeminiModel
from tests.local.serving import serving
from tests.shared.conftest import model_at


class CopyingBackend(ScriptedBackend):
    """Returns a copy of the request as abbreviation, title, topics, observations and summary."""

    def _unscripted(self, call: Call, body: Json) -> Reply:
        lines = [line for text in texts_in(body) for line in text.splitlines() if line.strip()]
        said = "\n".join(lines)
        numbered = [(int(line.split()[0]), line) for line in lines if line.split()[0].isdecimal()]
        copied: Json = {
            "abbreviation": said[-1_000:],
            "title": said[-70:],
            "topics": [line[:30] for _, line in numbered[:5]],
            "observations": [
                {"text": line[:200], "about": [], "happened": "", "entries": [number], "supersedes": ""}
                for number, line in numbered[:10]
            ],
            "summary": said[-3_000:],
        }
        return Reply(text=json.dumps(copied))


@asynccontextmanager
async def copying_model() -> AsyncIterator[GeminiModel]:
    """Yield the adapter of a server with such a model."""
    with serving(build_app(CopyingBackend(), Recorder())) as url:
        async with model_at(url, 30.0, 1) as model:
            yield model
