"""The list of ways in which data of a person is stored."""

from pathlib import Path

from benchmarks.forgetting.playing import WAYS, paused_queue, play
from benchmarks.forgetting.way import STAYS, ZED, Update, Way, bob, message, room, zed
from local.cloud import LocalCloud
from shared.chat.store.chats import FirestoreChats
from tests.shared.privacy.jobs.leaving import ROOM, DeletionHarness


def test_each_way_has_a_name_of_its_own_and_something_to_look_for() -> None:
    assert len(WAYS) >= 100
    assert len({way.name for way in WAYS}) == len(WAYS)
    assert all(way.steps and (way.gone or way.stays or way.comes) for way in WAYS)


async def test_a_way_tells_what_is_left_what_is_lost_and_what_was_never_there(
    cloud: LocalCloud, chats: FirestoreChats, tmp_path: Path
) -> None:
    steps = (room(zed(), bob("a samovar")), Update(ROOM, {"message": message(ZED, "tea")}))
    way = Way("odd", steps, gone=("marmalade", "samovar"), stays=(STAYS, "heron"), comes=("walrus",))
    async with paused_queue(cloud) as queue:
        found = await play(way, DeletionHarness(chats, queue, tmp_path))
    assert {one.partition(":")[0] for one in found.left} == {"samovar"}
    assert {one.partition(":")[0] for one in found.lost} == {"heron", "walrus"}
    assert found.unplanted == []
