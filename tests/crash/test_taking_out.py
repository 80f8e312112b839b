from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.crash.judging import KeptFaults
from tests.crash.taking_out import IN_DOUBT, Found, unlike

DOCUMENT = {"state": "cleared", "due_at": None, "claimed_until": None, "outcomes": {"1": "sent"}}
FILE = {"messages.jsonl": b'{"content": "/export"}\n'}
SENT = Found(document=DOCUMENT, files=[FILE], told=["You were sent it."])
DOUBT = f"{IN_DOUBT} part 1 of 1 has arrived."
DOUBTFUL = replace(
    SENT, document={**DOCUMENT, "outcomes": {"1": "unknown"}}, files=[], told=["It is being sent.", DOUBT]
)


def test_it_is_sent_once_or_told_in_doubt() -> None:
    for found in (SENT, DOUBTFUL, replace(DOUBTFUL, files=[FILE])):
        assert unlike(found) == KeptFaults()


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (replace(SENT, document={**DOCUMENT, "state": "ready"}), "the takeout is ready"),
        (replace(SENT, document={**DOCUMENT, "due_at": datetime.now(UTC)}), "the takeout is due"),
        (replace(SENT, document={**DOCUMENT, "claimed_until": datetime.now(UTC)}), "somebody has the takeout"),
        (replace(SENT, document={**DOCUMENT, "outcomes": {}}), "what became of its part is {}"),
        (replace(SENT, files=[]), "the file never came"),
        (replace(SENT, told=[DOUBT]), "it was told without need that it may not have arrived"),
        (replace(SENT, files=[{}]), "the file lacks what was written"),
        (replace(SENT, left=["r/1"]), "r/1 is left in the bucket"),
    ],
)
def test_what_is_missing_is_lost(found: Found, word: str) -> None:
    assert unlike(found) == KeptFaults(lost=(word,))


def test_a_doubt_that_nobody_is_told_of_is_lost() -> None:
    assert "nobody was told that it may not have arrived" in unlike(replace(DOUBTFUL, told=["It is sent."])).lost


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (replace(SENT, files=[FILE, FILE]), "the takeout was sent 2 times"),
        (replace(DOUBTFUL, told=[DOUBT, DOUBT]), "it was told 2 times that it may not have arrived"),
        (replace(SENT, told=["one", "two"]), "/export was answered 2 times"),
    ],
)
def test_what_is_there_too_often_is_doubled(found: Found, word: str) -> None:
    assert unlike(found) == KeptFaults(doubled=(word,))
