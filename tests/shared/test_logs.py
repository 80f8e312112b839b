"""Logs: Cloud Logging's fields on every line, and nothing that people wrote or that is secret."""

import io
import json
import logging
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shared.base.errors import LullError, StoreUnavailable
from shared.base.logs import (
    QUIET_LOGGERS,
    CloudFormatter,
    SafeRecord,
    TextFormatter,
    about,
    current_trace,
    log,
    log_failure,
    stack_of,
)

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def lines_of(formatter: logging.Formatter, work: Callable[[], None], logger: str = "lull") -> list[str]:
    """Run some work, and list the lines that one logger writes."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter)
    target = logging.getLogger(logger)
    level = target.level
    target.setLevel(logging.DEBUG)
    target.addHandler(handler)
    try:
        work()
    finally:
        target.removeHandler(handler)
        target.setLevel(level)
    return written.getvalue().splitlines()


def entry_of(work: Callable[[], None], logger: str = "lull") -> dict[str, Any]:
    (line,) = lines_of(CloudFormatter("my-lull"), work, logger)
    found = json.loads(line)
    assert isinstance(found, dict)
    return found


def test_a_line_has_cloud_loggings_fields_and_what_it_is_about() -> None:
    def work() -> None:
        with about(trace=TRACE, agent="lull", chat="c"), about(update=7):
            log("stored an update", kind="message")

    assert entry_of(work) == {
        "severity": "INFO",
        "message": "stored an update",
        "logging.googleapis.com/trace": f"projects/my-lull/traces/{TRACE}",
        "agent": "lull",
        "chat": "c",
        "update": 7,
        "kind": "message",
    }


def test_a_field_never_takes_the_place_of_the_words_or_the_severity() -> None:
    found = entry_of(lambda: log("decided", logging.WARNING, message=5))
    assert (found["message"], found["severity"]) == ("decided", "WARNING")


def test_a_field_that_is_not_known_is_left_out() -> None:
    assert entry_of(lambda: log("m", usd=0.25, ms=None)) == {"severity": "INFO", "message": "m", "usd": 0.25}


def test_what_a_line_is_about_ends_with_its_block() -> None:
    with about(trace=TRACE):
        assert current_trace() == TRACE
    assert current_trace() == ""
    assert "agent" not in entry_of(lambda: log("after"))


def raised(error: Exception, cause: Exception | None = None) -> Exception:
    try:
        raise error from cause
    except type(error) as caught:
        return caught


def test_an_error_of_lulls_is_told_with_its_place() -> None:
    error = raised(StoreUnavailable("Firestore did not commit (Aborted)"))
    assert isinstance(error, LullError)
    found = entry_of(lambda: log_failure(error))
    assert (found["severity"], found["message"]) == ("ERROR", "Firestore did not commit (Aborted)")
    assert "test_logs.py" in found["stack_trace"]
    assert found["stack_trace"].endswith("shared.base.errors.StoreUnavailable: Firestore did not commit (Aborted)")


def test_foreign_errors_keep_their_texts_to_themselves() -> None:
    foreign = raised(ValueError("https://api.telegram.org/bot123:TOKEN/sendMessage hello Ann"))
    error = raised(StoreUnavailable("it failed"), foreign)
    for found in (json.dumps(entry_of(lambda: log("oops", error=error))), stack_of(error), stack_of(foreign)):
        assert "TOKEN" not in found
        assert "Ann" not in found
        assert "ValueError" in found


def test_a_stack_reads_as_pythons_own_traceback_without_texts_and_code() -> None:
    foreign = raised(ValueError("bot123:TOKEN"))
    error = raised(StoreUnavailable("it failed"), foreign)
    theirs = "".join(traceback.format_exception(error)).splitlines()
    ours = stack_of(error).splitlines()
    assert ours == [line.removesuffix(": bot123:TOKEN") for line in theirs if not line.startswith("    ")]
    assert entry_of(lambda: log("oops", logging.ERROR, error))["stack_trace"].splitlines() == ours


def test_of_foreign_lines_only_the_first_is_kept() -> None:
    text = "Task exception was never retrieved\nfuture: <Task exception=%r>"
    record = record_of("asyncio", text, ValueError("bot123:TOKEN"))
    assert record.getMessage() == "Task exception was never retrieved"
    assert record_of("lull", "one\ntwo").getMessage() == "one\ntwo"


def record_of(logger: str, text: str, *given: object) -> SafeRecord:
    return SafeRecord(logger, logging.ERROR, "x.py", 1, text, given, None)


def test_whoever_prints_a_record_prints_no_text_of_a_foreign_error() -> None:
    try:
        raise ValueError("bot123:TOKEN")
    except ValueError as error:
        told = SafeRecord("x", logging.ERROR, "x.py", 1, "oops", (), (ValueError, error, error.__traceback__))
        handled = record_of("", f"Exception on /lull\n{error}")
    for record in (told, handled):
        printed = logging.Formatter().format(record)
        assert "TOKEN" not in printed
        assert "test_logs.py" in printed
        assert printed.endswith("ValueError")
    assert logging.Formatter().format(record_of("", "no error at all")) == "no error at all"


def test_a_line_for_people_is_one_line() -> None:
    def work() -> None:
        with about(trace=TRACE, chat="c"):
            log("stored an update", update=7)
            log("it failed", logging.ERROR)

    assert lines_of(TextFormatter(), work) == ["stored an update  [chat=c update=7]", "ERROR: it failed  [chat=c]"]
    assert lines_of(TextFormatter(), lambda: log("plain")) == ["plain"]


PROGRAM = """
import asyncio, logging, sys
from shared.base.logs import configure_logs, log
configure_logs(sys.argv[1], "p")
log("ours")
for name in {names}:
    logging.getLogger(name).info("GET https://api.telegram.org/bot123:TOKEN/getMe")
logging.getLogger("stranger").info("chatter")
logging.getLogger("stranger").warning("a warning")
"""


SET_UP_ANEW = """
import logging, sys
from logging.config import dictConfig
from shared.base.logs import configure_logs, log
configure_logs("json", "p")
dictConfig({
    "version": 1,
    "handlers": {"other": {"class": "logging.StreamHandler", "stream": "ext://sys.stderr"}},
    "root": {"level": "WARNING", "handlers": ["other"]},
})
log("ours")
try:
    raise ValueError("bot123:TOKEN")
except ValueError:
    logging.getLogger("stranger").exception("theirs")
"""


def test_lull_logs_whoever_sets_logging_up_anew() -> None:
    done = program(SET_UP_ANEW)
    assert json.loads(done.stdout) == {"severity": "INFO", "message": "ours"}
    assert done.stderr.splitlines()[0] == "theirs"
    assert done.stderr.splitlines()[-1] == "ValueError"


def program(code: str, *given: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *given]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])


@pytest.mark.parametrize(("log_format", "lines"), [("json", 2), ("text", 2)])
def test_a_process_writes_its_own_lines_and_only_the_warnings_of_others(log_format: str, lines: int) -> None:
    done = program(PROGRAM.format(names=QUIET_LOGGERS), log_format)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == lines
    assert "TOKEN" not in done.stdout
    if log_format == "json":
        assert [json.loads(line)["severity"] for line in done.stdout.splitlines()] == ["INFO", "WARNING"]
