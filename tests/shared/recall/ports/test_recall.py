"""The port of recall names who asks before anything else."""

import inspect

from shared.recall.ports import recall


def test_every_call_is_told_who_asks() -> None:
    calls = [call for _, call in inspect.getmembers(recall.Recall, inspect.iscoroutinefunction)]
    assert len(calls) == 2
    assert all(list(inspect.signature(call).parameters)[1] == "asker" for call in calls)
