"""Filler lines of a page."""

import pytest

from shared.reader.extract.webpage import without_fillers


@pytest.mark.parametrize(
    "line",
    [
        "Advertisement",
        "**Read more:** [Ten teas](https://example.org/teas)",
        "- Subscribe to our newsletter!",
        "#### You may also like...",
        "Follow us on Twitter",
        "Tags: coffee, tea",
    ],
)
def test_invitations_go(line: str) -> None:
    assert without_fillers(f"It is brewed.\n{line}\nIt is drunk.", "") == "It is brewed.\nIt is drunk."


@pytest.mark.parametrize(
    "line",
    [
        "Share prices fell by a tenth.",
        "Read on for what the growers say.",
        "Subscribe to our newsletter, said the man who had never written one, and " + "again and " * 12 + "again",
        "| Close | Open |",
    ],
)
def test_sentences_stay(line: str) -> None:
    assert without_fillers(line, "") == line


def test_code_stays() -> None:
    assert without_fillers("```\nprint\n```\n\nprint", "") == "```\nprint\n```"


def test_the_title_is_not_said_twice() -> None:
    text = "# Coffee is brewed\n\nCoffee is brewed from beans.\n\nmore\n\nmore 2\n\nmore 3\n\nCoffee is brewed"
    assert without_fillers(text, "Coffee is brewed - The Bean").splitlines()[0] == "Coffee is brewed from beans."
    assert without_fillers(text, "Coffee is brewed - The Bean").endswith("more 3\n\nCoffee is brewed")
