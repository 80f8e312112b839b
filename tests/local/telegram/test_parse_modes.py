import pytest

from local.telegram.errors import ApiError
from local.telegram.parse_modes import parse_mode_text


@pytest.mark.parametrize(
    ("mode", "written"), [("HTML", "<b>x</b>"), ("html", "<b>x</b>"), ("MarkdownV2", "*x*"), ("Markdown", "*x*")]
)
def test_a_mode_is_found_by_its_name(mode: str, written: str) -> None:
    text, (entity,) = parse_mode_text(written, mode)
    assert (text, entity.type) == ("x", "bold")


def test_another_mode_is_refused() -> None:
    with pytest.raises(ApiError, match="Bad Request: unsupported parse_mode"):
        parse_mode_text("x", "LaTeX")
