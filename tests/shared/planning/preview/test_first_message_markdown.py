import pytest

from shared.planning.preview import first_in_markdown


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("", ""),
        ("# «se", ""),
        ("# «send» 12", ""),
        ("# «send» 12\n\nHel", "Hel"),
        ("# «send» Hello", ""),
        ("# «send» Hello\n\nth", "Hello\nth"),
        ("# «send»\n\nHello\n\n", "Hello"),
        ("# «send»\n\nHello\n\n#", "Hello"),
        ("# «send»\n\nHello\n\n# ", "Hello"),
        ("# «send»\n\nHello\n\n# «wa", "Hello"),
        ("# «send»\n\nHello\n\n# «wait»\n\n300", "Hello"),
        ("# «send»\n\nHello\n\n# To", "Hello\n\n# To"),
        ("# «send»\n\na\n``", "a"),
        ("# «send»\n\na\n```py\n", "a"),
        ("# «send»\n\na\n```py\n# «send»", "a\n```py\n# «send»"),
        ("# «send»\n\na\n\\# «send", "a"),
        ("# «send»\n\na\n\\# «send»\n", "a\n# «send»"),
        ("# «send»\n\nso </thi", "so </thi"),
        ("# «send»\n\nso\n</thi", "so"),
        ("# «think»\n\nsecret", ""),
        ("# «think»\n\nsecret\n\n# «send»\n\na", "a"),
        ("# «dance»\n\ncat\n\n# «send»\n\na", "a"),
        ("# «wait»\n\n300\n\n# «send»\n\na", ""),
        ("# «Send»\n\na\n\n# «send»\n\nb", "a"),
        ("Here it is:\n\n# «send»\n\na", "a"),
        ("<think>\n# «send»\n\nno", ""),
        ("<think>\n# «send»\n\nno</think>\n# «send»\n\na", "a"),
        ("```markdown\n# «send»\n\na\n`", "a"),
        ("```markdown\n# «send»\n\na\n```\nDone", "a"),
        ("```markdown\n# «send»\n\na\n```py\nx\n``````", "a"),
        ("```markdown\n# «send»\n\na\n```py\nx\n```\nb", "a\n```py\nx\n```\nb"),
        ("Hello, how are you?", ""),
    ],
)
def test_of_a_beginning_the_first_message_is_read(reply: str, text: str) -> None:
    assert first_in_markdown(reply) == text
