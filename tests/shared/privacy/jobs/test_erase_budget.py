"""Budget that chats were lent for a forgotten person is settled at once, without the person's name."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from shared.chat.store import paths
from shared.spending.leasing import BudgetGrant, BudgetRequest, LeaseTerms
from shared.spending.store.accounts import FirestoreAccounts
from shared.values.account import DEPLOYMENT, PERSON
from shared.values.budget import BudgetLease, BudgetRefusal, ChatBudget
from shared.values.chat_key import ChatKey
from shared.values.money import Amount, SpendingLimits
from tests.shared.examples import ANN, BOB
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import HERS, ROOM, DeletionHarness, talk

DAY = "2026-11-25"
LIMIT = SpendingLimits(day_usd=1.0, month_usd=5.0)


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


async def borrowed(harness: DeletionHarness, key: ChatKey, person: int, name: str) -> BudgetLease:
    """Store that a chat was lent budget for a person, and has used a part of it."""
    until, some = harness.now() + timedelta(minutes=30), Amount(nano_usd=10**8, messages=20)
    days = {DEPLOYMENT: DAY, "lull": DAY, PERSON: DAY}
    wanted = BudgetRequest(
        id=name, agent="lull", minimum=some, maximum=some, now=harness.now(), until=until,
        terms=LeaseTerms(limits={DEPLOYMENT: LIMIT, PERSON: LIMIT}, days=days),
        person=person, chat=key.id, generation=1,
    )  # fmt: skip
    assert isinstance(await FirestoreAccounts(harness.chats.client).lend(wanted), BudgetGrant)
    used, reserved = Amount(nano_usd=10**7, messages=1), Amount(nano_usd=10**6)
    return BudgetLease(id=name, person=person, day=DAY, until=until, lent=some, used=used, reserved=reserved)


async def lends(harness: DeletionHarness, key: ChatKey, *open_: BudgetLease, **more: object) -> None:
    budget = ChatBudget.model_validate({"open": open_, "month": DAY[:7], **more})
    await harness.chats.client.document(paths.chat_path(key)).update({"purse": budget.model_dump()})


async def test_what_was_lent_is_settled_and_told_of_without_them(harness: DeletionHarness) -> None:
    await talk(harness)
    hers = await borrowed(harness, HERS, ANN.id, "hers")
    in_room = await borrowed(harness, ROOM, ANN.id, "in-room")
    his = await borrowed(harness, ROOM, BOB.id, "his")
    free = BudgetLease(id="free", person=ANN.id, day=DAY, until=harness.now(), used=Amount(messages=3))
    told = {str(ANN.id): DAY, str(BOB.id): DAY}
    await lends(harness, HERS, hers, free, told=told)
    refused = BudgetRefusal(person=ANN.id, label=DAY, again_at=harness.now())
    await lends(harness, ROOM, in_room, his, told=told, refused=refused)
    await harness.forgets()

    private = (await harness.chats.see(HERS)).chat.budget
    assert (private.open, private.closed, dict(private.told)) == ((), (), {})
    room = (await harness.chats.see(ROOM)).chat.budget
    assert ([one.id for one in room.open], room.closed) == (["his"], ())
    assert (dict(room.told), room.refused) == ({str(BOB.id): DAY}, None)
    budget = await harness.document(paths.budget_path(0))
    assert list(budget["lent"]) == ["his"]
    # what the dead tick had reserved is charged
    assert budget["sums"][DEPLOYMENT]["spent_day"]["nano_usd"] == 2 * (10**7 + 10**6)
    usage = {name: await harness.document(paths.usage_path(name)) for name in ("hers", "in-room", "free", "his")}
    assert {name: one.get("used", {}).get("messages") for name, one in usage.items()} == {
        "hers": 1, "in-room": 1, "free": 3, "his": None,
    }  # fmt: skip
    assert [one for one in usage.values() if one.get("person") or one.get("chat")] == []
    # the accounts contain neither the person's id nor the id of the person's chat
    account = await harness.document(paths.account_path("lull", ANN.id))
    assert account["lent"] == {}


async def test_what_is_settled_twice_is_settled_once(harness: DeletionHarness) -> None:
    await talk(harness)
    hers = await borrowed(harness, HERS, ANN.id, "hers")
    await lends(harness, HERS, hers)
    name = await harness.asked()
    await harness.runs(name)
    await lends(harness, HERS, hers)  # as if the deletion's last write had failed
    harness.minutes += 21
    await harness.runs(name)
    budget = await harness.document(paths.budget_path(0))
    assert budget["sums"][DEPLOYMENT]["spent_day"]["nano_usd"] == 10**7 + 10**6
