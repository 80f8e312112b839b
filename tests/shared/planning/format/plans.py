"""Generated plans, and the spellings in which a model may write one."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from shared.planning.format.reply import reply_text
from shared.tasks.react import React
from shared.tasks.send import Send
from shared.tasks.task import Task
from shared.tasks.wait import LONGEST_WAIT_SECONDS, Wait
from shared.telegram.markdown.render import render
from shared.values.agent import Codec

KINDS: Final = ("send", "wait", "react")

#: a slow machine is no failure, and nothing is left on the disk
PROPERTY: Final = settings(
    deadline=None,
    database=None,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

_TRAPS: Final = (
    '{"tasks": [{"kind": "send", "text": "quoted"}]}',
    '```json\n{"kind": "wait", "seconds": 9}\n```',
    "}]}",
    '"}, {"kind": "react"',
    "{[",
    "\\",
    '\\"',
    "it's",
    "“so”",
    "// no comment",
    "/* nor this",
    "<think>",
    "</think>",
    "a\nb",
    "\r\n",
    "\x00",
    "\u2028",
    "\ufeff",
    "🙂",
    "None",
    ",]",
    "# «send» 5\n\nquoted",
    "\n# «wait»\n",
    "\\# «react»",
    "\n# «Dune»",
    "# «se",
    "\n```py\n# «send»\n```\n",
    "\n- ```\n",
    "\n~~~~",
    "\n</think>\n",
)
_TEXTS: Final = st.lists(
    st.one_of(st.sampled_from(_TRAPS), st.text(max_size=8)), min_size=1, max_size=3
).map("".join)  # fmt: skip
#: invisible characters alone are no text
SENDABLE: Final = _TEXTS.filter(lambda text: bool(render(text)))
_IDS: Final = st.one_of(st.just(""), st.sampled_from(["1", "2", "3", "greeting", "b-2", "ü", "task-1"]))
_MESSAGE_IDS: Final = st.integers(1, 2**31 - 1)


#: in markdown a text has no blank lines before it and no white space after it
BODIES: Final = _TEXTS.map(lambda text: re.sub(r"^(?:[ \t\r]*\n)+", "", text).rstrip(" \t\r\n")).filter(render)


#: strategies are made once: to make one takes longer than to draw from it
_COUNTS: Final = st.integers(0, 6)
_KIND: Final = st.sampled_from((Send, Wait, React))
_PLACES: Final = st.lists(st.integers(0, 5), unique=True, max_size=6)
_SECONDS: Final = st.integers(0, LONGEST_WAIT_SECONDS)
_EMOJI: Final = st.sampled_from(["👍", "❤️", "🤷‍♂️"])


@st.composite
def plans(draw: st.DrawFn, most: int = 4, codec: Codec = Codec.JSON) -> tuple[Task, ...]:
    """Generate tasks as `parse_reply` returns them: unique ids, each depending only on earlier ones."""
    tasks: list[Task] = []
    texts = SENDABLE if codec is Codec.JSON else BODIES
    for number in range(1, draw(_COUNTS) % (most + 1) + 1):
        before = [task.id for task in tasks]
        wanted = draw(_IDS) or str(number)
        name = wanted if wanted not in before else f"{wanted}/{number}"
        needs = [before[place] for place in draw(_PLACES) if place < len(before)]
        tasks.append(_task(draw, name, tuple(needs if draw(st.booleans()) else before[-1:]), texts))
    return tuple(tasks)


def _task(draw: st.DrawFn, name: str, needs: tuple[str, ...], texts: st.SearchStrategy[str]) -> Task:
    kind = draw(_KIND)
    if kind is Send:
        reply_to = draw(_MESSAGE_IDS) if draw(st.booleans()) else None
        return Send(id=name, depends_on=needs, text=draw(texts), reply_to=reply_to)
    if kind is Wait:
        return Wait(id=name, depends_on=needs, seconds=draw(_SECONDS))
    return React(id=name, depends_on=needs, emoji=draw(_EMOJI), message_id=draw(_MESSAGE_IDS))


def spelled(items: Sequence[Mapping[str, object]], codec: Codec) -> str:
    """Return the reply of a model that wrote these items as its tasks, whatever they contain."""
    if codec is Codec.JSON:
        return json.dumps({"tasks": items})
    return "\n\n".join(map(_block, items))


def _block(item: Mapping[str, object]) -> str:
    named = [f"{k}={json.dumps(v, ensure_ascii=False)}" for k, v in item.items() if k not in ("kind", "text")]
    return "\n\n".join([" ".join([f"# «{item['kind']}»", *named]), *([str(item["text"])] if "text" in item else [])])


def items_of(tasks: Sequence[Task]) -> list[dict[str, object]]:
    """Return the items of the plan as the canonical reply spells them."""
    items: list[dict[str, object]] = json.loads(reply_text(tasks))["tasks"]
    return items


def loosely(value: object, quote: str = '"', *, bare_keys: bool = False) -> str:
    """Return the value with trailing commas and comments, in another kind of quotes, maybe with bare keys."""
    if isinstance(value, dict):
        keys = ((key if bare_keys else _quoted(key, quote), inner) for key, inner in value.items())
        return "{" + "".join(f"{key} : {loosely(v, quote, bare_keys=bare_keys)}, " for key, v in keys) + "/* } */}"
    if isinstance(value, list):
        return "[ // [\n" + "".join(f"{loosely(v, quote, bare_keys=bare_keys)},\n" for v in value) + "]"
    return _quoted(value, quote) if isinstance(value, str) else repr(value)


def _quoted(text: str, quote: str) -> str:
    """Return the text in quotes, raw except for what must be escaped in them."""
    ends = "“”" if quote == "“" else quote
    escaped = "".join("\\" + char if char in ends or char == "\\" else char for char in text)
    return f"{ends[0]}{escaped}{ends[-1]}"


Spelling = Callable[[list[dict[str, object]]], str]

#: forms that are complete only with their last character
SPELLINGS: Final[dict[str, Spelling]] = {
    "strict": lambda items: json.dumps({"tasks": items}, ensure_ascii=False),
    "escaped": lambda items: json.dumps({"tasks": items}),
    "indented": lambda items: json.dumps({"tasks": items}, indent=2, ensure_ascii=False),
    "bare list": json.dumps,
    "in a plan": lambda items: json.dumps({"plan": {"tasks": items}}),
    "JSON in JSON": lambda items: json.dumps(json.dumps({"tasks": items})),
    "tasks as a string": lambda items: json.dumps({"tasks": json.dumps(items)}),
    "loose": lambda items: loosely({"tasks": items}),
    "single quotes": lambda items: loosely({"tasks": items}, "'"),
    "smart quotes": lambda items: loosely({"tasks": items}, "“"),
    "bare keys": lambda items: loosely({"tasks": items}, bare_keys=True),
}
