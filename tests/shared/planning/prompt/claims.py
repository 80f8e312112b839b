"""Check the claims in a prompt's sentences against the schema and the declarations that go with it."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import jsonschema

from shared.planning.format.markdown_codec import body_field
from shared.planning.format.schema import plan_schema
from shared.planning.prompt.assemble import assemble_prompt
from shared.planning.prompt.scene import Scene
from shared.tasks.registry import kinds, unlockable, usable
from shared.tools.toolbox import tool_names
from shared.values.agent import Codec
from shared.values.prompt import Prompt
from shared.values.prompt_format import PromptFormat

#: the features that a sentence can name in code marks and a request may lack
NAMES = {
    *kinds(),
    *(name for model in kinds().values() for name in model.model_fields),
    *tool_names(),
}
_NAMED = re.compile(r"`([a-z][a-z_-]*)`")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n(?=\n|- |\{)")


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request to a model: the prompt, the schema of its reply (None: the reply is markdown), and the format."""

    prompt: Prompt
    schema: dict[str, Any] | None
    format: PromptFormat
    #: the kinds of task that a reply may have
    kinds: frozenset[str]

    @cached_property
    def tools(self) -> frozenset[str]:
        if self.schema is None:
            return frozenset(re.findall(r"^`# «([a-z_-]+)»` with ", self.prompt.system, re.MULTILINE))
        return frozenset(tool.name for tool in self.prompt.tools)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of offered features."""
        if self.schema is None:  # a markdown block is named after its field, unless it is text or in the heading
            headed = re.findall(r"`# «[a-z-]+» ([a-z_]+)=", self.prompt.system)
            return self.kinds | self.tools | {"text", *(body_field(kind) for kind in self.kinds), *headed}
        branches = self.schema["properties"]["tasks"]["items"]["anyOf"]
        return self.kinds | self.tools | {name for branch in branches for name in branch["properties"]}

    @property
    def quotes(self) -> bool:
        """Whether a task may name a message."""
        if self.schema is None:
            return "The number in" in self.prompt.system
        return not {"reply_to", "message_id"}.isdisjoint(self.names)


def request_of(scene: Scene) -> Request:
    """Return the request for a plan, with the schema that the planner makes of the persona's kinds."""
    names_messages = scene.format is not PromptFormat.COMPACT
    offered = usable(scene.agent.kinds, names_messages=names_messages)
    is_json = scene.agent.front.codec is Codec.JSON
    schema = _schema(offered, names_messages) if is_json else None
    thoughts = {kind for kind, model in unlockable().items() if not model.traits.is_kept}
    return Request(
        prompt=assemble_prompt(scene), schema=schema, format=scene.format, kinds=frozenset(offered) | thoughts
    )


@cache
def _schema(offered: tuple[str, ...], names_messages: bool) -> Any:
    return plan_schema(offered, names_messages=names_messages)


def _offers(kind: str) -> Callable[[Request], bool]:
    return lambda request: kind in request.kinds


#: words of a sentence → the claim that they make, and its condition
CLAIMS: tuple[tuple[str, Callable[[Request], bool]], ...] = (
    (r"\bJSON\b|\bempty list\b|\blist of tasks\b|\{\"tasks\"", lambda request: request.schema is not None),
    (r"«|\bblocks? of markdown\b|\bheading\b", lambda request: request.schema is None),
    (r"(?i)\breact(?:s|ion|ions)?\b", _offers("react")),
    (r"(?i)\bremind|\blater\b(?! time)", lambda request: bool({"wait", "schedule"} & request.kinds)),
    (r"(?i)\bwaits?\b", _offers("wait")),
    # if the agent can schedule, the end of a prompt has them, and waits are not used for reminders
    (r"The next days:", _offers("schedule")),
    (r"`wait` only when|To remind somebody|\"kind\":\"wait\"", lambda request: "schedule" not in request.kinds),
    (r"(?i)(?<!no )\bfunctions?\b|\bcall it\b", lambda request: bool(request.tools)),
    (r"(?i)\bno functions?\b", lambda request: not request.tools),
    (r"(?i)\bquote\b|\breply_to\b|\bmessage_id\b", lambda request: request.quotes),
    (r"\[meta\b", lambda request: request.format is not PromptFormat.COMPACT),
    (r"\bName#|\w#\d{6}\b", lambda request: request.format is PromptFormat.COMPACT),
    # compact is for short prompts, and small models take unknown facts for a topic
    (r"\{user_pronouns\}|command /(?:reminders|memories)", lambda request: request.format is not PromptFormat.COMPACT),
    (r"cannot see or hear", lambda request: all(turn.parts or turn.answers for turn in request.prompt.turns)),
)


def untrue(request: Request, text: str) -> Iterator[str]:
    """Return the sentences that speak of something that the request does not offer, each with that."""
    missing = NAMES - request.names
    for sentence in _SENTENCE_END.split(text):
        names, claims = _claimed(sentence)
        for name in names & missing:
            yield f"{name} is not offered: {sentence}"
        for words, is_true in claims:
            if not is_true(request):
                yield f"{words} is not so: {sentence}"
    yield from _wrong_examples(request, text)


@cache
def _claimed(sentence: str) -> tuple[frozenset[str], tuple[tuple[str, Callable[[Request], bool]], ...]]:
    """Return the names in code marks of a sentence, and its claims; cached, as thousands of prompts share sentences."""
    names = frozenset(_NAMED.findall(sentence))
    return names, tuple((words, is_true) for words, is_true in CLAIMS if re.search(words, sentence))


def _wrong_examples(request: Request, text: str) -> Iterator[str]:
    """Return the examples of plans that the schema would refuse."""
    for line in text.splitlines():
        if line.startswith('{"tasks"') and request.schema is not None:
            # the schemas themselves are checked where they are tested: that takes most of the time
            for wrong in jsonschema.Draft202012Validator(request.schema).iter_errors(json.loads(line)):
                yield f"{wrong.message}: {line}"
