"""A script: the replies that a test wants the model to give. Each is normally given once, either in order or to a
request that it matches.
"""

import json
import re
from collections import Counter
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from local.gemini.answers import candidate, generation, text_part, usage_of, with_media
from local.gemini.functions import call_parts
from local.model.calls import Call, Json
from local.model.inline import FILE_TOKENS, modality_of, types_in, without_files
from shared.values.evolve import evolve


class Blob(BaseModel):
    """A file in a response: its MIME type, and its bytes in base64."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    mime_type: str
    data: str

    @property
    def part(self) -> Json:
        """Return the file as a part of the API's response (ai.google.dev/api/caching, Blob)."""
        return {"inlineData": {"mimeType": self.mime_type, "data": self.data}}


class Reply(BaseModel):
    """One scripted reply. It has at most one of `text`, `tasks`, `candidates`, `function_calls`, `thoughts`, `inline`
    and `body`; `inline` may be combined with a text.

    Without any of these the response has no parts. With a `status` of 400 or above, the response is an error with the
    message `error`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str | None = None
    #: a plan, as an object or as the list of its tasks; sent as JSON text
    tasks: Json | list[Any] | None = None
    #: the response's candidates, sent unchanged; an empty list means no candidates
    candidates: list[Json] | None = None
    #: function calls `{"name": …, "args": {…}}`; signed as Gemini signs them, and checked when they are sent back
    function_calls: list[Json] | None = None
    #: audio and pictures that the model made, after the text
    inline: list[Blob] = Field(default_factory=list)
    #: the model's thoughts; without other content the response has only thoughts
    thoughts: str = ""
    #: results of a search, as the API's GroundingMetadata; requires a text
    grounding: Json | None = None
    #: the raw body of the HTTP answer, which need not be JSON
    body: str | None = None
    status: int = Field(default=200, ge=200, le=599)
    error: str = ""
    #: the error's canonical name, if the HTTP status has several; the error's details, in the format of google.rpc
    error_status: str = ""
    error_details: list[Json] = Field(default_factory=list)
    #: seconds before anything is sent
    delay_s: float = Field(default=0.0, ge=0.0)
    #: number of events into which a stream splits the text, unless `chunk_chars` is set
    chunks: int = Field(default=1, ge=1)
    #: number of characters of each event
    chunk_chars: int | None = Field(default=None, ge=1)
    #: seconds between two events of a stream
    pause_s: float = Field(default=0.0, ge=0.0)
    #: name of a hold: the last event of a stream, or a whole response, waits for `DELETE /script/holds/{hold}`
    hold: str = ""
    finish_reason: str = "STOP"
    usage: Json | None = None
    #: whether the connection breaks in the middle of the response
    cut: bool = False
    #: a substring, or a regular expression, that the request must contain
    match: str = ""
    #: number of times that the reply is given; null for always
    times: int | None = Field(default=1, ge=1)

    @field_validator("match")
    @classmethod
    def _is_a_pattern(cls, match: str) -> str:
        try:
            re.compile(match)
        except re.error as cause:
            raise ValueError(f"`match` is not a regular expression: {cause}") from cause
        return match

    def fits(self, texts: str) -> bool:
        """Return whether `match` occurs in a request's texts, either literally or as a regular expression."""
        return self.match in texts or re.search(self.match, texts) is not None


class NoVectors(BaseModel):
    """A scripted failure or delay of embeddings calls. With `status` 200 the calls succeed after the delay."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    status: int = Field(default=503, ge=200, le=599)
    error: str = "A scripted error."
    delay_s: float = Field(default=0.0, ge=0.0)
    #: number of calls that fail or are delayed; null for all
    times: int | None = Field(default=None, ge=1)


class Script(BaseModel):
    """The body of `POST /script`: replies to add. Also the response of `GET /script`: the replies that were not given
    yet.
    """

    model_config = ConfigDict(extra="forbid")

    replies: list[Reply] = Field(default_factory=list)
    #: reply when none is left: `echo` repeats the last text; without a default the call fails
    default: Literal["echo"] | None = None
    #: faults of embeddings calls; None if the calls succeed
    vectors: NoVectors | None = None

    def extend(self, more: "Script") -> None:
        """Append the replies of `more`. The settings `default` and `vectors` of `more` replace existing ones, if they
        are set.
        """
        self.replies += more.replies
        self.default = more.default or self.default
        self.vectors = more.vectors or self.vectors

    def take_vectors(self) -> NoVectors | None:
        """Return the fault for the next embeddings call, and reduce the fault's remaining `times` by one. Return None
        if there is no fault.
        """
        found = self.vectors
        if found and found.times:
            self.vectors = evolve(found, times=found.times - 1) if found.times > 1 else None
        return found

    def take(self, texts: str, *, by_match: bool = False) -> Reply | None:
        """Take the next reply for a request: the first that matches its texts, else the first without `match`. With
        `by_match`, only a matching reply is taken. Return None if there is no such reply.
        """
        waiting = (i for i, reply in enumerate(self.replies) if reply.match and reply.fits(texts))
        in_order = (i for i, reply in enumerate(self.replies) if not (reply.match or by_match))
        found = next(waiting, next(in_order, None))
        if found is None:
            return None
        reply = self.replies.pop(found)
        if reply.times is None or reply.times > 1:
            left = reply.times and reply.times - 1
            self.replies.insert(found, evolve(reply, times=left))
        return reply

    def take_fault(self, texts: str) -> Reply | None:
        """Take the next reply for a canary's probe: the first that matches the probe, else the first without `match` if
        that reply is an error. Return None if there is no such reply.
        """
        first = next((reply for reply in self.replies if not reply.match), None)
        return self.take(texts, by_match=first is None or first.status < 400)


def bodies_of(reply: Reply, call: Call, answer_id: str) -> list[Json]:
    """Return the reply as JSON objects of the API: one, or in a stream one for each event."""
    drawn = sum(blob.mime_type.startswith("image/") for blob in reply.inline)
    usage = reply.usage or _usage(call, max(1, len(_spoken(reply)) // 4) + drawn * FILE_TOKENS)
    if reply.candidates is not None:
        return [generation(reply.candidates, call.model, answer_id, usage)]
    spoken = _spoken(reply)
    size = (reply.chunk_chars or -(-len(spoken) // reply.chunks)) if call.streams else len(spoken)
    pieces = [spoken[start : start + size] for start in range(0, len(spoken), max(1, size))]
    thoughts = [text_part(reply.thoughts, is_thought=True)] if reply.thoughts else []
    calls = call_parts(reply.function_calls or [])
    parts = [[text_part(piece)] for piece in pieces] or [[]]
    parts[0] = thoughts + parts[0]
    parts[-1] = parts[-1] + calls + [blob.part for blob in reply.inline]
    last = len(parts) - 1
    grounded = {"groundingMetadata": reply.grounding} if reply.grounding is not None else {}
    return [
        generation(
            [candidate(part, reply.finish_reason if i == last else "") | (grounded if i == last else {})],
            call.model,
            answer_id,
            usage if i == last else None,
        )
        for i, part in enumerate(parts)
    ]


def _usage(call: Call, written: int) -> Json:
    """Return token counts: one token per four bytes of text, and for each file as many as Gemini counts for a small
    picture.
    """
    files = Counter(modality_of(mime_type) for mime_type in types_in(call.json()))
    words = usage_of(max(1, len(without_files(call.body).encode()) // 4), written)
    return with_media(words, {name: FILE_TOKENS * count for name, count in files.items()}) if files else words


def _spoken(reply: Reply) -> str:
    if reply.tasks is None:
        return reply.text or ""
    plan = {"tasks": reply.tasks} if isinstance(reply.tasks, list) else reply.tasks
    return json.dumps(plan, ensure_ascii=False)
