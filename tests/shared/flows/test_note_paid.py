"""Noting is paid for by whoever wrote: what somebody past their limit wrote waits."""

from dataclasses import replace
from datetime import datetime
from typing import Final

import pytest

from shared.adapters.firestore import paths
from shared.adapters.firestore.account_documents import decode_account
from shared.adapters.firestore.accounts import FirestoreAccounts
from shared.adapters.firestore.bots import FirestoreOwners
from shared.adapters.firestore.inbox import FirestoreInbox
from shared.adapters.firestore.rosters import FirestoreRosters
from shared.adapters.firestore.usage import FirestoreUsages
from shared.adapters.gemini.model import GeminiModel
from shared.models.account import DEPLOYMENT, PERSON, Account
from shared.models.chat_key import ChatKey
from shared.models.money import UNLIMITED, AgentLimits, Limits
from shared.planning.model_calls import MeteredModels
from shared.ports.spending import Granted, Settlement
from shared.spending.jobs import JobWallet
from shared.spending.terms import SpendingTerms
from tests.shared.flows.desk import Desk
from tests.shared.paused_queue import PausedQueue
from tests.shared.spending.values import another_day, cents, wanted
from tests.shared.values import said
from tests.stories.play import Model

PRICED: Final = "gemini-3.8-flash"
OWN: Final = Limits(day_usd=0.05)


@pytest.fixture
def desk(inbox: FirestoreInbox, script: Model, gemini: GeminiModel, paused_queue: PausedQueue, key: ChatKey) -> Desk:
    return Desk(inbox.client, script, paused_queue, gemini, replace(key, agent=f"paid{key.chat_id}"))


def wallet(desk: Desk, day: str) -> JobWallet:
    agent = desk.key.agent
    terms = SpendingTerms(
        is_on=True,
        deployment=Limits(day_usd=1_000.0),
        agents={agent: AgentLimits(stranger=OWN)},
        owners=0.2,
        background=0.3,
    )
    client, now = desk.client, datetime.fromisoformat(f"{day}T12:00:00+00:00")
    return JobWallet(
        accounts=FirestoreAccounts(client),
        usages=FirestoreUsages(client),
        terms=terms,
        clock=lambda: now,
        rosters=FirestoreRosters(client, lambda: now),
    )


async def account(desk: Desk, person: int) -> Account:
    found = await desk.client.document(paths.account_path(desk.key.agent, person)).get()
    return decode_account(found.to_dict())


async def has_used_all(desk: Desk, day: str) -> None:
    """Let the person of the desk's chat have spent the money of a day."""
    accounts, agent, person = FirestoreAccounts(desk.client), desk.key.agent, desk.key.chat_id
    limits = {DEPLOYMENT: UNLIMITED, PERSON: OWN}
    days = {DEPLOYMENT: day, PERSON: day}
    asked = wanted(agent, agent=agent, person=person, least=cents(5), most=cents(5), limits=limits, days=days)
    assert isinstance(await accounts.lend(asked), Granted)
    await accounts.settle([Settlement(id=agent, used=cents(5), agent=agent, person=person)])


async def test_of_36_texts_of_somebody_past_their_limit_nothing_is_noted_until_it_goes_on(desk: Desk) -> None:
    day = another_day()
    await FirestoreOwners(desk.client).claim(desk.key.agent, 1, desk.now)
    await has_used_all(desk, day)
    before = await account(desk, desk.key.chat_id)
    paying = MeteredModels({PRICED: desk.model}, wallet(desk, day))
    texts = [said("word " * 800, message_id=n, seq=n, turn=n) for n in range(1, 37)]
    conversation = await desk.has(*texts)
    await desk.will_note()
    await desk.works_on(conversation, models=paying, model=PRICED)
    notes = await desk.notes(conversation)
    assert (notes.noted_seq, notes.failures, notes.abbreviation) == (0, 0, "")
    assert notes.due_at is not None
    assert await account(desk, desk.key.chat_id) == before
    tomorrow = another_day()
    paying = MeteredModels({PRICED: desk.model}, wallet(desk, tomorrow))
    desk.now = notes.due_at
    await desk.works_on(conversation, models=paying, model=PRICED)
    assert (await desk.notes(conversation)).noted_seq > 0
    assert (await account(desk, desk.key.chat_id)).sums[PERSON].day == tomorrow  # and they pay for it


async def test_the_owners_are_noted_without_a_limit_of_their_own(desk: Desk) -> None:
    await FirestoreOwners(desk.client).claim(desk.key.agent, desk.key.chat_id, desk.now)
    paying = MeteredModels({PRICED: desk.model}, wallet(desk, another_day()))
    conversation = await desk.has(said("the roof is to be mended", message_id=1, seq=1, turn=1))
    await desk.will_note()
    await desk.works_on(conversation, models=paying, model=PRICED)
    assert (await desk.notes(conversation)).abbreviation == "They talked."
    assert (await account(desk, desk.key.chat_id)).sums == {}
