"""Erasing again: what a restore brings back of people, groups and conversations that were forgotten goes once more.

Its first round is done here, before anybody reads what was restored. The second one is left to the deployment, whose
sweep finds it: only there are the files and the archives from which the rest goes.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from shared.privacy.jobs.erase import STEPS, erase
from shared.privacy.jobs.erase_run import Eraser
from shared.values.erasure import Erasure
from shared.values.evolve import evolve
from shared.values.occasion import Occasion
from shared.values.wake import Job

#: steps of an erasure that is over which have nothing to do: of all else that a restore brings, what is of who was
#: forgotten was left out (`shared/privacy/document_files.py`), and what is kept of who came back since is not to go
NOT_RESTORED: Final = tuple(name for name in STEPS if name not in {"words", "places", "archives"})
#: an erasure that somebody holds up is tried so often
MOST_TRIES: Final = 3


class LeftToTheSweep:
    """A queue that keeps nothing: the document of an erasure says when it is due, and the sweep reads that."""

    async def enqueue(self, job: Job) -> None:
        """Leave it."""


async def keep_erasures(eraser: Eraser, archived: Sequence[Erasure]) -> None:
    """Keep every archived erasure that the database does not know, as one that is due. It is done before all else.

    Such a database is from before it: whatever it has of them goes, whenever that was written.
    """
    now = eraser.clock()
    for one in archived:
        await eraser.log.keep(evolve(one, due_at=now, done_at=now, is_told=True))


async def erase_again(eraser: Eraser) -> Counter[str]:
    """Carry out every erasure that the database knows of once more, with its old moment: `erased`, and `left`.

    What people said since they were forgotten stays. Raises a StoreError.
    """
    done, by = Counter[str](), replace(eraser, queue=LeftToTheSweep(), longest=None)
    for one in [one async for one in eraser.log.all()]:
        done["erased" if await _again(by, one.id) else "left"] += 1
    return done


async def _again(eraser: Eraser, name: str) -> bool:
    seen = await eraser.log.read(name)
    assert seen is not None
    before = seen.erasure
    if is_over := before.due_at is None:
        await eraser.log.save(seen, evolve(before, due_at=eraser.clock(), round=1, done=NOT_RESTORED))
    elif before.round > 1:
        await eraser.log.save(seen, evolve(before, due_at=eraser.clock(), round=1, done=()))
    for _ in range(MOST_TRIES):
        await erase(eraser, Occasion(slot="restore", erasure=name))
        after = await eraser.log.read(name)
        assert after is not None
        if after.erasure.round > 1:
            if is_over:  # nothing else was to come
                await eraser.log.save(
                    after,
                    evolve(after.erasure, due_at=None, gone=(), changed=(), files=(), parts=(), names=(), takeouts=()),
                )
            return True
    return False
