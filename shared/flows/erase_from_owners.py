"""Erasing what owners were told: who waits to be let in, who was blocked, with names, numbers and first words."""

from collections import Counter
from typing import Any

from shared.erasing.plans import is_about, is_from_before, without
from shared.flows.erase_run import Run
from shared.models.button_data import person_in
from shared.models.chat_key import ChatKey
from shared.session.session import Session


async def erase_from_owners(run: Run) -> None:
    """Erase what the owners of agents were told of a person. Raises Contended, LeaseLost or a StoreError.

    What is told so is in no transcript. Its buttons stay in plans, and Telegram repeats all of it with each press.
    """
    for owner in await run.by.finding.owners():
        if owner.chat_id == run.erasure.person:
            continue
        for key in await run.by.finding.chats_of(owner.chat_id, owner.agent):
            await _erase_from(run, key)


async def _erase_from(run: Run, key: ChatKey) -> None:
    async def work(session: Session) -> Counter[str]:
        count = await run.by.erasing.inbox_of_owner(key, run.erasure.person, run.settled)
        offered = session.chat.keyboards
        gone = [k for k in offered if any(is_about(one, run.erasure.person) for one in k.effects)]
        kept = tuple(k for k in offered if k not in gone or k.at > run.settled)
        if kept != offered:
            session.note_chat(keyboards=kept)
        return Counter(documents=count + await run.by.erasing.plans_without(key, rest))

    def rest(plan: dict[str, Any]) -> dict[str, Any] | None:
        is_old = is_from_before(plan, run.settled)
        return without(plan, lambda task: _is_about(task, run.erasure.person)) if is_old else plan

    await run.holding(key, work)


def _is_about(task: dict[str, Any], person: int) -> bool:
    """Return whether a task of a stored plan is about a person, or has a button that is, with their name above it."""
    return is_about(task, person) or any(person_in(str(one.get("data"))) == person for one in task.get("buttons") or ())
