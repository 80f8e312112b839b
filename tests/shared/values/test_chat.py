"""Chats: the names of their documents, and the ticks that hold them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.values.chat import Chat, ChatAccess, ChatClaim, Lease
from shared.values.chat_key import ChatKey
from tests.shared.examples import KEY, NOW, PROPERTY, SECOND

IDS = st.integers(-(2**52), 2**52)


@given(st.tuples(IDS, IDS), st.tuples(IDS, IDS))
def test_different_chats_have_different_ids(one: tuple[int, int], other: tuple[int, int]) -> None:
    first, second = (ChatKey(agent="lull", chat_id=c, topic_id=t) for c, t in (one, other))
    assert (first.id == second.id) == (one == other)


AGENTS = st.text(st.characters(codec="utf-8", exclude_characters="/"), min_size=1, max_size=12)


@PROPERTY
@given(st.builds(ChatKey, agent=AGENTS | st.just("my.agent.1.2"), chat_id=IDS, topic_id=st.integers(0, 2**52)))
def test_a_key_is_found_again_from_its_id(key: ChatKey) -> None:
    assert ChatKey.from_id(key.id) == key


@PROPERTY
@given(st.text(max_size=40) | st.from_regex(r"[0-9a-f]{8}\.[a-z.]{1,8}\.-?[0-9]{1,6}\.[0-9]{1,3}", fullmatch=True))
def test_what_is_no_id_is_refused_or_is_one(text: str) -> None:
    try:
        key = ChatKey.from_id(text)
    except ValueError:
        return
    assert key.id == text


@pytest.mark.parametrize("change", ["{}0", "x{}", " {}", "{}.0"])
def test_an_id_that_was_changed_is_refused(change: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        ChatKey.from_id(change.format(KEY.id))


def test_an_id_can_be_read_is_spread_and_fits_a_path() -> None:
    ids = [ChatKey(agent="lull", chat_id=n).id for n in range(50)]
    assert all(name.endswith(f".lull.{n}.0") for n, name in enumerate(ids))
    assert len({name[:2] for name in ids}) > 30
    assert not any("/" in name or name.startswith("__") for name in ids)


def test_two_agents_do_not_share_a_chat() -> None:
    assert ChatKey(agent="lull", chat_id=5).id != ChatKey(agent="moss", chat_id=5).id


def test_a_chat_is_held_until_its_lease_ends() -> None:
    held = Chat(key=KEY, claim=ChatClaim(lease=Lease(owner="a", until=NOW + SECOND)))
    assert held.is_held(NOW)
    assert not held.is_held(NOW + SECOND)
    assert not Chat(key=KEY).is_held(NOW)


def test_a_chat_is_muted_until_a_moment() -> None:
    muted = Chat(key=KEY, access=ChatAccess(muted_until=NOW + SECOND))
    assert muted.is_muted(NOW)
    assert not muted.is_muted(NOW + SECOND)
    assert not Chat(key=KEY).is_muted(NOW)
