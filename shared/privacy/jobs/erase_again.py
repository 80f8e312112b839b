"""Repeats deletions after a restore, so that restored data of forgotten people, groups and conversations is deleted.

The first round runs here, before anybody reads the restored data. The second round is left to the deployment's sweep,
since only a deployment has the files and archives from which the rest is deleted.
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

#: Steps that a finished deletion skips. The restore left out all other data of forgotten subjects
#: (`shared/privacy/document_files.py`), and new data of a person who came back must stay.
NOT_RESTORED: Final = tuple(name for name in STEPS if name not in {"words", "places", "archives"})
#: tries of a deletion whose chats are claimed by other functions
MOST_TRIES: Final = 3


class NullQueue:
    """A queue that drops its jobs. The sweep finds each deletion by the due time in its document."""

    async def enqueue(self, job: Job) -> None:
        """Drop the job."""


async def keep_deletions(deleter: Deleter, archived: Sequence[Deletion]) -> None:
    """Store every archived deletion that the database lacks, as a due one, before anything is restored.

    A database that lacks it is older than the deletion, so all data that the deletion covers is deleted from it.
    """
    now = deleter.clock()
    for one in archived:
        await deleter.log.keep(evolve(one, due_at=now, done_at=now, is_told=True))


async def erase_again(deleter: Deleter) -> Counter[str]:
    """Repeat every deletion that the database knows, with its original `cut`.

    Returns how many were `erased` and `left`. Messages from after the cut stay. Raises a StoreError.
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
            if is_over:  # the deletion had already finished its second round
                await deleter.log.save(
                    after,
                    evolve(after.deletion, due_at=None, gone=(), changed=(), files=(), parts=(), names=(), takeouts=()),
                )
            return True
    return False
