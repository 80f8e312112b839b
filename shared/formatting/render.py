"""What is sent for what the model wrote: markdown as text and entities, in parts.

The parser is pulldown-cmark (pyromark). Its text is walked here: telegramify-markdown's own walk runs a code block in a
list into the item's text, drops whatever looks like HTML (`List<String>`), counts lists anew, hides what stands between
two `||`, and loses addresses of images.
"""

from shared.formatting.cutting import cut
from shared.formatting.source import normalized, read
from shared.formatting.walk import Walk
from shared.models.text import FormattedText


def convert(markdown: str) -> FormattedText:
    """The whole text with its entities, however long.

    What has no markup comes out as it is, and so does what is nothing but markup: an agent that says "#" is heard.
    """
    written = Walk(*read(markdown)).writer
    plain = normalized(markdown)
    if not written.text.strip() or (not written.entities and written.text.split() == plain.split()):
        return FormattedText(plain)
    return FormattedText(written.text, tuple(sorted(written.entities, key=lambda e: (e.offset, -e.length, e.type))))


def render(markdown: str) -> tuple[FormattedText, ...]:
    """The messages, in order, that show this markdown; none if nothing of it can be seen.

    The same markdown gives the same parts, always: a delivery goes on at part n after a crash.
    """
    return tuple(cut(convert(markdown)))
