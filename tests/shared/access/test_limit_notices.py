"""Notices of limits: each owner gets one notice, in their language, from an agent that they own."""

from typing import Any

from shared.access.notices import LimitNotices
from shared.base.wording.words import words_in
from shared.values.account import CHAT, DEPLOYMENT, CrossedThreshold, LimitPeriod, agent_scope
from shared.values.chat_key import ChatKey
from tests.shared.examples import NOW


class Known:
    """Two agents of one person, one of another, and one of nobody."""

    async def owner(self, agent: str) -> int | None:
        return {"lull": 5, "moss": 5, "tutor": 6, CHAT: 6}.get(agent)

    async def language(self, agent: str, owner: int) -> str:
        return "de" if owner == 5 else ""


def limit_words() -> LimitNotices:
    known: Any = Known()
    return LimitNotices(owners=known, agents=["tutor", "moss", "lull", "librarian"])


def crossed(scope: str = DEPLOYMENT, percent: int = 80) -> CrossedThreshold:
    return CrossedThreshold(scope=scope, span=LimitPeriod.DAY, percent=percent)


async def test_notifies_each_owner_once_of_the_deployments_limit() -> None:
    told = await limit_words().about(crossed(), "2026-11-25", NOW)
    assert [one.chat for one in told] == [ChatKey(agent="lull", chat_id=5).id, ChatKey(agent="tutor", chat_id=6).id]
    assert told[0].text == words_in("de").say("limit.told_day", percent="80")
    assert all((one.is_apart, one.next_at) == (True, NOW) for one in told)


async def test_notifies_an_owner_of_each_share_and_day() -> None:
    asked = limit_words()
    told = [
        await asked.about(crossed("moss"), "2026-11-25", NOW),
        await asked.about(crossed("moss"), "2026-11-26", NOW),
        await asked.about(crossed("moss", 100), "2026-11-25", NOW),
        await asked.about(crossed("moss"), "2026-11-25", NOW),
    ]
    ids = [one.id for (one,) in told]
    assert len(set(ids)) == 3
    assert ids[0] == ids[3]
    assert await asked.about(crossed("librarian"), "2026-11-25", NOW) == []
    (told_of_chat,) = await asked.about(crossed(agent_scope(CHAT)), "2026-11-25", NOW)
    assert told_of_chat.agent == CHAT
