"""Tests that the authors pay for notes, and that messages of people who are past their limit wait."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

import pytest

from shared.chat.store import paths
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from shared.chat.store.inbox import FirestoreInbox
from shared.llm.gemini.model import GeminiModel
from shared.llm.metering import MeteredEmbedder, MeteredModels
from shared.llm.ports.embedding import EmbeddingTask
from shared.spending.job_budget import JobBudgetService
from shared.spending.leasing import BudgetGrant
from shared.spending.policy import SpendingPolicy
from shared.spending.store.accounts import FirestoreAccounts, decode_account
from shared.spending.store.usage import FirestoreUsages, UsageQuery
from shared.values.account import DEPLOYMENT, PERSON, Account, Settlement
from shared.values.chat_key import ChatKey
from shared.values.message import Author
from shared.values.money import UNLIMITED, ZERO, AgentLimits, Amount, SpendingLimits
from shared.values.usage import ModelUse, Purpose
from tests.shared.examples import ME, said
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.job_harness import JobHarness
from tests.shared.spending.values import another_day, cents, wanted
from tests.stories.play import Model

PRICED: Final = "gemini-3.8-flash"
OWN: Final = SpendingLimits(day_usd=0.05)
VECTORS: Final = "gemini-embedding-001"
ASKED: Final = "Write the notes now."
NOTED: Final = '{"abbreviation": "They talked.", "observations": []}'


class Vector:
    """An embedding model that returns the same vector for all texts."""

    model = VECTORS

    async def embed(self, texts: Sequence[str], embedding_task: EmbeddingTask) -> Sequence[tuple[float, ...]]:
        return [(1.0,) for _ in texts]


@pytest.fixture
def job_harness(
    inbox: FirestoreInbox, script: Model, gemini: GeminiModel, paused_queue: PausedQueue, key: ChatKey
) -> JobHarness:
    return JobHarness(inbox.client, script, paused_queue, gemini, replace(key, agent=f"paid{key.chat_id}"))


def budget_service(job_harness: JobHarness, day: str, day_usd: float = 1_000.0) -> JobBudgetService:
    agent = job_harness.key.agent
    terms = SpendingPolicy(
        is_on=True,
        deployment=SpendingLimits(day_usd=day_usd),
        agents={agent: AgentLimits(stranger=OWN)},
        owners=0.2,
        background=0.3,
    )
    client, now = job_harness.client, datetime.fromisoformat(f"{day}T12:00:00+00:00")
    return JobBudgetService(
        accounts=FirestoreAccounts(client),
        usages=FirestoreUsages(client),
        terms=terms,
        clock=lambda: now,
        access_lists=FirestoreAccessLists(client, lambda: now),
    )


async def account(job_harness: JobHarness, person: int) -> Account:
    found = await job_harness.client.document(paths.account_path(job_harness.key.agent, person)).get()
    return decode_account(found.to_dict())


async def has_used_all(job_harness: JobHarness, day: str, person: int = 0) -> None:
    """Let a person have used the daily budget. With 0, it is the person of the private chat."""
    accounts, agent, person = (
        FirestoreAccounts(job_harness.client),
        job_harness.key.agent,
        person or job_harness.key.chat_id,
    )
    limits = {DEPLOYMENT: UNLIMITED, PERSON: OWN}
    days = {DEPLOYMENT: day, PERSON: day}
    asked = wanted(agent, agent=agent, person=person, minimum=cents(5), maximum=cents(5), limits=limits, days=days)
    assert isinstance(await accounts.lend(asked), BudgetGrant)
    await accounts.settle([Settlement(id=agent, used=cents(5), agent=agent, person=person)])


async def test_notes_nothing_of_a_person_past_their_limit_until_it_ends(job_harness: JobHarness) -> None:
    day = another_day()
    await FirestoreOwners(job_harness.client).claim(job_harness.key.agent, 1, job_harness.now)
    await has_used_all(job_harness, day)
    before = await account(job_harness, job_harness.key.chat_id)
    paying = MeteredModels({PRICED: job_harness.model}, budget_service(job_harness, day))
    texts = [said("word " * 800, message_id=n, seq=n, turn=n) for n in range(1, 37)]
    conversation = await job_harness.has(*texts)
    await job_harness.will_note()
    await job_harness.works_on(conversation, models=paying, model=PRICED)
    notes = await job_harness.notes(conversation)
    assert (notes.noted_seq, notes.failures, notes.abbreviation) == (0, 0, "")
    assert notes.due_at is not None
    assert (await account(job_harness, job_harness.key.chat_id)).sums[PERSON] == before.sums[PERSON]
    tomorrow = another_day()
    paying = MeteredModels({PRICED: job_harness.model}, budget_service(job_harness, tomorrow))
    job_harness.now = notes.due_at
    await job_harness.works_on(conversation, models=paying, model=PRICED)
    assert (await job_harness.notes(conversation)).noted_seq > 0
    assert (await account(job_harness, job_harness.key.chat_id)).sums[PERSON].day == tomorrow  # and they pay for it


async def test_the_owner_has_no_personal_limit(job_harness: JobHarness) -> None:
    await FirestoreOwners(job_harness.client).claim(job_harness.key.agent, job_harness.key.chat_id, job_harness.now)
    paying = MeteredModels({PRICED: job_harness.model}, budget_service(job_harness, another_day()))
    conversation = await job_harness.has(said("the roof is to be mended", message_id=1, seq=1, turn=1))
    await job_harness.will_note()
    await job_harness.works_on(conversation, models=paying, model=PRICED)
    assert (await job_harness.notes(conversation)).abbreviation == "They talked."
    assert PERSON not in (await account(job_harness, job_harness.key.chat_id)).sums


LOUD, QUIET, OWNER = (Author(id=7_100_000_000 + number, name=name) for number, name in enumerate(("Lo", "Qu", "Ow")))
QUIETS, OWNERS = "the beans are planted", "the roof is to be mended"


@pytest.fixture
async def group(job_harness: JobHarness) -> JobHarness:
    """Return the setting with a group that is on no access list. Two strangers and the agent's owner are in it."""
    job_harness.key = replace(job_harness.key, chat_id=-job_harness.key.chat_id)
    await FirestoreOwners(job_harness.client).claim(job_harness.key.agent, OWNER.id, job_harness.now)
    return job_harness


def paid_by(job_harness: JobHarness, day: str) -> MeteredModels:
    return MeteredModels({PRICED: job_harness.model}, budget_service(job_harness, day))


async def has_talked(job_harness: JobHarness) -> str:
    """Let one person write 36 long texts, and two others one line each."""
    loud = ["word " * 80] * 36
    texts = [*((LOUD, one) for one in loud[:18]), (QUIET, QUIETS), (OWNER, OWNERS), *((LOUD, one) for one in loud[18:])]
    entries = [said(text, author, n, seq=n, turn=n) for n, (author, text) in enumerate(texts, 1)]
    await job_harness.has_segments(conversation := await job_harness.has(*entries), entries[:3], entries[18:20])
    return conversation


async def paid(job_harness: JobHarness, day: str) -> dict[int, int]:
    """Return what each person paid on a day. Check that the sum equals the deployment's account."""
    agent = job_harness.key.agent
    found = await FirestoreUsages(job_harness.client).of(UsageQuery(agent=agent, month=day[:7], day=day))
    counts = Counter[int]()
    for one in found:
        counts[one.person] += one.used.nano_usd
    books = decode_account((await job_harness.client.document(paths.budget_path(0)).get()).to_dict())
    assert books.sums[agent].on(day).spent_day.nano_usd == sum(counts.values())
    for person in (LOUD.id, QUIET.id):
        own = (await account(job_harness, person)).sums
        assert (own[PERSON].on(day).spent_day.nano_usd if PERSON in own else 0) in {counts[person], cents(5).nano_usd}
    return counts


async def test_in_a_group_authors_share_the_cost(group: JobHarness) -> None:
    day, conversation = another_day(), await has_talked(group)
    await group.script.will({"text": NOTED, "match": ASKED, "times": None})
    await group.works_on(conversation, models=paid_by(group, day), model=PRICED)
    notes, counts = await group.notes(conversation), await paid(group, day)
    assert (notes.noted_seq, notes.left_out, notes.due_at) == (38, (), None)
    assert set(counts) == {LOUD.id, QUIET.id, OWNER.id}
    assert counts[LOUD.id] > 100 * counts[QUIET.id] > 0
    assert PERSON not in (await account(group, OWNER.id)).sums


async def test_in_a_group_only_words_of_people_past_their_limit_wait(group: JobHarness) -> None:
    day, conversation = another_day(), await has_talked(group)
    await has_used_all(group, day, LOUD.id)
    await group.script.will({"text": NOTED, "match": ASKED, "times": None})
    await group.works_on(conversation, models=paid_by(group, day), model=PRICED)
    notes, asked = await group.notes(conversation), await group.script.asked(ASKED)
    assert (notes.noted_seq, len(notes.left_out), notes.abbreviation) == (38, 36, "They talked.")
    assert not {19, 20} & {*notes.left_out}
    assert QUIETS in str(asked)
    assert OWNERS in str(asked)
    assert "word word" not in str(asked)
    assert notes.due_at is not None
    assert notes.due_at > group.now
    assert (await paid(group, day)).keys() == {QUIET.id, OWNER.id}

    tomorrow, group.now = another_day(), notes.due_at
    await group.works_on(conversation, models=paid_by(group, tomorrow), model=PRICED)
    notes, later = await group.notes(conversation), (await group.script.asked(ASKED))[len(asked) :]
    assert (notes.noted_seq, notes.left_out, notes.due_at) == (38, (), None)
    assert str(later).count("word " * 79 + "word") >= 36
    assert QUIETS not in str(later)
    assert (await paid(group, tomorrow)).keys() == {LOUD.id}


async def test_a_busy_group_leaves_the_owner_most_of_the_daily_budget(group: JobHarness) -> None:
    day, usd = another_day(), 0.2
    paying = budget_service(group, day, usd)
    await group.script.will({"text": NOTED, "match": ASKED, "times": None})
    for number in range(6):
        texts = [said("word " * 80, (LOUD, QUIET)[n % 2], n, seq=n, turn=n) for n in range(1, 37)]
        conversation = await group.has(*texts, conversation=f"conv-{group.key.chat_id}-{number}")
        models = MeteredModels({PRICED: group.model}, paying)
        await group.works_on(conversation, models=models, model=PRICED)
    notes = await group.notes(conversation)
    assert (notes.noted_seq, notes.left_out) == (0, ())  # the runs before have used up this group's share
    assert notes.due_at is not None
    spent = sum((await paid(group, day)).values())
    assert 0 < spent <= usd * 0.3 / 2 * 10**9
    limits, days = {DEPLOYMENT: SpendingLimits(day_usd=usd)}, {DEPLOYMENT: day}
    least = Amount(nano_usd=int(usd * 10**9) - spent)
    asked = wanted(day, agent="", limits=limits, days=days, minimum=least, maximum=least, held_back=0.0)
    assert isinstance(await paying.accounts.lend(asked), BudgetGrant)
    await paying.accounts.settle([Settlement(id=day, used=ZERO, agent="")])


async def test_authors_pay_for_a_groups_vectors(group: JobHarness) -> None:
    day, conversation = another_day(), await has_talked(group)
    await has_used_all(group, day, LOUD.id)
    await group.script.will({"text": NOTED, "match": ASKED, "times": None})
    embedder = MeteredEmbedder(
        Vector(), VECTORS, ModelUse(purpose=Purpose.EMBED, chat=None), budget_service(group, day)
    )
    await group.works_on(conversation, models=paid_by(group, day), model=PRICED, embedder=embedder)
    assert [one["embedding_model"] for one in await group.segments(conversation)] == ["", VECTORS]
    notes = await group.notes(conversation)
    assert notes.embedding_model == VECTORS
    assert notes.due_at is not None
    tomorrow, group.now = another_day(), notes.due_at
    embedder = replace(embedder, fallback=budget_service(group, tomorrow))
    await group.works_on(conversation, models=paid_by(group, tomorrow), model=PRICED, embedder=embedder)
    assert [one["embedding_model"] for one in await group.segments(conversation)] == [VECTORS, VECTORS]


async def test_asks_nothing_if_only_the_agent_spoke_in_a_group(group: JobHarness) -> None:
    conversation = await group.has(said("good morning", ME, message_id=1, seq=1, turn=1))
    await group.works_on(conversation, models=paid_by(group, another_day()), model=PRICED)
    notes = await group.notes(conversation)
    assert (notes.noted_seq, notes.abbreviation, notes.due_at) == (1, "", None)
