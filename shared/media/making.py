"""Making: the words of a task are spoken, or what they describe is drawn, by a model, before the task is delivered."""

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

#: characters that are spoken, about a minute and a half; a longer text is better read
LONGEST_SPOKEN: Final = 1_500
#: bytes that are held for tasks whose delivery is put off; a picture may have 2 MB
MOST_HELD: Final = 30_000_000
#: seconds in which what is not sent yet is not given up, whatever is held: the tick that had it made ends by then
AWAITED_S: Final = 600.0
#: what any counts beside its content, also one of which nothing came
_EACH: Final = 2_000

TOO_LONG: Final = f"it is longer than the {LONGEST_SPOKEN} characters that are spoken"
NOTHING: Final = "nothing came of it"
REFUSED: Final = "the model that makes it refused"
UNREACHED: Final = "the model that makes it does not answer now"
AT_LIMIT: Final = "as much is spent as may be spent for now"
NO_NOTE: Final = "no voice note could be made of the sound"

#: what a model is called for, and how the MIME types begin of what it answers with
_PURPOSES: Final = {OutputKind.SPEECH: Purpose.SPEAK, OutputKind.PICTURES: Purpose.DRAW}
_TYPES: Final = {OutputKind.SPEECH: "audio/", OutputKind.PICTURES: "image/"}


@dataclass(kw_only=True)
class FileMaker:
    """One agent's voice and brush. What was made stays in the instance until newer files need the room, and until it is
    sent in any case: an instance serves many chats, and what it gives up before it is sent would be told as never made.

    So a delivery that is made again soon says the same, and is not paid for twice. A process that dies before the call
    has the next one make it anew.
    """

    models: ModelProvider
    #: who makes what, by the name under which it stands among the models; what is missing is made by nobody
    by: Mapping[OutputKind, str]
    encoder: HttpMediaReader
    front: FrontMatter
    most_held: int = MOST_HELD
    #: seconds that pass
    monotonic: Callable[[], float] = time.monotonic
    #: with the moment until when it is awaited, the oldest first
    _held: OrderedDict[str, tuple[GeneratedFile, float]] = field(default_factory=OrderedDict, init=False)

    async def make(self, key: str, wanted: FileRequest, chat: ChatKey, person: int) -> GeneratedFile:
        """What came of making something for a chat; a failure of any kind is told in `problem`.

        `person` is who is answered by it, and pays for it; 0: nobody.
        """
        made = await self._make(wanted, ModelUse(purpose=_PURPOSES[wanted.makes], chat=chat, person=person))
        if made.problem:
            log(f"not made: {made.problem}", makes=wanted.makes.value)
        self._held.pop(key, None)
        self._held[key] = made, self.monotonic() + AWAITED_S
        self._make_room()
        return made

    def held_file(self, key: str) -> GeneratedFile | None:
        """What is held under a key."""
        held = self._held.get(key)
        return held[0] if held is not None else None

    def release(self, key: str) -> None:
        """What is held under a key may be given up."""
        if key in self._held:
            self._held[key] = self._held[key][0], self.monotonic()

    def _make_room(self) -> None:
        """Give up the oldest files that nobody awaits any more."""
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
        """What a model made, as Telegram takes it: it takes pictures as they are."""
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
