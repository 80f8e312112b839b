"""Blocks that a strict parser takes for code, or for the end of code."""

import pytest

from shared.base.text import EntityType
from shared.telegram.markdown.render import convert


def code_in(markdown: str) -> list[tuple[str, str]]:
    whole = convert(markdown)
    units = whole.text.encode("utf-16-le")
    return [
        (units[2 * one.offset : 2 * one.end].decode("utf-16-le"), one.language)
        for one in whole.entities
        if one.type is EntityType.PRE
    ]


@pytest.mark.parametrize(
    ("markdown", "document"),
    [
        ("```markdown\n# T\n```bash\nls\n```\n**b**\n```\nend", "# T\n```bash\nls\n```\n**b**"),
        ("Here:\n\n```md\n```sh\na\n```\n\n```js\nb\n```\n```", "```sh\na\n```\n\n```js\nb\n```"),
        ("- x\n  ```Markdown\n  ```py\n  a\n  ```\n  ```", "```py\na\n```"),
    ],
)
def test_a_document_holds_its_blocks_of_code(markdown: str, document: str) -> None:
    assert [code for code, _ in code_in(markdown)] == [document]


@pytest.mark.parametrize(
    ("markdown", "blocks"),
    [
        ("```markdown\n# T\n```\n\n```bash\nls\n```", ["# T", "ls"]),
        ("```markdown\n# T\n```bash\nls\n```\nend", ["# T\n```bash\nls"]),
        ("```py\nx = '''\n```bash\n```\nend", ["x = '''\n```bash"]),
    ],
)
def test_other_blocks_end_at_the_first_fence(markdown: str, blocks: list[str]) -> None:
    assert [code for code, _ in code_in(markdown)] == blocks


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**Plan**\n\n    - a\n    - b\n\nend", "Plan\n\n• a\n• b\n\nend"),
        ("**Plan**\n\n    1. a\n    2. b", "Plan\n\n1. a\n2. b"),
        ("**Plan**\n\n\t- a\n\t\t- b", "Plan\n\n• a\n  • b"),
        ("**Plan**\n\n    • a\n      ◦ b", "Plan\n\n• a\n\u00a0\u00a0◦ b"),
        ("- **a**\n\n        - b", "• a\n\n  • b"),
    ],
)
def test_an_indented_list_is_no_code(markdown: str, text: str) -> None:
    assert convert(markdown).text == text
    assert code_in(markdown) == []


def test_an_indented_fence_is_a_fence() -> None:
    assert code_in("**1.** Do\n\n    ```sh\n    ls\n\n    pwd\n    ```\n\n**2.** b") == [("ls\n\npwd", "sh")]
    assert code_in("1. a\n\n       ```sh\n       ls\n       ```") == [("ls", "sh")]


@pytest.mark.parametrize("code", ["x = 1\n    y = 2", "-v --all", "1998. year", "*args"])
def test_other_indented_lines_stay_code(code: str) -> None:
    assert code_in(f"Type:\n\n    {code}\n")[0][0].startswith(code.split("\n")[0])


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("• **a**:\n  • b\n    ◦ c", "• a:\n\u00a0\u00a0• b\n\u00a0\u00a0\u00a0\u00a0◦ c"),
        ("**a**\n– b\n   – c", "a\n– b\n\u00a0\u00a0\u00a0– c"),
        ("  • **a**\n  • b", "• a\n• b"),
    ],
)
def test_levels_of_other_bullets_stay(markdown: str, text: str) -> None:
    assert convert(markdown).text == text
