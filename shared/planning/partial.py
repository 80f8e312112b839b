"""What may be shown of a reply that is still being written: the text of its first message, as far as it goes."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from shared.models.agent import Codec
from shared.planning.json_text import MAX_REPLY_CHARS
from shared.planning.partial_json import first_in_json
from shared.planning.partial_markdown import first_in_markdown
from shared.planning.unicode_text import well_formed

_READERS: Final[Mapping[Codec, Callable[[str], str]]] = MappingProxyType(
    {Codec.JSON: first_in_json, Codec.MARKDOWN: first_in_markdown}
)


def first_text(reply: str, codec: Codec = Codec.JSON) -> str:
    """The markdown of the first `send`, as far as the beginning of a reply tells it; empty: nothing is to be shown.

    Total, and linear in the reply. Never a thought, another task, the spelling of the plan, half an escape or half a
    surrogate pair; nothing of a message that comes after a pause. (It may end within a letter and its accents.)
    """
    if len(reply) > MAX_REPLY_CHARS:
        return ""
    ends_in_half = reply[-1:] and "\ud800" <= reply[-1] <= "\udbff"
    return _READERS[codec](well_formed(reply[:-1] if ends_in_half else reply))
