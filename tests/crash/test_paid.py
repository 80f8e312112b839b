"""A tick is killed between reserving money and settling it: the person gets one answer, and everything is paid."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime

import pytest

from benchmarks.budget import books_of, call_of
from benchmarks.relay.ledger import Blow, Moment, Request, Step
from local.cloud import LocalCloud
from shared.chat.store import paths
from shared.spending.store.accounts import decode_account
from shared.values.budget import ChatBudget
from shared.values.money import Amount, sum_amounts, usd_to_nanos
from shared.values.usage import cost_of
from tests.crash.lanes import Lane, LaneSpec, open_lanes
from tests.crash.playing import Outcome, Playhouse, Point, play
from tests.crash.queues import Queues
from tests.crash.stories import Story, reply, send, whole, writes
from tests.stories.play import Chat, Person, until

LIMITED = LaneSpec(
    env={
        "LULL_LIMITS": "yes",
        "LULL_MODEL": "gemini-3.8-flash",
        "LULL_EARLY_TITLES": "no",
        "LULL_MEDIA_MODEL": "no",
        # a long lease, since its extension would be another commit before the call
        "LULL_LEASE_S": "6",
    },
    functions=("webhook", "tick"),
)


@pytest.fixture(scope="module")
async def paid(cloud: LocalCloud, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Lane]:
    """Yield a lane with limits, and with a model that has a price."""
    async with open_lanes(cloud, ["paid0"], tmp_path_factory.mktemp("agents"), LIMITED) as (opened,):
        yield opened


class Cast:
    """The person and chat of the shortest possible story."""

    def __init__(self) -> None:
        self.played: list[tuple[str, Chat]] = []

    def greeting(self, token: str) -> Story:
        """A person introduces themselves and is greeted."""

        async def tell(chat: Chat, person: Person, queues: Queues) -> list[int]:
            self.played.append((token, chat))
            return await writes(f"I am {token}")(chat, person, queues)

        answer = f"Hello, {token}."
        return Story(tell, (reply(token, send(answer)),), (whole(answer),))


def on_the_way(outcome: Outcome) -> tuple[Sequence[Step], Step]:
    """Return the tick's commits before the model call, and the call."""
    way = [request.step for request in outcome.requests if request.step.maker == "tick"]
    at = next(number for number, step in enumerate(way) if step.what.startswith("Gemini"))
    return [step for step in way[:at] if step.what.startswith("Firestore Commit")], way[at]


async def books(backend: Playhouse, cast: Cast) -> tuple[float, Amount, Amount]:
    """Return the dollars of the model calls in the last play, the recorded amount, and its expired part.

    Every lease of the accounts must be in the chat's document; otherwise it would never be returned.
    """
    token, chat = cast.played[-1]
    exchanges = [{**one, "request": json.dumps(one["request"])} for one in await backend.model.asked(token)]
    asked = cost_of(map(call_of, exchanges), datetime.now(UTC)) or 0.0
    key = chat.chat_key
    kept = {one.id: one for one in await books_of(chat.firestore, chat.agent, (key.id,))}.values()
    account = await chat.firestore.document(paths.account_path(chat.agent, key.chat_id)).get()
    budget = ChatBudget.model_validate((await chat.document())["purse"])
    recorded = {one.id for one in (*budget.open, *budget.closed)}
    assert decode_account(account.to_dict()).lent.keys() <= recorded
    return asked, sum_amounts(one.used for one in kept), sum_amounts(one.expired for one in kept)


@pytest.mark.timeout(600)
async def test_a_tick_killed_around_its_reservation_answers_once_and_what_it_may_have_spent_is_charged(
    backend: Playhouse, paid: Lane
) -> None:
    cast = Cast()
    undisturbed = await play(backend, paid, cast.greeting)
    assert undisturbed.verdict.faults == ()
    asked, used, expired = await books(backend, cast)
    assert used.nano_usd >= usd_to_nanos(asked) > 0
    assert (used.messages, expired) == (1, Amount())
    commits, call = on_the_way(undisturbed)
    struck = [
        (commits[-2], Moment.AFTER, False),  # the amount is lent, and recorded nowhere
        (commits[-1], Moment.AFTER, True),  # the amount is reserved, and the model was not called
        (call, Moment.BEFORE, True),
        (call, Moment.AFTER, True),  # the amount is spent, and not settled
    ]
    for step, moment, is_charged in struck:
        outcome = await play(backend, paid, cast.greeting, Point("greeting", step, moment))
        assert outcome.struck is not None
        assert (outcome.verdict.faults, outcome.log) == ((), "")
        asked, used, expired = await books(backend, cast)
        assert used.nano_usd >= usd_to_nanos(asked), (step, moment)
        assert (expired.nano_usd > 0) == is_charged, (step, moment)


@pytest.mark.timeout(600)
async def test_a_tick_killed_twice_at_its_call_is_charged_for_both(backend: Playhouse, paid: Lane) -> None:
    cast, ledger = Cast(), paid.ledger
    _, call = on_the_way(await play(backend, paid, cast.greeting))

    async def strike(_: Request) -> None:
        await paid.kill("tick")

    async def strike_again() -> None:
        await until(ledger.struck, "the first blow falls")
        ledger.strike_again(Blow(Step(call.maker, call.what, call.nth + 1), Moment.AFTER, strike))

    point = Point("greeting", call, Moment.AFTER)
    outcome, _ = await asyncio.gather(play(backend, paid, cast.greeting, point), strike_again())
    assert outcome.verdict.faults == ()
    asked, used, expired = await books(backend, cast)
    assert len(await backend.model.asked(cast.played[-1][0])) == 3
    assert used.nano_usd >= usd_to_nanos(asked)
    assert expired.nano_usd > 0
    assert expired.messages >= 2
