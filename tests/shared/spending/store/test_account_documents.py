"""Account documents: they are written only if they are unchanged since they were read. A person's account expires."""

from datetime import timedelta

import pytest

from shared.base.errors import StoreUnavailable
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.writes import replace_seen
from shared.spending.store.accounts import (
    KEPT_ACCOUNTS,
    decode_account,
    encode_account,
    read_accounts,
    write_accounts,
)
from shared.values.account import PERSON, Account, SpendingSums
from shared.values.chat_key import ChatKey
from tests.shared.examples import NOW

SPENT = Account(sums={PERSON: SpendingSums(day="2026-11-25")})


async def test_what_has_changed_since_is_not_written_nor_is_what_goes_with_it(
    chats: FirestoreChats, key: ChatKey
) -> None:
    path, other = paths.account_path("lull", key.chat_id), paths.event_path(f"beside-{key.chat_id}")
    first = await read_accounts(chats.client, [path])
    assert first == {path: (Account(), None)}
    assert await write_accounts(chats.client, {path: SPENT}, first, NOW)
    more = [replace_seen(other, {"text": "beside"}, None)]
    assert not await write_accounts(chats.client, {path: Account()}, first, NOW, more)
    assert not (await chats.client.document(other).get()).exists
    second = await read_accounts(chats.client, [path])
    assert second[path][0] == SPENT
    assert await write_accounts(chats.client, {path: Account()}, second, NOW, more)
    assert (await chats.client.document(other).get()).exists


def test_a_persons_account_goes_some_time_after_it_was_used() -> None:
    assert encode_account(paths.account_path("lull", 5), SPENT, NOW)["expires_at"] == NOW + KEPT_ACCOUNTS
    assert timedelta(days=31) < KEPT_ACCOUNTS
    assert "expires_at" not in encode_account(paths.budget_path(0), SPENT, NOW)


def test_an_unreadable_account_lends_nothing() -> None:
    with pytest.raises(StoreUnavailable):
        decode_account({"lent": {"a": {"amount": "?"}}})
