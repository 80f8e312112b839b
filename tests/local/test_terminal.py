import io
import os
from pathlib import Path

from rich.console import Console

from local.checks import RealBot
from local.options import options_from
from local.run_record import PartRecord, RunRecord, State
from local.terminal import Addresses, LineWriter, banner, status_table

PAGE = "http://127.0.0.1:1234"
OPENED = Addresses(PAGE, "http://127.0.0.1:1235/the-door")


def test_lines_carry_their_parts_name_and_are_left_as_they_are() -> None:
    screen = io.StringIO()
    writer = LineWriter(Console(file=screen, width=40))
    writer.write([("tick", "[bold]not markup[/bold] " + "x" * 100), ("webhook", "")])
    assert screen.getvalue().splitlines() == [f"tick         │ [bold]not markup[/bold] {'x' * 100}", "webhook      │ "]


def test_what_the_clock_did_without_finding_anything_is_left_to_the_logs() -> None:
    screen = io.StringIO()
    routine = (
        "the sweep woke 0 chats  [job=sweep unread=0 overdue=0]",
        "stored an update  [agent=lull chat=7dc8e0ab.lull.0.0 update=1795400645267 kind=canary]",
        "the canary passed  [job=canary ms=2310]",
        "ERROR: the canary failed: queue and tick: no tick came within 60 s  [agent=lull]",
    )
    news = ("the sweep woke 1 chats  [job=sweep]", "stored an update  [agent=lull kind=message]")
    LineWriter(Console(file=screen, width=200)).write([("maintain", line) for line in (*routine, *news)])
    assert [line.partition("│ ")[2] for line in screen.getvalue().splitlines()] == list(news)


def test_names_are_coloured_in_a_terminal_and_lines_are_not() -> None:
    screen = io.StringIO()
    writer = LineWriter(Console(file=screen, force_terminal=True, width=80))
    writer.write([("tick", "one"), ("webhook", "two")])
    first, second = screen.getvalue().splitlines()
    assert first.endswith("\x1b[0mone")
    assert second.endswith("\x1b[0mtwo")
    assert first.split("tick")[0] != second.split("webhook")[0]


def test_the_banner_says_what_to_know() -> None:
    screen = io.StringIO()
    bots = [RealBot(agent="lull", username="my_bot", token="1:secret", privacy="Privacy mode is on: deaf.")]
    Console(file=screen, width=120).print(banner(options_from({}), OPENED, "A model is ready.", bots, "Ctrl-C"))
    text = screen.getvalue()
    told = (
        PAGE,
        "http://127.0.0.1:1235/the-door",
        "A model is ready.",
        "agents/<name>/agent.md",
        ".lull",
        "@my_bot",
        "Privacy mode is on",
        "Ctrl-C",
    )
    assert [said for said in told if said not in text] == []
    assert "secret" not in text
    assert "its console" not in text
    real = Addresses(PAGE, "http://127.0.0.1:1235/the-door", "http://127.0.0.1:1236/its-door")
    Console(file=screen, width=120).print(banner(options_from({}), real, "A model is ready.", bots, "Ctrl-C"))
    assert "http://127.0.0.1:1236/its-door  (on this machine, for the owner of @my_bot)" in screen.getvalue()
    assert "the first to open its link below becomes the owner" in " ".join(text.split())
    opened = io.StringIO()
    Console(file=opened, width=120).print(banner(options_from({"LULL_OPEN": "yes"}), OPENED, "", bots, "Ctrl-C"))
    Console(file=opened, width=120).print(banner(options_from({}), OPENED, "", [], "Ctrl-C"))
    assert "closed" not in opened.getvalue()
    Console(file=screen, width=120).print(banner(options_from({"LULL_OPEN": "no"}), OPENED, "", [], "Ctrl-C"))
    assert "only each agent's owner is answered, and people whom they let in" in screen.getvalue()
    Console(file=screen, width=120).print(banner(options_from({"LULL_DATA": "/kept"}), OPENED, "", [], "make down"))
    assert Path("/kept").as_posix() in screen.getvalue()


def test_the_status_has_a_row_for_each_part() -> None:
    here = PartRecord(pid=os.getpid(), url=PAGE, state=State.RUNNING, since=0.0)
    gone = PartRecord(pid=2**22 + 1, url="", state=State.GIVEN_UP, since=0.0)
    record = RunRecord(page=PAGE, parts={"tick": here, "webhook": gone}, control_port=1, control_key="a-key")
    screen = io.StringIO()
    Console(file=screen, width=120).print(status_table(record))
    title, _, tick, webhook = screen.getvalue().splitlines()
    assert PAGE in title
    assert "running" in tick
    assert "MiB" in tick
    assert webhook.split()[-4:] == ["given", "up", "-", "-"]
