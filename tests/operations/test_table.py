"""The table of incidents."""

import io

import pytest
from rich.console import Console

from operations.table import show
from shared.values.chat_key import ChatKey
from shared.values.incident import Incident, IncidentKind
from tests.shared.examples import NOW, SECOND

TOPIC = ChatKey(agent="moss", chat_id=-1_000_000_000_001, topic_id=7)
DEAD = Incident(
    id="dead-1", kind=IncidentKind.DEAD_LETTER, at=NOW, why="the body is not a JSON update", agent="lull", body="secret"
)
DROPPED = Incident(
    id=f"dropped_plan-{TOPIC.id}-01ABCDEFGHJKMNPQRSTVWXYZ00-1", kind=IncidentKind.DROPPED_PLAN, at=NOW - SECOND,
    why="[bold]10 tries\nin vain", agent="moss", chat=TOPIC.id, replayed_at=NOW,
)  # fmt: skip


def shown(width: int, *, also_replayed: bool = False) -> str:
    out = io.StringIO()
    show([DEAD, DROPPED], Console(file=out, width=width), also_replayed=also_replayed)
    return out.getvalue()


@pytest.mark.parametrize("width", [20, 80, 400])
def test_a_line_for_each_whole_in_any_terminal(width: int) -> None:
    head, dead, dropped = (line.rstrip() for line in shown(width).splitlines())
    assert head.split() == ["id", "kind", "when", "(UTC)", "agent", "chat", "why"]
    assert dead.split("  ")[0] == "dead-1"
    assert dead.split()[1:6] == ["dead", "letter", "2026-03-01", "12:00:00", "lull"]
    assert dead.endswith("the body is not a JSON update")
    assert dropped.startswith(f"{DROPPED.id}  dropped plan  2026-03-01 11:59:59  moss")
    assert "-1000000000001/7" in dropped
    assert dropped.endswith("[bold]10 tries in vain")


def test_when_it_was_replayed_is_shown_if_that_is_asked_for() -> None:
    head, dead, dropped = (line.rstrip() for line in shown(300, also_replayed=True).splitlines())
    assert head.endswith("replayed (UTC)")
    assert dead.endswith("the body is not a JSON update")
    assert dropped.endswith("2026-03-01 12:00:00")


def test_nothing_that_was_written_is_shown() -> None:
    assert "secret" not in shown(300, also_replayed=True)
