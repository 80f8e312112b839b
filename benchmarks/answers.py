"""Answers of a model, kept in a file by what was asked, so that a bench that was interrupted asks only what is left."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from shared.errors import ModelError
from shared.models.prompt import ModelReply, Prompt
from shared.ports.world import Model


class KeptAnswers:
    """A model that asks another one, and never twice the same. The file has one line for each answer, as it comes.

    Only complete answers are kept. Of what was asked the file has a hash, and no words.
    """

    def __init__(self, model: Model, name: str, file: Path) -> None:
        """`name` tells this model's answers from those of others in the same file."""
        self.name = name
        self._model, self._file = model, file
        self._kept = _read(file)
        #: how many answers came from the model, and not from the file
        self.asked = 0
        #: what was wrong the last time that the model gave no answer
        self.trouble = ""

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        """The kept answer, or the model's. Raises what the model raises."""
        key = self.key(prompt, schema)
        if key in self._kept:
            return self._kept[key]
        try:
            reply = await self._model.generate(prompt, schema, on_text)
        except ModelError as cause:
            self.trouble = str(cause)
            raise
        self.asked += 1
        if reply.is_complete:
            self._keep(key, reply)
        return reply

    def key(self, prompt: Prompt, schema: Mapping[str, object] | None) -> str:
        """A hash of the model and of all that it is shown."""
        asked = [self.name, prompt.model_dump(mode="json"), schema]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()

    def _keep(self, key: str, reply: ModelReply) -> None:
        self._kept[key] = reply
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a") as lines:
            # the line's end comes first: it also ends a line that a crash left half written
            lines.write("\n" + json.dumps({"key": key, "reply": reply.model_dump(mode="json")}))


def _read(file: Path) -> dict[str, ModelReply]:
    """The answers of a file; a line that a crash left half written is none."""
    kept: dict[str, ModelReply] = {}
    for line in file.read_text().splitlines() if file.is_file() else ():
        try:
            entry = json.loads(line)
            kept[entry["key"]] = ModelReply.model_validate(entry["reply"])
        except (ValueError, KeyError, TypeError):
            continue
    return kept
