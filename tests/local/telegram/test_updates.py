from pathlib import Path

from local.telegram.counters import Counters
from local.telegram.people import Bot
from local.telegram.store import WorldStore
from local.telegram.updates import LaneKind, LocalUpdate, News, UpdateQueues, wants

MARVIN = Bot(id=7, token="7:x", first_name="Marvin", username="marvin_bot")


def news(kind: str = "message", text: str = "hi") -> News:
    return News(kind=kind, content={"text": text}, lane=1, expires_at=100.0, chat="p1-7", message_id=3)


def queues(store: WorldStore | None = None) -> UpdateQueues:
    store = store or WorldStore(None)
    return UpdateQueues(store, Counters(store))


def test_update_ids_are_consecutive_and_do_not_start_at_one() -> None:
    waiting = queues()
    ids = [update.update_id for _ in range(3) if (update := waiting.push(MARVIN, news())) is not None]
    assert ids[0] > 1_000_000
    assert ids == [ids[0], ids[0] + 1, ids[0] + 2]
    assert waiting.count(7) == 3
    assert waiting.pending(7)[0].raw == {"update_id": ids[0], "message": {"text": "hi"}}


def test_a_bot_is_told_what_it_asked_for() -> None:
    asked = Bot(id=7, token="7:x", first_name="M", username="m_bot", allowed_updates=("message_reaction",))
    assert wants(MARVIN, "message")
    assert wants(MARVIN, "my_chat_member")
    assert not wants(MARVIN, "message_reaction")
    assert not wants(MARVIN, "chat_member")
    assert wants(asked, "message_reaction")
    assert not wants(asked, "message")
    assert queues().push(MARVIN, news("chat_member")) is None


def test_an_update_that_is_too_long_is_dropped() -> None:
    waiting = queues()
    assert waiting.push(MARVIN, news(text="x" * 65_537)) is None
    assert waiting.count(7) == 0


def test_a_raw_update_keeps_its_id_and_later_ones_are_higher() -> None:
    waiting = queues()
    repeated = [waiting.inject(MARVIN, {"update_id": 900_000_000, "poll": {}}, news("poll")) for _ in range(2)]
    assert [update.update_id for update in repeated] == [900_000_000, 900_000_000]
    assert waiting.inject(MARVIN, {"poll": {}}, news("poll")).update_id == 900_000_001
    assert waiting.count(7) == 3


def test_listeners_hear_of_every_update() -> None:
    waiting, heard = queues(), list[LocalUpdate]()
    waiting.listen(heard.append)
    with waiting.awaiting(7) as arrival:
        assert waiting.is_awaited(7)
        waiting.push(MARVIN, news())
    assert heard == waiting.pending(7)
    assert arrival.is_set()
    assert not waiting.is_awaited(7)


def test_lanes_are_apart_for_kinds_and_chats() -> None:
    lanes = {kind.of(id_) for kind in LaneKind for id_ in (5, -4_000_000_001, -1_002_000_000_001)}
    assert len(lanes) == 3 * len(LaneKind)
    assert LaneKind.MESSAGES.of(5) == 5


def test_what_was_not_confirmed_outlives_the_process(tmp_path: Path) -> None:
    store = WorldStore(tmp_path)
    waiting = queues(store)
    for text in ("a", "b", "c"):
        waiting.push(MARVIN, news(text=text))
    waiting.drop(waiting.pending(7)[0])
    store.close()
    again = WorldStore(tmp_path)
    kept = queues(again)
    assert [update.raw["message"]["text"] for update in kept.pending(7)] == ["b", "c"]
    later = kept.push(MARVIN, news())
    assert later is not None
    assert later.update_id == kept.pending(7)[1].update_id + 1
    kept.clear(7)
    assert kept.count(7) == 0
    again.close()
