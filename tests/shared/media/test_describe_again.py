"""A file is described again at the wish of an owner, who pays for it."""

from typing import Any

import pytest

from shared.chat.store.queries import USAGE_EVER
from shared.llm.metering import MeteredModels
from shared.media import failures
from shared.media.store.descriptions import FirestoreDescriptions
from shared.spending.job_budget import JobBudgetService
from shared.spending.policy import SpendingPolicy
from shared.spending.store.accounts import FirestoreAccounts
from shared.spending.store.usage import FirestoreUsages
from shared.values.evolve import evolve
from shared.values.media import DescriptionOutcome
from shared.values.money import AgentLimits, SpendingLimits
from shared.values.reference import FileReference
from shared.values.stored_media import DescribeAgain
from shared.values.trust import TrustTier
from tests.shared.media.describe_harness import DescribeHarness
from tests.shared.media.test_model_source import photo

OWNER, STRANGER = 911, 912


@pytest.fixture
async def old(describe_harness: DescribeHarness) -> FileReference:
    """Describe a stranger's photo; from then on, strangers have no budget."""
    one = evolve(await photo(describe_harness), person=STRANGER, tier=TrustTier.STRANGER, is_open=True)
    await describe_harness.keeps(one)
    await describe_harness.will_say("An old boat.")
    await describe_harness.describes(one)
    client, usual = describe_harness.inbox.client, describe_harness.models
    agents = {one.agent: AgentLimits(stranger=SpendingLimits(day_usd=0.0))}
    terms = SpendingPolicy(is_on=True, deployment=SpendingLimits(day_usd=1_000.0), agents=agents)
    accounts, usages = FirestoreAccounts(client), FirestoreUsages(client)
    describe_harness.models = MeteredModels(
        usual.by_name, JobBudgetService(accounts=accounts, usages=usages, terms=terms, clock=describe_harness.clock)
    )
    return one


async def ask(describe_harness: DescribeHarness, one: FileReference) -> None:
    again = DescribeAgain(by=OWNER, agent=one.agent, at=describe_harness.now)
    await describe_harness.store.ask_again(one.ref, again)


async def shown(describe_harness: DescribeHarness, one: FileReference) -> str:
    """Return the text that a prompt has."""
    found = await FirestoreDescriptions(describe_harness.inbox.client, describe_harness.clock).of_files(
        [one.ref.unique_id]
    )
    return found[one.ref.unique_id].shows


async def payers(describe_harness: DescribeHarness) -> list[int]:
    found: list[int] = []
    for person in (OWNER, STRANGER):
        found += [person for _ in await USAGE_EVER.on(describe_harness.inbox.client, person).get()]
    return found


async def test_the_owner_pays_and_the_old_text_stays_until_the_new_one_is_there(
    describe_harness: DescribeHarness, old: FileReference
) -> None:
    await ask(describe_harness, old)
    assert await shown(describe_harness, old) == "An old boat."
    await describe_harness.will_say("A new boat.")
    assert await describe_harness.describes(old) == {"described": 1}
    kept = await describe_harness.media(old.ref.unique_id)
    assert (await shown(describe_harness, old), kept.again, kept.again_failure) == ("A new boat.", None, "")
    assert await payers(describe_harness) == [OWNER]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ({"status": 503, "error": "overloaded"}, failures.MODEL_DOWN),
        ({"text": "no JSON"}, failures.UNREADABLE),
        ({"text": "", "finish_reason": "SAFETY"}, failures.BLOCKED),
    ],
)
async def test_the_old_text_stays_if_the_new_one_fails(
    describe_harness: DescribeHarness, old: FileReference, reply: dict[str, Any], why: str
) -> None:
    await ask(describe_harness, old)
    await describe_harness.sandbox.model.will(reply)
    assert await describe_harness.describes(old) == {"described": 1}
    kept = await describe_harness.media(old.ref.unique_id)
    assert (kept.again, kept.again_failure, kept.claimed_until) == (None, why, None)
    assert await shown(describe_harness, old) == "An old boat."
    asked = len(await describe_harness.asked())
    await describe_harness.describes(old)
    assert len(await describe_harness.asked()) == asked, "there is one try for each press"
    await ask(describe_harness, old)
    await describe_harness.will_say("A new boat.")
    await describe_harness.describes(old)
    kept = await describe_harness.media(old.ref.unique_id)
    assert (await shown(describe_harness, old), kept.again_failure) == ("A new boat.", "")


async def test_a_file_that_was_given_up_is_described_after_all(
    describe_harness: DescribeHarness, old: FileReference
) -> None:
    broken = {"outcome": DescriptionOutcome.PERMANENT_FAILURE, "shows": "", "why": "It is broken."}
    kept = await describe_harness.media(old.ref.unique_id)
    assert kept.description is not None
    snapshot = await describe_harness.store.claim(evolve(old, ref=evolve(old.ref, unique_id="other")), *[old.at] * 2)
    await describe_harness.store.keep(
        snapshot, evolve(snapshot.media, description=kept.description.model_copy(update=broken), claimed_until=None)
    )
    other = evolve(old, ref=evolve(old.ref, unique_id="other"))
    await ask(describe_harness, other)
    await describe_harness.will_say("A ship.")
    assert await describe_harness.describes(other) == {"described": 1}
    assert await shown(describe_harness, other) == "A ship."
