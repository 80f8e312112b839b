"""Code is taken out of a text and put back as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.planning.guard.guard import mask_code
from tests.shared.examples import PROPERTY

FENCED = "```py\n  x = 1\n\n\n\ty  \n```"
SIGNS = ("`", "``", "```", "~~~", "\n", "\n\n", "    ", "\t", "> ", "- ", "a", " ", "é", "😀", "\r\n", "\x00")
MARKDOWN = st.lists(st.sampled_from(SIGNS) | st.text(max_size=3), max_size=20).map("".join)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("no code", ()),
        ("a `b` c ``d ` e``", ("`b`", "``d ` e``")),
        (f"see:\n\n{FENCED}\n\nso", (FENCED,)),
        ("- item\n\n  ~~~\n  x\n  ~~~\n", ("~~~\n  x\n  ~~~",)),
        ("text\n\n    indented\n\nmore", ("indented\n",)),
        ("open ` only", ()),
        ("```\nnever closed", ("```\nnever closed",)),
        ("é `ß` 😀 `x`", ("`ß`", "`x`")),
    ],
)
def test_spans_and_blocks_are_found(text: str, code: tuple[str, ...]) -> None:
    found = mask_code(text)
    assert found.code == code
    assert not any(piece in found.prose for piece in code)


@PROPERTY
@given(MARKDOWN)
def test_what_is_taken_out_comes_back(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    found = mask_code(text)
    assert found.restore(found.prose) == text.replace("\x00", "")


@PROPERTY
@given(MARKDOWN)
def test_code_stays_whatever_happens_to_the_prose(text: str) -> None:
    found = mask_code(f"{text.encode('utf-8', 'replace').decode()}\n\n{FENCED}\n")
    assert found.restore(found.prose.replace("a", "").replace("  ", " ")).count(FENCED) <= 1 or FENCED in text
    if FENCED in found.code:
        assert FENCED in found.restore(found.prose.replace("\n", " ").replace("  ", " "))
