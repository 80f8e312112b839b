"""Many mutations judged: by their text, then in groups, and what a group does not tell apart one by one."""

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from queue import SimpleQueue
from typing import TypeAlias

from tests.infra.pinning.judging import Judge, part_of, reason_to_survive, said_of_text
from tests.infra.pinning.merging import groups
from tests.infra.pinning.mutations import Mutation
from tests.infra.pinning.together import SETS, Found, Together
from tests.infra.workspace import Workspace

#: what one group does not tell apart, another may, once what it was mixed up with is found
ROUNDS = 2
#: fewer cost more plans as a group than one by one
FEWEST = 8
Job: TypeAlias = Callable[[Judge], Found]


def findings(mutations: Sequence[Mutation], made: Workspace, ends: float) -> Iterator[tuple[Mutation, str]]:
    """What is said of each, as soon as it is known; of those that would begin too late nothing."""
    said = {one: said_of_text(one) for one in mutations}
    yield from ((one, sentence) for one, sentence in said.items() if sentence or one.file.startswith("aws/"))
    left = [one for one, sentence in said.items() if not sentence and not one.file.startswith("aws/")]
    at_once = os.cpu_count() or 2
    judges: SimpleQueue[Judge] = SimpleQueue()
    for number in range(1, at_once + 1):
        judges.put(Judge(made.copied(made.folder.parent / str(number))))
    for turn in range(ROUNDS + 1):
        jobs = _of_groups(left) if turn < ROUNDS else [partial(_one_by_one, [one]) for one in left]
        found: Found = {}
        for some in _done(jobs, judges, at_once, ends):
            found |= some
            yield from some.items()
        left = [one for one in left if one not in found]


def _of_groups(mutations: Sequence[Mutation]) -> list[Job]:
    """A job for each group. What has a reason to survive is in none: it would be judged by itself all the same."""
    parts: dict[str, list[Mutation]] = defaultdict(list)
    for one in mutations:
        if not reason_to_survive(one) and not _is_wide(one):
            parts[part_of(one)].append(one)
    made = [(part, group) for part, those in parts.items() for group in groups(those, len(SETS))]
    return [
        partial(_one_by_one, group) if len(group) < FEWEST else partial(_together, part, group) for part, group in made
    ]


def _is_wide(mutation: Mutation) -> bool:
    """Whether much is made of it: it would hide what others of its group change."""
    is_local = mutation.place.startswith("locals/") and mutation.place.count("/") == 1
    return is_local or mutation.kind.startswith("emptied")


def _together(part: str, group: Sequence[Mutation], judge: Judge) -> Found:
    return Together(judge, part).findings(group)


def _one_by_one(group: Sequence[Mutation], judge: Judge) -> Found:
    return {one: judge.finding(one) for one in group}


def _done(jobs: Sequence[Job], judges: SimpleQueue[Judge], at_once: int, ends: float) -> Iterator[Found]:
    def run(job: Job) -> Found:
        if time.monotonic() > ends:
            return {}
        judge = judges.get()
        try:
            return job(judge)
        finally:
            judges.put(judge)

    with ThreadPoolExecutor(at_once) as pool:
        yield from (done.result() for done in as_completed([pool.submit(run, job) for job in jobs]))
