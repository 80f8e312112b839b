"""Stories of limits: each kind when it is reached, from its half to its end, and the limit of the deployment.

All of it in one cloud with an agent for each limit. The model has a price, and answers say how much they took.
"""

import asyncio
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from local.cloud import LocalCloud
from shared.chat.store import paths
from shared.spending.leasing import BudgetRequest, LeaseTerms
from shared.spending.store.accounts import FirestoreAccounts, decode_account
from shared.turn.intake import MOST_REPLANS
from shared.values.account import DEPLOYMENT, Settlement, day_label
from shared.values.chat_key import ChatKey
from shared.values.money import UNLIMITED, Amount, usd_to_nanos
from shared.values.registration import claim_code
from tests.conftest import ANSWERING, HURRIED, SOON
from tests.forking import forked
from tests.shared.own_words import ENGLISH, IS_OWNER
from tests.stories.play import Chat, Json, Person, Sandbox, until

ZONE = "Europe/Kyiv"
DAY_USD, MONTH_USD = 8.0, 40.0
SETTINGS: Mapping[str, str] = {
    "LULL_LIMITS": "yes",
    "LULL_DAY_USD": str(DAY_USD),
    "LULL_MONTH_USD": str(MONTH_USD),
    "LULL_MODEL": "gemini-3.8-flash",
    # nothing costs more than its bound, so one answer may cost nearly all of a limit
    "LULL_REPLY_TOKENS": "25000",
    # the reserve for owners has its own tests
    "LULL_OWNER_SHARE": "0",
}
#: the scripted use of one answer: 9.4 cents, nearly the whole limit
DEAR: Json = {"promptTokenCount": 100, "candidatesTokenCount": 25_000, "totalTokenCount": 25_100}
#: agent → the scope of its limit, its setting, and the sentence about it
KINDS = {
    f"{scope}_{span}_{unit}": f"{scope}: {{ {span}_{unit}: {'0.10' if unit == 'usd' else '1'} }}"
    for scope in ("stranger", "chat", "agent")
    for span in ("day", "month")
    for unit in ("usd", "messages")
}
OTHERS = {
    "halves": "agent: { day_messages: 10 }",
    "lastcent": "agent: { day_messages: 1 }",
    "flooded": "stranger: { day_messages: 2 }",
    "free": "agent: {}",
}


@pytest.fixture(scope="module")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCloud]:
    """Run a cloud with limits, and an agent for each kind."""
    folder: Path = tmp_path_factory.mktemp("agents")
    for name, limits in {**KINDS, **OTHERS}.items():
        # for the limits of agent and chat, people's own limits are high enough
        people = "" if limits.startswith("stranger") else "  stranger: {}\n"
        front = f"name: {name}\nusername: {name}_bot\nprompts: [all]\npace: instant\ntimezone: {ZONE}\n"
        (folder / name / "prompts").mkdir(parents=True)
        (folder / name / "agent.md").write_text(f"---\n{front}limits:\n{people}  {limits}\n---\nYou answer.\n")
        (folder / name / "prompts" / "all.md").write_text("---\nunlocks: [send]\n---\nDo what you are asked.\n")
    spec = forked(env={**HURRIED, **SETTINGS}, arguments={"telegram": SOON}, parts=ANSWERING, agents=(folder,))
    with LocalCloud(spec).running() as running:
        yield running


async def answers(sandbox: Sandbox, usage: Json | None = None, **more: Any) -> None:
    """Let the model answer everything."""
    plan = {"tasks": [{"kind": "send", "text": "An answer."}]}
    await sandbox.model.will({"tasks": plan, "match": ".", "times": None, "usage": usage, **more})


async def says(chat: Chat, person: Person, text: str) -> list[str]:
    """Write as a person, wait for the chat to rest, and return the agent's answers."""
    before = len(await chat.said())
    await chat.writes(person, text)
    await chat.rests()
    return [str(m["text"]) for m in (await chat.said())[before:]]


async def given_back(sandbox: Sandbox, chat: Chat) -> None:
    """Wait until nothing is lent to a chat any more, which is so a moment after it rests."""
    key = ChatKey(agent=chat.agent, chat_id=chat.id)

    async def is_settled() -> bool:
        found = decode_account((await sandbox.firestore.document(paths.budget_path(0)).get()).to_dict())
        return all(one.chat != key.id for one in found.lent.values())

    await until(is_settled, "what it was lent is given back")


async def met(sandbox: Sandbox, agent: str) -> list[list[str]]:
    """Write four messages to an agent, of which only the first is within its limit; return the answers to each."""
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    first = await sandbox.private(ann, agent)
    person, chat = (bob, await sandbox.private(bob, agent)) if agent.startswith("agent") else (ann, first)
    answered = await says(first, ann, "one")
    if agent.startswith("agent"):
        await given_back(sandbox, first)
    return [
        answered,
        await says(chat, person, "two"),
        await says(chat, person, "three"),
        [text[:5] for text in await says(chat, person, "/whoami")],
    ]


async def test_each_limit_is_told_once_with_when_it_goes_on_and_commands_still_work(sandbox: Sandbox) -> None:
    await answers(sandbox, DEAR)
    found = dict(zip(KINDS, await asyncio.gather(*(met(sandbox, agent) for agent in KINDS)), strict=True))
    day, month = ENGLISH.say("limit.day", zone=ZONE), ENGLISH.say("limit.month")
    whoami = found["stranger_day_usd"][3]
    assert whoami != []
    assert found == {agent: [["An answer."], [month if "_month_" in agent else day], [], whoami] for agent in KINDS}


async def owner_of(sandbox: Sandbox, agent: str) -> Chat:
    """Open the private chat of an agent's new owner."""
    olga = await sandbox.person("Olga")
    chat = await sandbox.private(olga, agent)
    code = claim_code(sandbox.cloud.webhook_secret, agent, int(sandbox.cloud.tokens[agent].split(":")[0]))
    await chat.writes(olga, f"/start claim_{code}")
    assert (await chat.answers())[0].startswith(IS_OWNER)
    return chat


async def test_from_half_of_a_limit_to_its_end(sandbox: Sandbox) -> None:
    await answers(sandbox)
    olga, ann = await owner_of(sandbox, "halves"), await sandbox.person("Ann")
    chat = await sandbox.private(ann, "halves")
    said = [await says(chat, ann, f"{number}, says {ann.name}") for number in range(12)]
    smaller = ENGLISH.say("limit.soft")
    assert said == [["An answer."]] * 9 + [[smaller, "An answer."], [ENGLISH.say("limit.day", zone=ZONE)], []]
    models = [one["model"] for one in await sandbox.model.asked(ann.name)]
    assert models == ["gemini-3.8-flash"] * 9 + ["gemini-3.5-flash-lite"]

    async def told() -> list[str]:
        found = [str(m["text"]) for m in await olga.said()][1:]
        return found if len(found) >= 3 else []

    await until(told, "the owner is told")
    await olga.rests()
    assert await told() == [ENGLISH.say("limit.told_day", percent=percent) for percent in ("50", "80", "100")]
    assert "%" not in str(await olga.transcript()), "it is apart from their own conversation"


async def test_of_two_who_want_the_last_answer_one_gets_it_and_the_other_hears_of_the_limit(sandbox: Sandbox) -> None:
    await answers(sandbox, delay_s=1.0)
    people = [await sandbox.person("Ann"), await sandbox.person("Bob")]
    chats = [await sandbox.private(one, "lastcent") for one in people]
    said = await asyncio.gather(
        *(says(chat, one, f"it is {one.name}") for chat, one in zip(chats, people, strict=True))
    )
    assert sorted(map(str, said)) == sorted(map(str, [["An answer."], [ENGLISH.say("limit.day", zone=ZONE)]]))
    asked = [await sandbox.model.asked(f"it is {one.name}") for one in people]
    assert sorted(map(len, asked)) == [0, 1]


async def test_a_stranger_who_writes_five_hundred_messages_has_their_few_answers(sandbox: Sandbox) -> None:
    await answers(sandbox)
    eve, ann = await sandbox.person("Eve"), await sandbox.person("Ann")
    flood, quiet = await sandbox.private(eve, "flooded"), await sandbox.private(ann, "flooded")
    for begin in range(0, 500, 50):
        await asyncio.gather(*(flood.writes(eve, f"message {begin + n} of {eve.name}") for n in range(50)))
    await quiet.writes(ann, "hello")
    assert await quiet.answers() == ["An answer."], "it costs others nothing"
    for left in range(400, -1, -100):  # of one chat they are delivered one after the other
        await until(partial(_are_delivered, flood, left), f"all but {left} are delivered")
    await flood.rests()
    assert len(await quiet.said()) == 1
    for nth in ("one", "two", "three"):  # messages at the same time may have become one request or several
        await says(flood, eve, f"and {nth} more of {eve.name}")
    said = [str(m["text"]) for m in await flood.said()]
    assert said == ["An answer.", "An answer.", ENGLISH.say("limit.day", zone=ZONE)]
    # a message while the model thinks causes a new plan, and an abandoned call is repeated
    assert len(await sandbox.model.asked(eve.name)) <= 4 * (1 + MOST_REPLANS)


async def _are_delivered(chat: Chat, left: int) -> bool:
    """Whether no more updates than these are on their way to the chat's agent."""
    queue = (await chat.telegram.get(f"/world/bots/{chat.bot_id}/queue")).raise_for_status().json()
    return bool(queue["pending"] <= left)


async def spend(sandbox: Sandbox, usd: float) -> None:
    """Record so much spending of today, outside of any chat."""
    accounts, now = FirestoreAccounts(sandbox.firestore), datetime.now(UTC)
    amount, name = Amount(nano_usd=usd_to_nanos(usd)), f"spent {usd}"
    wanted = BudgetRequest(
        id=name, agent="", minimum=amount, maximum=amount, now=now, until=now + timedelta(hours=1),
        terms=LeaseTerms(limits={DEPLOYMENT: UNLIMITED}, days={DEPLOYMENT: day_label(now, UTC)}),
    )  # fmt: skip
    await accounts.lend(wanted)
    await accounts.settle([Settlement(id=name, used=amount, agent="")])


async def test_at_the_ceiling_of_the_deployment_no_model_is_asked_by_any_agent(sandbox: Sandbox) -> None:
    await answers(sandbox)
    ann, bob = await sandbox.person("Ann"), await sandbox.person("Bob")
    free = [(await sandbox.private(one, "free"), one) for one in (ann, bob)]
    budget = sandbox.firestore.document("budgets/0")
    before = (await budget.get()).to_dict()
    try:
        await spend(sandbox, DAY_USD)
        # its days are those of UTC, not of the agent's zone
        assert await says(*free[0], f"hello, says {ann.name}") == [ENGLISH.say("limit.day", zone="UTC")]
        await spend(sandbox, MONTH_USD - DAY_USD)
        assert await says(*free[1], f"hello, says {bob.name}") == [ENGLISH.say("limit.month")]
    finally:
        await (budget.set(before) if before is not None else budget.delete())
    assert [await sandbox.model.asked(f"says {one.name}") for one in (ann, bob)] == [[], []]
