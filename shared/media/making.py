"""Makes the files that tasks send, before delivery: speech from a text, or a picture from its description."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from shared.base.errors import ModelError, ModelRefused, ModelTrouble
from shared.base.logs import log
from shared.llm.ports.world import ModelProvider
from shared.media.rewording import NOT_MADE
from shared.values.agent import FrontMatter
from shared.values.capabilities import OutputKind
from shared.values.chat_key import ChatKey
from shared.values.outgoing import FileRequest, GeneratedFile
from shared.values.prompt import Attachment, Prompt, PromptTurn, TurnRole
from shared.values.usage import ModelUse, Purpose

if TYPE_CHECKING:
    from shared.media.media_reader import HttpMediaReader

#: the most characters that are spoken; they take about a minute and a half
LONGEST_SPOKEN: Final = 1_500
#: the most bytes of files that wait in memory for their delivery; a picture may have 2 MB
MOST_HELD: Final = 30_000_000
#: seconds for which an unsent file stays in memory even if memory is short; afterwards its tick has ended
AWAITED_S: Final = 600.0
#: bytes that are counted for each entry in addition to the file's content, also for a failed one
_EACH: Final = 2_000

TOO_LONG: Final = f"it is longer than the {LONGEST_SPOKEN} characters that are spoken"
NOTHING: Final = "nothing came of it"
REFUSED: Final = "the model that makes it refused"
UNREACHED: Final = "the model that makes it does not answer now"
AT_LIMIT: Final = "a spending limit is reached for now"
NO_NOTE: Final = "no voice note could be made of the sound"

#: the purpose of the model's call, and the prefix of its answer's MIME type
_PURPOSES: Final = {OutputKind.SPEECH: Purpose.SPEAK, OutputKind.PICTURES: Purpose.DRAW}
_TYPES: Final = {OutputKind.SPEECH: "audio/", OutputKind.PICTURES: "image/"}


@dataclass(kw_only=True)
class FileMaker:
    """Makes one agent's speech and pictures, and holds them in memory until they are sent.

    If the delivery is repeated soon, it sends the same file at no further cost. When memory is short, files that were
    sent are dropped first. If the process dies before the delivery, another process makes the file again.
    """

    models: ModelProvider
    #: the model's name for each kind of output; a missing kind cannot be made
    by: Mapping[OutputKind, str]
    encoder: HttpMediaReader
    front: FrontMatter
    most_held: int = MOST_HELD
    #: a clock in seconds
    monotonic: Callable[[], float] = time.monotonic
    #: each file with the time until which it must stay in memory, oldest first
    _held: OrderedDict[str, tuple[GeneratedFile, float]] = field(default_factory=OrderedDict, init=False)

    async def make(self, key: str, wanted: FileRequest, chat: ChatKey, person: int) -> GeneratedFile:
        """Make a file for a chat, and hold the result in memory under `key`. If the file cannot be made, the result's
        `problem` says why. `person` is the answered person, who pays for the file (0: nobody).
        """
        made = await self._make(wanted, ModelUse(purpose=_PURPOSES[wanted.makes], chat=chat, person=person))
        if made.problem:
            log(f"a file could not be made: {made.problem}", makes=wanted.makes.value)
        self._held.pop(key, None)
        self._held[key] = made, self.monotonic() + AWAITED_S
        self._make_room()
        return made

    def held_file(self, key: str) -> GeneratedFile | None:
        """Return the file that is held in memory under a key, or None."""
        held = self._held.get(key)
        return held[0] if held is not None else None

    def release(self, key: str) -> None:
        """Allow the file under a key to be dropped from memory."""
        if key in self._held:
            self._held[key] = self._held[key][0], self.monotonic()

    def _make_room(self) -> None:
        """Drop released files, the oldest first, until the remaining files are within the limit."""
        size = sum(_EACH + len(made.content) for made, _ in self._held.values())
        for key, (made, until) in list(self._held.items()):
            if size > self.most_held and until <= self.monotonic():
                del self._held[key]
                size -= _EACH + len(made.content)

    async def _make(self, wanted: FileRequest, use: ModelUse) -> GeneratedFile:
        model = self.by.get(wanted.makes)
        if model is None:
            return GeneratedFile(problem=NOT_MADE)
        if not wanted.words:
            return GeneratedFile(problem=NOTHING)
        if wanted.makes is OutputKind.SPEECH and len(wanted.words) > LONGEST_SPOKEN:
            return GeneratedFile(problem=TOO_LONG)
        asked = self.models.model(model, use)
        turn = PromptTurn(role=TurnRole.USER, parts=(wanted.words,))
        try:
            reply = await asked.generate(
                Prompt(system="", turns=(turn,), makes=wanted.makes, voice=self.front.voice_name), None
            )
        except ModelError as error:
            return GeneratedFile(problem=_problem(error), calls=(error.call,) if error.call is not None else ())
        found = next((one for one in reply.files if one.mime_type.startswith(_TYPES[wanted.makes])), None)
        if found is None:
            return GeneratedFile(problem=NOTHING, calls=(reply.call,))
        return replace(await self._to_sendable(found, wanted.makes), calls=(reply.call,))

    async def _to_sendable(self, found: Attachment, makes: OutputKind) -> GeneratedFile:
        """Convert a model's output into a file that Telegram accepts. Pictures stay as they are."""
        if makes is not OutputKind.SPEECH:
            return GeneratedFile(content=found.content, mime_type=found.mime_type)
        note = await self.encoder.encode_voice(found.content, found.mime_type)
        if note.problem or not note.content:
            log(f"a voice note could not be made: {note.problem}")
            return GeneratedFile(problem=NO_NOTE)
        return GeneratedFile(
            content=note.content,
            mime_type="audio/ogg",
            duration_s=max(1, round(note.duration_s)),
            is_captioned=self.front.voice_captions,
        )


def _problem(error: ModelError) -> str:
    if error.trouble is ModelTrouble.LIMIT:
        return AT_LIMIT
    return REFUSED if isinstance(error, ModelRefused) else UNREACHED
