"""What is sent for what the model wrote."""

from shared.formatting.convert import convert
from shared.formatting.cutting import cut
from shared.models.channel import FormattedText


def render(markdown: str) -> tuple[FormattedText, ...]:
    """The messages, in order, that show this markdown; none if nothing of it can be seen.

    The same markdown gives the same parts, always: a delivery goes on at part n after a crash.
    """
    return tuple(cut(convert(markdown)))
