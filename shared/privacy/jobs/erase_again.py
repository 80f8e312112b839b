"""Erasing again: what a restore brings back of people, groups and conversations that were forgotten goes once more.

Its first round is done here, before anybody reads what was restored. The second one is left to the deployment, whose
sweep finds it: only there are the files and the archives from which the rest goes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shared.privacy.jobs.erase import STEPS, erase
from shared.privacy.jobs.erase_run import Deleter
from shared.values.deletion import Deletion
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from shared.values.wake import Job

#: steps of a deletion that is over which have nothing to do: of all else that a restore brings, what is of who was
#: forgotten was left out (`shared/privacy/document_files.py`), and what is kept of who came back since is not to go
NOT_RESTORED: Final = tuple(name for name in STEPS if name not in {"words", "places", "archives"})
#: a deletion that somebody holds up is tried so often
MOST_TRIES: Final = 3


class NullQueue:
    """A queue that keeps nothing: the document of a deletion says when it is due, and the sweep reads that."""

    async def enqueue(self, job: Job) -> None:
        """Leave it."""


async def keep_deletions(deleter: Deleter, archived: Sequence[Deletion]) -> None:
    """Keep every archived deletion that the database does not know, as one that is due. It is done before all else.

    Such a database is from before it: whatever it has of them goes, whenever that was written.
    """
    now = deleter.clock()
    for one in archived:
        await deleter.log.keep(evolve(one, due_at=now, done_at=now, is_told=True))


async def erase_again(deleter: Deleter) -> Counter[str]:
    """Carry out every deletion that the database knows of once more, with its old moment: `erased`, and `left`.

    What people said since they were forgotten stays. Raises a StoreError.
    """
    done, by = Counter[str](), replace(deleter, queue=NullQueue(), longest=None)
    for one in [one async for one in deleter.log.all()]:
        done["erased" if await _again(by, one.id) else "left"] += 1
    return done


async def _again(deleter: Deleter, name: str) -> bool:
    seen = await deleter.log.read(name)
    assert seen is not None
    before = seen.deletion
    if is_over := before.due_at is None:
        await deleter.log.save(seen, evolve(before, due_at=deleter.clock(), round=1, done=NOT_RESTORED))
    elif before.round > 1:
        await deleter.log.save(seen, evolve(before, due_at=deleter.clock(), round=1, done=()))
    for _ in range(MOST_TRIES):
        await erase(deleter, JobRun(scheduled_for="restore", deletion=name))
        after = await deleter.log.read(name)
        assert after is not None
        if after.deletion.round > 1:
            if is_over:  # nothing else was to come
                await deleter.log.save(
                    after,
                    evolve(after.deletion, due_at=None, gone=(), changed=(), files=(), parts=(), names=(), takeouts=()),
                )
            return True
    return False
