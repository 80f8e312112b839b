"""Examples of an instruction as turns of the chat: a small model does what it has done before, not what it has read.

An instruction has them as a block of lines below `Examples:`. A line that begins with a brace is an answer; the lines
before it are what it answers.
"""

import re

from local.gemini.calls import Json

_BLOCK = re.compile(r"^Examples:\n(?P<lines>(?:.+(?:\n|\Z))+)\n*", re.MULTILINE)


def with_examples_as_turns(messages: list[Json]) -> list[Json]:
    """The same chat, in OpenAI's form, with the examples of its instruction as its first turns."""
    if not messages or messages[0]["role"] != "system":
        return messages
    instruction = str(messages[0]["content"])
    block = _BLOCK.search(instruction)
    turns = _turns_of(block["lines"].splitlines()) if block else []
    if not block or not turns:
        return messages
    rest = instruction[: block.start()] + instruction[block.end() :]
    return [{**messages[0], "content": rest.strip()}, *turns, *messages[1:]]


def _turns_of(lines: list[str]) -> list[Json]:
    """A turn of the user and one of the assistant for each example; lines after the last answer are none."""
    turns: list[Json] = []
    asked: list[str] = []
    for line in lines:
        if not line.startswith("{"):
            asked.append(line)
        elif asked:
            turns += [{"role": "user", "content": "\n".join(asked)}, {"role": "assistant", "content": line}]
            asked = []
    return turns
