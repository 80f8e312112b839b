"""Addresses that Telegram takes in a text_link: one that it doesn't has the whole message refused."""

import re

#: as tdlib checks them (LinkManager::check_link, parse_url): a host with a dot, and a port up to 65535
_WEB = re.compile(
    r"https?://(?:[^\s/?#@\"<>\\^`{|}]*@)?"
    r"(?=[^/?#:]*\w)[\w!$,~*'();&+=-]*\.[\w.!$,~*'();&+=-]*"
    r"(?::(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}))?(?:[/?#]\S*)?",
    re.IGNORECASE,
)
_TELEGRAM = re.compile(r"tg://[a-z0-9_-]+(?:[/?#]\S*)?", re.IGNORECASE)


def is_linkable(address: str) -> bool:
    """Whether a text may link to it."""
    return bool(_WEB.fullmatch(address) or _TELEGRAM.fullmatch(address))


def shown_address(address: str, text: str) -> str:
    """What is added to a link's text when Telegram can't link to its address."""
    shown = address.removeprefix("mailto:").removeprefix("tel:")
    if not text.strip():
        return shown
    return "" if not shown or shown in text or shown.startswith("#") else f" ({shown})"
