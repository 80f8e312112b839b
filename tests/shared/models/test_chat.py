"""Chats: their names in the store, and who holds them."""

from hypothesis import given
from hypothesis import strategies as st

from shared.models.chat import Chat, ChatKey, Lease
from tests.shared.values import KEY, NOW, SECOND

IDS = st.integers(-(2**52), 2**52)


@given(st.tuples(IDS, IDS), st.tuples(IDS, IDS))
def test_different_chats_have_different_ids(one: tuple[int, int], other: tuple[int, int]) -> None:
    first, second = (ChatKey(agent="lull", chat_id=c, topic_id=t) for c, t in (one, other))
    assert (first.id == second.id) == (one == other)


def test_an_id_can_be_read_is_spread_and_fits_a_path() -> None:
    ids = [ChatKey(agent="lull", chat_id=n).id for n in range(50)]
    assert all(name.endswith(f".lull.{n}.0") for n, name in enumerate(ids))
    assert len({name[:2] for name in ids}) > 30
    assert not any("/" in name or name.startswith("__") for name in ids)


def test_two_agents_do_not_share_a_chat() -> None:
    assert ChatKey(agent="lull", chat_id=5).id != ChatKey(agent="moss", chat_id=5).id


def test_a_chat_is_held_until_its_lease_ends() -> None:
    held = Chat(key=KEY, lease=Lease(owner="a", until=NOW + SECOND))
    assert held.is_held(NOW)
    assert not held.is_held(NOW + SECOND)
    assert not Chat(key=KEY).is_held(NOW)
