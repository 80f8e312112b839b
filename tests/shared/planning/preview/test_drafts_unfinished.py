import pytest

from shared.base.text import Entity, EntityType, FormattedText
from shared.planning.preview import FIRST_LETTERS, visible_parts, with_closed_marks
from shared.telegram.markdown.render import render

SENTENCE = "Once upon a time there was a lull in the storm, and everybody slept."


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("", ()),
        ("x" * FIRST_LETTERS, ()),
        ("x" * (FIRST_LETTERS + 1), (FormattedText("x" * FIRST_LETTERS),)),
        (f"{SENTENCE}e\u0301", (FormattedText(SENTENCE),)),
        (f"{SENTENCE}👩‍👩", (FormattedText(SENTENCE),)),
        (f"{SENTENCE}🇺🇦🇺", (FormattedText(f"{SENTENCE}🇺🇦"),)),
        (f"**bold** {SENTENCE}.", (FormattedText(f"bold {SENTENCE}", (Entity(EntityType.BOLD, 0, 4),)),)),
        (f"so: **{SENTENCE}.", (FormattedText(f"so: {SENTENCE}", (Entity(EntityType.BOLD, 4, len(SENTENCE)),)),)),
        (" " * 40, ()),
        ("\u0301" * 40, ()),
    ],
)
def test_what_is_shown_is_formatted_and_ends_with_a_whole_letter(
    markdown: str, shown: tuple[FormattedText, ...]
) -> None:
    assert visible_parts(markdown) == shown


@pytest.mark.parametrize(
    ("markdown", "whole"),
    [
        ("a **b", "a **b**"),
        ("a **b ", "a **b**"),
        ("a **", "a"),
        ("a **b*", "a **b**"),
        ("**a** b", "**a** b"),
        ("**a**", "**a**"),
        ("**a ~~b", "**a ~~b~~**"),
        ("~~a `b", "~~a `b`~~"),
        ("*a", "*a*"),
        ("*a*", "*a*"),
        ("**a *b", "**a *b***"),
        ("`a ** b` c", "`a ** b` c"),
        ("`a ** b", "`a ** b`"),
        ("* a\n* b", "* a\n* b"),
        ("2 * 3 and so", "2 * 3 and so"),
        ("a \\** b", "a \\** b"),
        ("**a\n\nb", "**a\n\nb"),
        ("a\n\n**b", "a\n\n**b**"),
        ("```py\na ** b", "```py\na ** b"),
        ("```\na\n```\nb **c", "```\na\n```\nb **c**"),
        ("the ||gar", "the ||gar||"),
        ("||a|| b || c", "||a|| b || c"),
        ("||a **b", "||a **b**||"),
        ("a |", "a"),
        ("a <b>b", "a <b>b</b>"),
        ("a <b>b</b> c <i>d", "a <b>b</b> c <i>d</i>"),
        ("**a <u>b", "**a <u>b</u>**"),
        ("H<sub>2", "H<sub>2</sub>"),
        ("write <b> to make it", "write <b> to make it"),
        ("`<b>` is bold", "`<b>` is bold"),
        ("so $x", "so"),
        ("so $x$ and $\\frac{a", "so $x$ and"),
        ("so $x$ and more", "so $x$ and more"),
        ("so $x^{2}$-axis", "so $x^{2}$-axis"),
        ("is \\(a + b", "is"),
        ("is \\(a\\) b", "is \\(a\\) b"),
        ("is:\n\\[\nx = 1", "is:"),
        ("is $$\\sum", "is"),
        ("it costs $5 and then", "it costs $5 and then"),
        ("from $1,000 to $2", "from $1,000 to $2"),
        ("echo $HOME and $path is", "echo $HOME and $path is"),
        ("`$x` is code", "`$x` is code"),
        ("", ""),
    ],
)
def test_emphasis_is_ended_where_the_text_breaks_off(markdown: str, whole: str) -> None:
    assert with_closed_marks(markdown) == whole


def test_no_marks_are_seen_while_a_text_is_written() -> None:
    text = "One **bold phrase**, *slanted*, ~~one gone~~ and `some_code * 2`, ||one||, $a = b$; then:\n\n* a **b**\n* c"
    (whole,) = render(text)
    shown = [render(with_closed_marks(text[:end])) for end in range(1, len(text))]
    letters = {part.text.replace("•", "").split("\n")[0] for parts in shown for part in parts}
    assert all(whole.text.startswith(line) for line in letters)
