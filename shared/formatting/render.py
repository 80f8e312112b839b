"""Rendering: the markdown that a model wrote becomes text and entities, in parts that can be sent.

The parser is pulldown-cmark (pyromark), whose events lull walks itself. telegramify-markdown's own walk puts a code
block of a list into the item's text, drops what looks like HTML (`List<String>`), numbers lists anew, makes a spoiler
of the text between two `||`, and loses addresses of images.
"""

from shared.formatting.cutting import cut
from shared.formatting.source import normalized, read
from shared.formatting.walk import Walk
from shared.models.text import FormattedText


def convert(markdown: str) -> FormattedText:
    """The whole text with its entities, however long.

    A text without markup stays as it is, and so does one of nothing but markup: an agent may say "#".
    """
    written = Walk(*read(markdown)).writer
    plain = normalized(markdown)
    if not written.text.strip() or (not written.entities and written.text.split() == plain.split()):
        return FormattedText(plain)
    return FormattedText(written.text, tuple(sorted(written.entities, key=lambda e: (e.offset, -e.length, e.type))))


def render(markdown: str) -> tuple[FormattedText, ...]:
    """The messages, in order, that show this markdown; none if nothing of it can be seen.

    The same markdown always gives the same parts: after a crash a delivery goes on at its part n.
    """
    return tuple(cut(convert(markdown)))
