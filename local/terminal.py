"""Output of the local cloud in the terminal."""

import re
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table
from rich.text import Text

from local.checks import RealBot
from local.options import LocalOptions
from local.processes import ROOT
from local.run_record import PartRecord, RunRecord

#: one colour for each part, in the order of the parts
COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "bright_cyan", "bright_green", "bright_magenta")
NAME_WIDTH = 12
#: Log lines that the terminal leaves out: those about scheduled work that found nothing to do, and about canaries (test
#: messages; if one is lost, a sentence reports it). `make logs` shows these lines too.
ROUTINE = re.compile(
    r"the sweep woke 0 chats\b|(ERROR: )?the canary (passed|failed)\b|stored an update .*\bkind=canary\b"
)


class LineWriter:
    """Writes lines as `name | line`, with a separate colour for each name."""

    def __init__(self, console: Console) -> None:
        """Write to `console`. Lines are not wrapped, since people copy log lines from the terminal."""
        self._console = console
        self._colours: dict[str, str] = {}

    def write(self, lines: Iterable[tuple[str, str]]) -> None:
        """Write lines, given as (part's name, line). Routine lines (ROUTINE) are left out."""
        for name, line in lines:
            if ROUTINE.match(line):
                continue
            colour = self._colours.setdefault(name, COLOURS[len(self._colours) % len(COLOURS)])
            self._console.print(Text.assemble((f"{name:<{NAME_WIDTH}} │ ", colour), line), soft_wrap=True)


#: remark about a bot that has no owner yet and so answers nobody
CLAIM = "the first to open its link below becomes the owner (LULL_OPEN=yes: everybody is answered)"


@dataclass(frozen=True)
class Addresses:
    """The addresses that a person opens in a browser: of the page, of the console, and of the real bots' console (empty
    if there is none).
    """

    page: str
    console: str
    real_console: str = ""


def banner(options: LocalOptions, opened: Addresses, model: str, bots: Iterable[RealBot], stop: str) -> Table:
    """Return the table that is shown once everything runs: addresses, model, personas and bots. `stop`: how to stop the
    local cloud.
    """
    personas = ", ".join(_short(folder) for folder in options.agents)
    rows = {
        "page": opened.page,
        "console": f"{opened.console}  (for the owner of an agent)",
        "model": model,
        "persona": f"{personas}/<name>/agent.md, reloaded when you save it",
        "kept in": f"{_short(options.data)}, deleted by `make clean`",
    }
    known = list(bots)
    if known:
        real = ", ".join(f"@{bot.username}" for bot in known)
        rows["telegram"] = f"{real} also answers in Telegram; the page has test bots of its own"
        if opened.real_console:
            rows["its console"] = f"{opened.real_console}  (on this machine, for the owner of {real})"
        if not options.opens_real_bots:
            rows["closed"] = f"{real} answers its owner and people whom the owner lets in; {CLAIM}"
    if privacy := "\n".join(bot.privacy for bot in known if bot.privacy):
        rows["in groups"] = privacy
    if not options.is_open:
        rows["closed"] = "only each agent's owner is answered, and people whom they let in (LULL_OPEN)"
    rows["stop"] = stop
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_row(Text("lull is running", "bold green"), "")
    for name, value in rows.items():
        table.add_row(Text(name, "dim"), Text(value, "bold" if name == "page" else ""))
    return table


def status_table(record: RunRecord) -> Table:
    """Return a table of the parts: the process, address, state and memory of each, and how long it has been running."""
    table = Table(box=None, pad_edge=False, title=f"lull at {record.page}", title_justify="left")
    for column in ("part", "pid", "url", "state", "memory", "up"):
        table.add_column(column, justify="right" if column in ("pid", "memory", "up") else "left", no_wrap=True)
    for name, part in record.parts.items():
        table.add_row(name, str(part.pid), part.url, part.state, _memory(part), _uptime(part))
    return table


def _memory(part: PartRecord) -> str:
    """Return the memory (RSS) in MiB of a part's process and of all processes that it started."""
    try:
        leader = psutil.Process(part.pid)
        total = leader.memory_info().rss
    except psutil.NoSuchProcess:
        return "-"
    with suppress(psutil.NoSuchProcess):
        for child in leader.children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # child processes may end at any time
                total += child.memory_info().rss
    return f"{total >> 20} MiB"


def _uptime(part: PartRecord) -> str:
    seconds = int(time.time() - part.since)
    if not psutil.pid_exists(part.pid):
        return "-"
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _short(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
