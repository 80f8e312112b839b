"""The scripted backend: Gemini's API without a model. Its responses are written by tests."""

import asyncio
import json
import re
import uuid
from collections import defaultdict, deque
from collections.abc import AsyncGenerator

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from local.gemini.answers import model_entry, texts_in
from local.gemini.embeddings import embedded
from local.gemini.functions import check_functions
from local.gemini.hashed import HashedWords
from local.gemini.samples import made_for
from local.gemini.script import Reply, Script, bodies_of
from local.model.calls import (
    JSON_HEADERS,
    SSE_HEADERS,
    Answer,
    ApiError,
    Call,
    ConnectionCut,
    Fault,
    Json,
    event,
    json_answer,
)
from local.model.inline import FILE_TOKENS, types_in, without_files
from local.model.state import ModelReport, ModelState
from local.model.vectors import Vectors
from shared.values.canary import PROBE_WORDS

NAME = "scripted"
#: Name of the model for background work, whose calls come at any moment. So they take only replies whose `match` they
#: fit, and no reply that is meant for another request.
BACKGROUND = "scripted-background"
#: number of embeddings calls that are recorded; they are not among the recorded exchanges
KEPT = 20
PROMPT_LIMIT = 1_048_576
ANSWER_LIMIT = 65_536

#: the compact headers of a prompt, `Ann#000001: ` and `Bob → Ann: `; all other lines are indented or in brackets
_HEADER = re.compile(r"^[^\s\[:][^\n:]{0,240}: ", re.MULTILINE)


class ScriptedBackend:
    """A backend that answers with the replies of a script. Tests write and read the script at `/script`."""

    def __init__(self, vectors: Vectors | None = None) -> None:
        """Start with an empty script: every request fails until replies are written. `vectors`: the source of
        embeddings; by default hashed words.
        """
        self._script, self._vectors = Script(), vectors or HashedWords()
        self._embeddings: deque[Json] = deque(maxlen=KEPT)
        self._let_go: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)

    async def start(self) -> None:
        """Prepare the source of vectors."""
        await self._vectors.start()

    async def stop(self) -> None:
        """Release the source of vectors."""
        await self._vectors.stop()

    def report(self) -> ModelReport:
        """Report the model as ready."""
        return ModelReport(state=ModelState.READY, name=NAME, note="Says what a test has written, nothing else.")

    def routes(self) -> list[Route]:
        """Return the control API of `/script`: POST adds replies, GET returns the remaining ones, and DELETE deletes
        them. Replies with a `hold` are sent only after a DELETE of `/script/holds/HOLD`.

        GET of `/embeddings` returns the last requests for embeddings.
        """
        return [
            Route("/script", self._control, methods=["GET", "POST", "DELETE"]),
            Route("/embeddings", self._asked_to_embed),
            Route("/script/holds/{hold}", self._go_on, methods=["DELETE"]),
        ]

    async def answer(self, call: Call) -> Answer:
        """Return the script's next reply, or the API's response to calls that need no model."""
        if call.method in ("list", "get"):
            entry = model_entry(call.model or NAME, "Scripted model", PROMPT_LIMIT, ANSWER_LIMIT)
            return json_answer(entry if call.model else {"models": [entry]})
        if call.embeds:
            return await self._embedded(call)
        body = call.json()
        texts = texts_in(body)
        if call.method == "countTokens":
            probed = f"{call.model}\n{' '.join(texts)}" if PROBE_WORDS in texts else ""
            fault = self._script.take(probed, by_match=True) if probed else None
            if fault is not None:
                return _answer_of(fault, call, None)
            files = FILE_TOKENS * len(list(types_in(body)))
            return json_answer({"totalTokens": max(1, sum(map(len, texts)) // 4) + files})
        if not call.generates:
            raise ApiError(Fault.UNIMPLEMENTED, f"The scripted model does not support {call.method}.")
        check_functions(body, call.model)
        asked = "\n".join([*texts, without_files(call.body)])
        # a canary's probe also comes at any moment, so it takes only scripted errors
        if PROBE_WORDS in asked:
            well = Reply.model_validate({"text": "well", "inline": made_for(body)})
            reply = self._script.take_fault(f"{call.model}\n{asked}") or well
        else:
            reply = self._script.take(asked, by_match=call.model == BACKGROUND) or self._unscripted(call, body)
        await asyncio.sleep(reply.delay_s)
        let_go = self._let_go[reply.hold] if reply.hold else None
        if let_go is not None and not call.streams:
            await let_go.wait()
        return _answer_of(reply, call, let_go)

    async def _embedded(self, call: Call) -> Answer:
        self._embeddings.append({"model": call.model, "path": call.path, "body": call.json()})
        if fault := self._script.take_vectors():
            await asyncio.sleep(fault.delay_s)
            if fault.status >= 400:
                return json_answer(_error_body(Reply(status=fault.status, error=fault.error)), fault.status)
        return await embedded(call, self._vectors)

    def _unscripted(self, call: Call, body: Json) -> Reply:
        if self._script.default != "echo":
            left = len(self._script.replies)
            why = f"No scripted reply fits this {call.method} request ({left} fit only others); POST one to /script."
            raise ApiError(Fault.INTERNAL, why)
        if made := made_for(body):
            return Reply.model_validate({"inline": made})
        return Reply(tasks=[{"kind": "send", "text": f"You said: {last_words(body)}"}])

    async def _control(self, request: Request) -> JSONResponse:
        if request.method == "DELETE":
            self._script = Script()
        if request.method == "POST":
            try:
                self._script.extend(Script.model_validate_json(await request.body()))
            except ValidationError as wrong:
                return JSONResponse({"error": str(wrong)}, 400)
        left = [reply.model_dump(exclude_unset=True) for reply in self._script.replies]
        vectors = {"vectors": self._script.vectors.model_dump(exclude_unset=True)} if self._script.vectors else {}
        return JSONResponse({"replies": left, "default": self._script.default, **vectors})

    async def _asked_to_embed(self, _: Request) -> JSONResponse:
        return JSONResponse({"requests": list(self._embeddings)})

    async def _go_on(self, request: Request) -> JSONResponse:
        self._let_go[request.path_params["hold"]].set()
        return JSONResponse({})


def last_words(body: Json) -> str:
    """Return what a person wrote last: the last text of the last content, without a message header (such as
    `Ann#000001: `) and without the `[RESPOND]` at the prompt's end.
    """
    contents = body.get("contents")
    texts = texts_in(contents[-1:] if isinstance(contents, list) else [])
    said = [text for text in texts if not text.startswith("[meta]") and not text.endswith("[RESPOND]")]
    last = (said or texts or [""])[-1].removesuffix("[RESPOND]").strip()
    return _HEADER.split(last)[-1].strip()


def _answer_of(reply: Reply, call: Call, let_go: asyncio.Event | None) -> Answer:
    if reply.body is not None:
        whole = reply.body.encode()
    elif reply.status >= 400:
        return json_answer(_error_body(reply), reply.status)
    elif call.streams:
        return Answer(status=reply.status, headers=SSE_HEADERS, stream=_events(reply, call, let_go))
    else:
        whole = json.dumps(bodies_of(reply, call, uuid.uuid4().hex)[0], ensure_ascii=False).encode()
    if reply.cut:
        headers = {**JSON_HEADERS, "content-length": str(len(whole))}
        return Answer(status=reply.status, headers=headers, stream=_first_half(whole))
    return Answer(status=reply.status, body=whole)


def _error_body(reply: Reply) -> Json:
    name = next((fault.name for fault in Fault if fault.value == reply.status), "UNKNOWN")
    told = {
        "code": reply.status,
        "message": reply.error or "A scripted error.",
        "status": reply.error_status or name,
    }
    return {"error": told | ({"details": reply.error_details} if reply.error_details else {})}


async def _events(reply: Reply, call: Call, let_go: asyncio.Event | None) -> AsyncGenerator[bytes]:
    bodies = bodies_of(reply, call, uuid.uuid4().hex)
    whole = b"".join(event(body) for body in bodies)
    if reply.cut:
        yield whole[: len(whole) // 2]
        raise ConnectionCut
    for number, body in enumerate(bodies):
        await asyncio.sleep(reply.pause_s if number else 0)
        if let_go is not None and number == len(bodies) - 1:
            await let_go.wait()
        yield event(body)


async def _first_half(whole: bytes) -> AsyncGenerator[bytes]:
    yield whole[: len(whole) // 2]
    raise ConnectionCut
