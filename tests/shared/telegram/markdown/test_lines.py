"""Lines as the writer meant them."""

import pytest

from shared.telegram.markdown.held import release
from shared.telegram.markdown.render import convert
from shared.telegram.markdown.source import read, with_plain_bars, with_whole_rows
from tests.shared.telegram.markdown.samples import entity_texts


@pytest.mark.parametrize(
    "text",
    [
        *(r"C:\Users\ann\.config\app", "D:\\_new\\*.txt and D:\\old\\", r"\\server\share\dir", r"see \\server for it"),
        *(r"\d+\.\d+ and ^\w+\[.*\]$", r"use \n and \t", r"¯\_(ツ)_/¯", "/\\_/\\\n( o.o )", r"\frac and \alpha"),
        *(
            r"in C:\Program Files\App\_v2 now",
            ">= 5 is enough",
            ">5 items",
            ">>> print(1)",
            ">:( oh",
            r"/^https?:\/\/[^\s]+$/ or ^\.env$ or (txt|md)+\.bak",
            r"^\d{3}-\d{4}$ and [a-z]+\.com and (?:a|b)\.c and .*\.log",
            r"sed 's/\./_/g' and grep '\.py$' in $env:USERPROFILE\.config or %APPDATA%\.npm or ~\.ssh",
            r"find . -type f -exec rm {} \;",
            "Items:\n-",
            "/* first */ x /* second */ or /*y*/",
            "##args of #1",
            "**kwargs and **options are names",
            "so\n==",
        ),
        *(r"(C:\Temp\[1])", r"**C:\a\.b** is it"[2:12], r"\(\d{3}\) \d{3}", "-5 degrees", "#tag", "~5 or ~6", "1."),
    ],
)
def test_signs_that_are_no_markup_stay(text: str) -> None:
    assert convert(text).text == text
    assert convert(text).entities == ()


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        (r"a\_b, 1\. and \*so\*", "a_b, 1. and *so*"),
        (r"Done\! \(see below\)\. \[Note\]", "Done! (see below). [Note]"),
        (r"1\. One \- \(a\) 5 \+ 3 \= 8\! [x]\*", "1. One - (a) 5 + 3 = 8! [x]*"),
        (r"C:\\Users\\ann", r"C:\Users\ann"),
        (r"¯\\\_(ツ)\_/¯ and ¯\\_(ツ)_/¯", r"¯\_(ツ)_/¯ and ¯\_(ツ)_/¯"),
        ("a\\\nb", "a\nb"),
        ("> quoted", "quoted"),
    ],
)
def test_what_a_model_escapes_is_shown_without_its_backslash(markdown: str, text: str) -> None:
    assert convert(markdown).text == text


@pytest.mark.parametrize(
    ("markdown", "text", "styled"),
    [
        (r"open **C:\Temp\** now", "open C:\\Temp\\ now", ["C:\\Temp\\"]),
        (r"**C:\My App\**, *~\.ssh\*", "C:\\My App\\, ~\\.ssh\\", ["C:\\My App\\", "~\\.ssh\\"]),
        (r"**%TEMP%\**请看 *C:\*.txt*", "%TEMP%\\请看 C:\\*.txt", ["%TEMP%\\", "C:\\*.txt"]),
    ],
)
def test_a_folder_in_bold_or_italics_keeps_its_last_backslash(markdown: str, text: str, styled: list[str]) -> None:
    shown = convert(markdown)
    assert (shown.text, [words for _, words in entity_texts(shown)]) == (text, styled)


@pytest.mark.parametrize(
    ("markdown", "text", "bold"),
    [
        ("We went home early that day\n---\nNext", "We went home early that day\n———\nNext", []),
        ("- one\n- two\n---\nend", "• one\n• two\n———\nend", []),
        ("Sum: 5\n=========\nend", "Sum: 5\n———\nend", []),
        ("two lines\nof text\n--------\nend", "two lines\nof text\n———\nend", []),
        ("Summary\n-------\ntext", "Summary\ntext", ["Summary"]),
        ("###标题\n字", "标题\n字", ["标题"]),
        ("##Title\n###**1. One**\n##🎉 End", "Title\n1. One\n🎉 End", ["Title", "1. One", "🎉 End"]),
        ("Title\n=====\ntext", "Title\ntext", ["Title"]),
        ("One\n===\nSecond\n------\nend", "One\nSecond\nend", ["One", "Second"]),
        ("> said\n> ---\n> more", "said\n———\nmore", []),
    ],
)
def test_a_line_below_text_is_a_rule_unless_it_is_as_long_as_a_title(markdown: str, text: str, bold: list[str]) -> None:
    shown = convert(markdown)
    assert shown.text == text
    assert [covered for kind, covered in entity_texts(shown) if kind == "bold"] == bold


@pytest.mark.parametrize(
    ("markdown", "text", "bold"),
    [
        ("> [!NOTE]\n> Keep a copy.", "Note\nKeep a copy.", "Note"),
        ("> [!WARNING] Hot\n> more", "Warning: Hot\nmore", "Warning:"),
        ("> [!info]- Title\n> body", "Info: Title\nbody", "Info:"),
        ("> [!注意]\n> 请备份", "注意\n请备份", "注意"),
        ("- a\n  > [!TIP]\n  > b", "• a\nTip\nb", "Tip"),
        ("> > [!CAUTION]\n> > b", "Caution\nb", "Caution"),
    ],
)
def test_a_callout_begins_with_its_word_in_bold(markdown: str, text: str, bold: str) -> None:
    shown = convert(markdown)
    assert shown.text == text
    assert ("bold", bold) in entity_texts(shown)


@pytest.mark.parametrize("text", ["[!NOTE] in a line", "it says [!x]", "`> [!NOTE]`", "```\n> [!NOTE]\n```"])
def test_a_mark_of_a_callout_elsewhere_stays(text: str) -> None:
    assert "[!" in convert(text).text


@pytest.mark.parametrize(
    ("markdown", "lines"),
    [
        ("|a|b|\n|-|-|\n|`x | y`|z|", ["a     | b", "x | y | z"]),
        ("|a|b|\n|-|-|\n|``x|`y``|z|", ["a    | b", "x|`y | z"]),
        ("|a|b|\n|-|-|\n|1|2|3|", ["a | b |", "1 | 2 | 3"]),
        ("|a|b|\n|-|-|-|\n|1|2|3|", ["a | b |", "1 | 2 | 3"]),
        ("a|b\n-|-\n1|2|3\n4|5", ["a | b |", "1 | 2 | 3", "4 | 5 |"]),
        ("| 名 | 值 |\n|——|:——|\n| 一 | 二 |", ["名 | 值", "一 | 二"]),
        ("| a | b |\n|---|---|\n| — | — |\n| — | - |", ["a | b", "— | —", "— | -"]),
        ("Text:\n\n| a | b |\n|—|—|\n| — | 1 |", ["Text:", "a | b", "— | 1"]),
        ("| a | b |\n|---|---|\n| x || y | or |", ["a      | b", "x || y | or"]),
        ("|a|b|\n|-|-|\n|<ul><li>x</li><li>y</li></ul>|z|", ["a       | b", "x • y | z"]),
        ("|a|b|\n|-|-|\n|`<li>`|z|", ["a    | b", "<li> | z"]),
        ("a|b\n-|-\n1|2|3|4", ["a | b |   |", "1 | 2 | 3 | 4"]),
        ("|a|b|\n|-|-|\n|x \\| y|$|z|$|", ["a     | b", "x | y | |z|"]),
        (
            "|a|b|\n|-|-|\n|[x](https://a.example/y|z)|2|",
            ["a                         | b", "x (https://a.example/y|z) | 2"],
        ),
        ("> |a|b|\n> |-|-|\n> |`x|y`|z|", ["a   | b", "x|y | z"]),
        ("- |a|b|\n  |-|-|\n  |1|2|3|", ["a | b |", "1 | 2 | 3"]),
        ("| a | ||b|| |\n|-|-|\n| x | y |", ["a | ||b||", "x | y"]),
        ("|a|b|\n|-|-|\n| x | ||who?|| |", ["a | b", "x | ||who?||"]),
        ("|名|b|\n|-|-|\n|**日本：**です|<b>z</b>|", ["名         | b", "日本：です | z"]),
    ],
)
def test_every_cell_of_a_table_is_seen(markdown: str, lines: list[str]) -> None:
    shown = [line.removeprefix("• ") for line in convert(markdown).text.split("\n")]
    assert [line for line in shown if "-+-" not in line and line.strip()] == lines


def test_a_line_below_a_table_is_no_row_of_it() -> None:
    shown = convert("|a|b|\n|-|-|\n|1|2|\nLegend: x | y | z\nmore")
    assert entity_texts(shown) == [("pre", "a | b\n--+--\n1 | 2")]
    assert shown.text.endswith("Legend: x | y | z\nmore")
    assert entity_texts(convert("a|b\n-|-\n1|2\nmore")) == [("pre", "a | b\n--+--\n1 | 2")]


def test_code_blocks_and_other_bars_are_no_tables() -> None:
    for text in ("```\n|a|b|\n|-|-|\n|1|2|3|\n```", "a | b\nc | d", "x || y", "`a|b`", "|\n|-|"):
        assert with_whole_rows(with_plain_bars(text)) == text


@pytest.mark.parametrize(
    "markdown",
    [
        *(
            "C:\\Users\\.ann",
            "\\\\server\\share",
            "\\\\server",
            "/\\_/\\",
            "\\alpha and \\1.",
            "a\n---\nb",
            ">= 5",
            "¯\\_(ツ)_/¯",
        ),
        *(
            "a|b\n-|-\n1|2|3",
            "|a|b|\n|-|-|\n|`x|y`|1|2|\nend | it",
            "**「a」**b <b>c</b> $x_1$ ||d||",
            "5[1] kg\n\n[1]: https://a.example",
        ),
        *("<ul><li>a</li></ul>", "** a ** b", "x__init__y 2*3*4", "<a href='https://a.example/_b_'>c</a>"),
    ],
)
def test_what_is_prepared_once_reads_the_same_when_it_is_prepared_again(markdown: str) -> None:
    assert convert(release(read(markdown)[0].decode())) == convert(markdown)
