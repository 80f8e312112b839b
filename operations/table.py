"""Shows incidents with the data needed to judge them, and without messages of people."""

from collections.abc import Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from shared.values.chat_key import ChatKey
from shared.values.incident import Incident

COLUMNS = ("id", "kind", "when (UTC)", "agent", "chat", "why")
#: the most characters of a line
LONGEST_LINE = 2_000


def show(incidents: Sequence[Incident], console: Console, *, also_replayed: bool = False) -> None:
    """Print a table with one line for each incident. No line is cut or wrapped, so that ids can be copied from the
    table.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in (*COLUMNS, "replayed (UTC)") if also_replayed else COLUMNS:
        table.add_column(column, no_wrap=True)
    for incident in incidents:
        cells = [Text(cell) for cell in _cells(incident)]
        table.add_row(*cells if also_replayed else cells[:-1])
    wide = Measurement.get(console, console.options.update(width=LONGEST_LINE), table).maximum
    Console(file=console.file, width=wide).print(table)


def _cells(incident: Incident) -> tuple[str, ...]:
    when = f"{incident.at:%Y-%m-%d %H:%M:%S}"
    replayed = f"{incident.replayed_at:%Y-%m-%d %H:%M:%S}" if incident.replayed_at else ""
    why = " ".join(incident.why.split())
    kind = incident.kind.value.replace("_", " ")
    return (incident.id, kind, when, incident.agent, _chat(incident.chat), why, replayed)


def _chat(document_id: str) -> str:
    """Return the chat's id in Telegram, with its topic if it has one."""
    try:
        key = ChatKey.from_id(document_id)
    except ValueError:
        return document_id
    return f"{key.chat_id}/{key.topic_id}" if key.topic_id else str(key.chat_id)
