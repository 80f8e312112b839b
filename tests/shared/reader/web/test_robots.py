"""Pages that a site lets programs read."""

import pytest

from shared.reader.web.fetcher import may_read

ROBOTS = """User-agent: *
Disallow: /private/
Allow: /private/public

User-agent: lull
Disallow: /quiet
"""


@pytest.mark.parametrize(
    ("path", "agent", "may"),
    [
        ("/", "other", True),
        ("/private/x", "other", False),
        ("/private/public", "other", True),
        ("/quiet", "lull/0.1 (for somebody)", False),
        ("/private/x", "lull/0.1 (for somebody)", True),
    ],
)
def test_a_site_is_obeyed(path: str, agent: str, may: bool) -> None:
    assert may_read(ROBOTS, f"https://a.example{path}", agent) is may


def test_what_is_no_robots_file_lets_everybody_read() -> None:
    for text in ("", "<html>nothing here</html>", "\x00\xff", "User-agent\nDisallow"):
        assert may_read(text, "https://a.example/b", "lull")
