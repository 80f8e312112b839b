"""Checks web addresses as Telegram does for links and buttons (TDLib, LinkManager::check_link)."""

from urllib.parse import urlsplit

from local.telegram.errors import bad_request

# Addresses with Telegram's own schemes have no host that could be checked.
_OWN = frozenset({"tg", "ton", "tonsite"})
_WEB = frozenset({"http", "https"})


def full_address(written: str) -> str | None:
    """Return the address with its scheme, or None if Telegram does not accept the address."""
    if fault_in(written) is not None:
        return None
    return written if "://" in written or written.startswith("tg:") else f"http://{written}"


def check_address(what: str, written: str) -> None:
    """Raise Telegram's 400 error if Telegram does not accept the address. `what` is the field that is named in the
    error.
    """
    fault = fault_in(written)
    if fault is not None:
        raise bad_request(f"{what} '{written}' is invalid: {fault}")


def fault_in(written: str) -> str | None:
    """Return why Telegram does not accept an address, or None if it does."""
    if not written:
        return "URL host is empty"
    scheme = written.partition("://")[0].lower() if "://" in written else ""
    if scheme in _OWN or written.startswith("tg:"):
        return None
    if scheme and scheme not in _WEB:
        return "Unsupported URL protocol"
    try:
        host = urlsplit(written if scheme else f"http://{written}").hostname or ""
    except ValueError:
        return "Wrong HTTP URL"
    return None if "." in host.strip(".") and " " not in host else "Wrong HTTP URL"
