"""Erasing what owners were told: who waits to be let in, who was blocked, with names, numbers and first words."""

from collections import Counter

from shared.flows.erase_run import Run


async def erase_from_owners(run: Run) -> None:
    """Empty the raw updates in which an owner pressed below what was told of a person. Raises a StoreError.

    What is told so is in no transcript; Telegram alone repeats it with each press.
    """
    for owner in await run.by.finding.owners():
        if owner.chat_id == run.erasure.person:
            continue
        for key in await run.by.finding.chats_of(owner.chat_id, owner.agent):
            count = await run.by.erasing.inbox_of_owner(key, run.erasure.person, run.settled)
            await run.note(Counter(documents=count))
