"""A model whose answers contain the names of all unanswered messages, so that every answer shows which messages it
answers.

`python -m benchmarks.outages.naming --port P` serves this model over Gemini's API. Scripted replies (`/script`) take
precedence. With `--pause S` each plan sends another message after S seconds, so that the plan continues in a later
tick. The description of a file is a name made from the file's bytes. The notes on a conversation contain one
observation, which names all messages that people wrote.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from benchmarks.outages.names import names_in
from local.cloud import LocalCloud
from local.gemini.answers import texts_in
from local.gemini.script import Reply
from local.gemini.scripted import ScriptedBackend
from local.model.calls import Call, Json
from local.model.recorder import Recorder
from local.model.server import build_app
from local.parts import CloudPart
from local.ports import HOST, listen
from operations.environment import surroundings
from shared.wiring.settings.model_functions import LITE

ABOUT = "About "
MORE_ABOUT = "And that was about "
#: the model that describes files, unless a setting names another model. The plans are made by a different model
DESCRIBING = LITE
#: the end of requests for notes, and the pattern of the messages in them (recall/notes_prompt.py): `7 12:05 Ann#000001:
#: @lull_bot L4`
ASKED_TO_NOTE = "Write the notes now."
_MESSAGE = re.compile(r"^(\d+) \d\d:\d\d [^\n]*: (?:@\w+ )?(L\d+)$", re.MULTILINE)
#: the parts of a cloud that a message passes through, except for the model: `naming_model` is added later
WITHOUT_MODEL = ("telegram", "webhook", "cloud_tasks", "tick", "firestore")


def naming_model(cloud: LocalCloud, pause_s: int = 0) -> CloudPart:
    """Return this model as a part that can be added to a cloud that was started without a model."""
    url = cloud.model_url
    asked = ("--port", url.rpartition(":")[2], "--pause", str(pause_s))
    argv = (sys.executable, "-m", "benchmarks.outages.naming", *asked)
    return CloudPart(name="model", argv=argv, env=surroundings({}), url=url, health=f"{url}/healthz")


@dataclass(frozen=True)
class Shown:
    """A file in a request to a model."""

    mime_type: str
    content: bytes


class NamingBackend(ScriptedBackend):
    """Answers every message since the agent's last message. The last content of a prompt contains all these messages,
    and the pending tasks.

    A good model does the same: it answers a question even if another question follows.
    """

    def __init__(self, pause_s: int = 0) -> None:
        """`pause_s`: seconds until a plan's second message; 0 if plans have only one message."""
        super().__init__()
        self._pause_s = pause_s
        self._described: Counter[str] = Counter()

    def routes(self) -> list[Route]:
        """Return the routes. `/described` returns how often each description was given."""

        async def list_described(_: Request) -> JSONResponse:
            return JSONResponse(dict(self._described))

        return [*super().routes(), Route("/described", list_described)]

    def _unscripted(self, call: Call, body: Json) -> Reply:
        if ASKED_TO_NOTE in "\n".join(texts_in(body.get("contents"))):
            return Reply(text=json.dumps(notes_of(body)))
        if call.model == DESCRIBING:
            seen = seen_in(body)
            self._described[seen] += 1
            return Reply(text=json.dumps(fill_schema(_schema_of(body), seen)))
        contents = body.get("contents")
        last = contents[-1:] if isinstance(contents, list) else []
        names = " ".join(names_in("\n".join(texts_in(last))))
        tasks: list[Json] = [{"kind": "send", "text": f"{ABOUT}{names}"}]
        if self._pause_s:
            tasks.append({"kind": "wait", "seconds": self._pause_s})
            tasks.append({"kind": "send", "text": f"{MORE_ABOUT}{names}"})
        return Reply(tasks=tasks if names else [])


def shown_in(body: Json) -> list[Shown]:
    """Return the files of a request in order."""
    parts = [part for content in body.get("contents") or [] for part in content.get("parts", [])]
    files = [part["inlineData"] for part in parts if "inlineData" in part]
    return [Shown(str(one["mimeType"]), base64.b64decode(one["data"])) for one in files]


def seen_in(body: Json) -> str:
    """Return a description made from the bytes of a request's files, or of its texts if it has no files. The same bytes
    give the same description.
    """
    shown = b"".join(one.content for one in shown_in(body))
    seen = shown or "\n".join(texts_in(body.get("contents"))).encode()
    return f"something that looks like {hashlib.sha256(seen).hexdigest()[:12]}"


def notes_of(body: Json) -> Json:
    """Return notes with one observation, which names all messages by people in the request."""
    found = {name: int(seq) for seq, name in _MESSAGE.findall("\n".join(texts_in(body.get("contents"))))}
    text = f"They spoke of {' '.join(found)}".strip()
    seen = {"text": text, "about": [], "happened": "", "entries": list(found.values()), "supersedes": ""}
    return {**fill_schema(_schema_of(body), text), "observations": [seen] if found else []}


def fill_schema(schema: Json, text: str) -> Any:
    """Return a value that fits a JSON schema, with this text in every text field."""
    match schema.get("type"):
        case "object":
            return {name: fill_schema(one, text) for name, one in schema.get("properties", {}).items()}
        case "array":
            return []
        case "string":
            return schema["enum"][0] if schema.get("enum") else text
        case "boolean":
            return False
    return 0


def _schema_of(body: Json) -> Json:
    return dict(body.get("generationConfig", {}).get("responseJsonSchema") or {"type": "string"})


def main() -> None:
    """Serve until stopped."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.outages.naming", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--pause", type=int, default=0, help="seconds after which a plan goes on; 0: it does not")
    asked = parser.parse_args()
    backend = NamingBackend(asked.pause)
    app = build_app(backend, Recorder(), backend.routes())
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1, ws="none")
    uvicorn.Server(config).run(sockets=[listen(HOST, asked.port)])


if __name__ == "__main__":
    main()
