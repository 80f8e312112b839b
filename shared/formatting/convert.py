"""Markdown to text and entities.

The parser is pulldown-cmark (pyromark), and telegramify-markdown writes the formulas. That library's own walk over the
document isn't used: it runs a code block in a list into the item's text, drops whatever looks like HTML
(`List<String>`), counts lists anew, hides what stands between two `||`, and loses addresses of images.
"""

from shared.formatting.source import read, well_formed
from shared.formatting.walk import Walk
from shared.models.channel import FormattedText


def convert(markdown: str) -> FormattedText:
    """The whole text with its entities, however long.

    What has no markup comes out as it is, and so does what is nothing but markup: an agent that says "#" is heard.
    """
    written = Walk(*read(markdown)).writer
    plain = well_formed(markdown)
    if not written.text.strip() or (not written.entities and written.text.split() == plain.split()):
        return FormattedText(plain)
    return FormattedText(written.text, tuple(sorted(written.entities, key=lambda e: (e.offset, -e.length, e.type))))
