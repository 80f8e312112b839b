"""Tests of which chats a person may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from shared.base.errors import ChatUnreachable
from shared.recall.store.memberships import FRESH, Membership
from shared.recall.visible_chats import VisibleChatsFinder
from shared.values.chat_key import ChatKey
from shared.values.place import Asker, VisibleChats, place_of
from tests.shared.examples import NOW

ANN, OWNER = 5, 9


@dataclass
class World:
    """A fake world: groups as Telegram reports them, and the time."""

    members: Mapping[int, bool | None]
    now: datetime = NOW
    asked: list[int] = field(default_factory=list)
    checked: dict[int, Membership] = field(default_factory=dict)

    async def of_person(self, agent: str, person: int, limit: int) -> Sequence[Membership]:
        known = [
            Membership(chat_id=g, places=(f"{agent}.{g}",), agent=agent, person=person, seen_at=NOW)
            for g in self.members
        ]
        return [self.checked.get(one.chat_id, one) for one in known][:limit]

    async def keep_checked(self, checked: Membership) -> None:
        self.checked[checked.chat_id] = checked

    async def is_member(self, chat_id: int, person_id: int) -> bool:
        self.asked.append(chat_id)
        is_there = self.members[chat_id]
        if is_there is None:
            raise ChatUnreachable("nobody answers")
        return is_there

    async def owner(self, agent: str) -> int | None:
        return OWNER

    def visible_chats(self) -> VisibleChatsFinder:
        return VisibleChatsFinder(memberships=self, channel=self, owners=self, clock=lambda: self.now)  # type: ignore[arg-type]


def asker(chat_id: int, *, is_explicit: bool = True) -> Asker:
    key = ChatKey(agent="lull", chat_id=chat_id)
    return Asker(chat=key, places=(place_of(key),), is_explicit=is_explicit)


async def test_in_private_current_groups_are_visible() -> None:
    world = World({-1: True, -2: False, -3: None})
    visible = await world.visible_chats().of(asker(ANN))
    assert visible == VisibleChats(agent="lull", places=("lull.5", "lull.-1"))


async def test_direct_messages_to_a_channel_are_visible_without_membership() -> None:
    topic = place_of(ChatKey(agent="lull", chat_id=-2, topic_id=-ANN))
    direct = Membership(agent="lull", chat_id=-2, person=ANN, places=(topic,), seen_at=NOW)
    world = World({-1: False, -2: False}, checked={-2: direct})
    visible = await world.visible_chats().of(asker(ANN))
    assert (visible.places, world.asked) == (("lull.5", topic), [-1])


async def test_a_group_sees_only_itself_without_asking_telegram() -> None:
    world = World({-1: True, -2: True})
    visible = await world.visible_chats().of(asker(-1))
    assert visible.places == ("lull.-1",)
    assert world.asked == []


async def test_caches_memberships_for_minutes_and_leaving_ends_visibility() -> None:
    members: dict[int, bool | None] = {-1: True}
    world = World(members)
    assert (await world.visible_chats().of(asker(ANN))).places == ("lull.5", "lull.-1")
    members[-1] = False
    assert len((await world.visible_chats().of(asker(ANN))).places) == 2
    world.now += FRESH + timedelta(seconds=1)
    assert (await world.visible_chats().of(asker(ANN))).places == ("lull.5",)
    assert world.asked == [-1, -1]


async def test_an_export_asks_telegram_each_time() -> None:
    world = World({-1: True})
    for _ in range(2):
        await replace(world.visible_chats(), oldest=timedelta()).of(asker(ANN))
    assert world.asked == [-1, -1]


async def test_the_owner_sees_everything_only_when_asking_in_private() -> None:
    world = World({})
    assert (await world.visible_chats().of(asker(OWNER))).is_everything
    assert not (await world.visible_chats().of(asker(OWNER, is_explicit=False))).is_everything
    assert not (await world.visible_chats().of(asker(ANN))).is_everything
    assert not (await world.visible_chats().of(asker(-1))).is_everything


async def test_limits_many_groups_to_the_newest_and_says_so() -> None:
    visible = await World({-n: True for n in range(1, 40)}).visible_chats().of(asker(ANN))
    assert (len(visible.places), visible.is_cut) == (20, True)
