"""Identity tokens: none is sent where others could read it."""

import pytest

from shared.base.errors import IdentityUnavailable
from shared.cloud.identity import IdentityTokens


async def test_without_https_there_is_no_token() -> None:
    assert await IdentityTokens("http://127.0.0.1:1").headers() == {}
    assert await IdentityTokens("").headers() == {}


async def test_without_a_metadata_server_there_is_no_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GCE_METADATA_HOST", "127.0.0.1:1")
    monkeypatch.setenv("GCE_METADATA_TIMEOUT", "1")
    with pytest.raises(IdentityUnavailable, match="no identity token: "):
        await IdentityTokens("https://127.0.0.1:1").headers()
