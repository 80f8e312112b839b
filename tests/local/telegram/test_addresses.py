import pytest

from local.telegram.addresses import check_address, fault_in, full_address
from local.telegram.errors import BotApiError


@pytest.mark.parametrize(
    "written", ["http://x.example", "https://x.example/a?b#c", "x.example", "tg://user?id=1", "tg:resolve", "ton://x"]
)
def test_addresses_that_telegram_takes(written: str) -> None:
    assert fault_in(written) is None


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("", "URL host is empty"),
        ("not-a-url", "Wrong HTTP URL"),
        ("http://localhost:5678/x", "Wrong HTTP URL"),
        ("http://[x", "Wrong HTTP URL"),
        ("ftp://x.example", "Unsupported URL protocol"),
    ],
)
def test_addresses_that_it_does_not(written: str, fault: str) -> None:
    with pytest.raises(BotApiError, match=f"^Bad Request: entity URL .* is invalid: {fault}$"):
        check_address("entity URL", written)


def test_a_bare_address_gets_a_scheme() -> None:
    assert full_address("x.example") == "http://x.example"
    assert full_address("tg://user?id=1") == "tg://user?id=1"
    assert full_address("nowhere") is None
