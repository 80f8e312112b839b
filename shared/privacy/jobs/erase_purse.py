"""Erasing what a chat was lent for somebody: it is settled at once, and told of without them.

Who holds the chat settles, so what a tick settles later is of what was said later.
"""

from shared.chat.session import Session
from shared.chat.store.usage import SpentAllowance
from shared.privacy.jobs.erase_run import Run
from shared.values.evolve import evolve
from shared.values.purse import forgotten, settlement_of, usage_of, without_closed


async def erase_purse(run: Run, session: Session, person: int = 0) -> None:
    """Settle what a chat was lent for a person, or for everybody (0), and keep the sums alone.

    The purse says that it is over before the accounts do: from then on nobody spends of it. Raises a StoreError or
    LeaseLost; it may be repeated.
    """
    purse, gone = forgotten(session.chat.purse, person)
    if any(one.lent is not None for one in gone):
        session.note_chat(evolve(session.chat, purse=purse))
        await session.extend()
        agent = session.chat.key.agent
        await run.by.accounts.settle([settlement_of(one, agent) for one in gone if one.lent is not None])
    for one in gone:
        usage = usage_of(one, session.chat.key.agent, "", run.by.clock())
        session.note(SpentAllowance(evolve(usage, person=0)))
    if gone or purse != session.chat.purse:
        session.note_chat(evolve(session.chat, purse=without_closed(purse, gone)))
        await session.commit()
