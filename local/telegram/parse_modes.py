"""Formatting that a bot writes into its text, by the name of its parse_mode."""

from local.telegram.entities import Entity
from local.telegram.errors import bad_request
from local.telegram.html_mode import parse_html
from local.telegram.markdown_mode import parse_markdown
from local.telegram.markdown_v2 import parse_markdown_v2


def parse_mode_text(text: str, mode: str) -> tuple[str, tuple[Entity, ...]]:
    """The text without its marks, and what they meant."""
    match mode.lower():
        case "html":
            return parse_html(text)
        case "markdownv2":
            return parse_markdown_v2(text)
        case "markdown":
            return parse_markdown(text)
        case _:
            raise bad_request("unsupported parse_mode")
