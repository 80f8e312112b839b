"""Repeats deletions after a restore, so that the restored data of forgotten people, groups and conversations is deleted
again.

The first round runs here, before anybody reads the restored data. The second round is left to the sweep of the
deployment, since only a deployment has the files and archives from which the rest is deleted.
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

#: Steps that are skipped if the deletion had finished. The restore left out the other data of forgotten people and
#: groups (`shared/privacy/document_files.py`), and new data of a person who came back must stay.
NOT_RESTORED: Final = tuple(name for name in STEPS if name not in {"words", "places", "archives"})
#: how often a deletion is tried if other functions have claimed its chats
MOST_TRIES: Final = 3


class NullQueue:
    """A queue that drops its jobs. The sweep finds each deletion all the same, by the due time in its document."""

    async def enqueue(self, job: Job) -> None:
        """Drop the job."""


async def keep_deletions(deleter: Deleter, archived: Sequence[Deletion]) -> None:
    """Store every archived deletion that the database lacks, and mark it as due. Done before any data is restored.

    A database that lacks a deletion is from before that deletion, so it may still contain all the deleted data.
    """
    now = deleter.clock()
    for one in archived:
        await deleter.log.keep(evolve(one, due_at=now, done_at=now, is_told=True))


async def erase_again(deleter: Deleter) -> Counter[str]:
    """Repeat every deletion in the database, with its original `cut`: the time up to which data is deleted.

    Returns how many deletions were `erased`, and how many are `left` to the sweep, the job that finds leftover work.
    Raises a StoreError.
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
            if is_over:  # the deletion had finished its second round before the restore
                await deleter.log.save(
                    after,
                    evolve(after.deletion, due_at=None, gone=(), changed=(), files=(), parts=(), names=(), takeouts=()),
                )
            return True
    return False
