"""A new access request replaces the request before, and expires."""

from datetime import timedelta

from shared.access.store.requests import KEPT, StoredAccessRequest, decode_request
from shared.chat.store.writes import CommitContext, WriteMode
from shared.values.chat import Chat
from tests.shared.examples import KEY, NOW
from tests.shared.values.test_access_request import request


def test_it_is_set_with_its_expiry_and_read_again() -> None:
    one = request(words="hello")
    (write,) = StoredAccessRequest(one).writes(CommitContext(chat=Chat(key=KEY), at=NOW))
    assert (write.path, write.mode) == (f"requests/{one.id}", WriteMode.SET)
    assert write.document["expires_at"] == NOW + KEPT == NOW + timedelta(days=90)
    assert decode_request(write.document) == one
    line = StoredAccessRequest(one).log_line()
    assert "hello" not in f"{line.text} {line.fields}"
