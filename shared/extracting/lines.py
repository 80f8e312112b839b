"""Lines that say nothing of a page's subject: its title once more, invitations, names of buttons."""

import re
from collections.abc import Iterator

from shared.extracting.rendering import without_addresses

MARKS = re.compile(r"^[-*>#|\d.\s]+|[*_`\[\]]")
BLANK_LINES = re.compile(r"\n\n\n+")
WORDS = re.compile(r"\w+")
#: a longer line is a sentence of the page's own
MAX_WORDS, MAX_CHARACTERS = 25, 1000
#: how far down a page its title may be repeated
TITLE_WITHIN = 4
FILLER = re.compile(
    r"(?:advertisement|sponsored|share|share this.*|related|related (?:articles?|stories|posts|content|topics|reading)"
    r"|read (?:more|next|also)\b.*|see also|more|don['’]?t miss|(?:you )?(?:may|might) also (?:like|enjoy).*"
    r"|most (?:read|popular)|recommended.{0,25}|trending.{0,20}|tags?:?.{0,80}|categor(?:y|ies):.*|filed under:?.*"
    r"|posted in:?.*|comments?|leave a (?:reply|comment).*|follow (?:us|me|him|her|@).*"
    r"|sign up (?:for|to|now|today)\b.*|subscribe (?:to|now|today|for)\b.*|subscribe|click here (?:to|for)\b.*"
    r"|get (?:the|our) .*(?:newsletter|app|inbox).*|print(?: this)?(?: page| article)?|email(?: this)?|facebook|twitter"
    r"|pinterest|linkedin|whatsapp|tweet|save|close|caption|image \d+ of \d+|\d+ ?/ ?\d+|back to (?:top|gallery)"
    r"|order reprints|updated|by|text size|loading|previous|next|menu|home|skip to .*|all rights reserved"
    r"|add to (?:cart|basket|bag|wish ?list))\W*",
    re.IGNORECASE,
)


def without_fillers(text: str, title: str) -> str:
    """The text without them; code is left as it is."""
    return BLANK_LINES.sub("\n\n", "\n".join(_kept(text.splitlines(), _words(title)))).strip()


def _kept(lines: list[str], title: str) -> Iterator[str]:
    is_code, seen = False, 0
    for line in lines:
        is_code ^= line.startswith("```")
        said = MARKS.sub("", without_addresses(line)).strip() if len(line) < MAX_CHARACTERS else line
        seen += bool(said)
        if is_code or not said or not (_is_filler(said) or (seen <= TITLE_WITHIN and _is_title(said, title))):
            yield line


def _is_filler(said: str) -> bool:
    return len(said.split()) <= MAX_WORDS and FILLER.fullmatch(said) is not None


def _is_title(said: str, title: str) -> bool:
    """Whether a line is the title, which may have the site's name behind it."""
    words = _words(said)
    return (
        len(said.split()) > 2
        and (words in title or (bool(title) and words.startswith(title)))
        and (len(words) < 1.5 * len(title))
    )


def _words(text: str) -> str:
    return " ".join(WORDS.findall(text.lower()))
