"""The commands that a newcomer types."""

import re
import subprocess

import pytest

from local.processes import ROOT
from local.up import COMMANDS

TARGETS = ("dev", "up", "status", "logs", "restart", "down", "test", "check", "fmt", "bench", "clean", "help")


def make(*arguments: str) -> str:
    ended = subprocess.run(["make", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return ended.stdout


def test_make_alone_tells_every_command_and_what_it_does() -> None:
    told = dict(re.findall(r"^  make (\w+) +(.+)$", make(), re.MULTILINE))
    assert told.keys() == set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_every_command_makes_the_checkout_ready_first(target: str) -> None:
    commands = make("-n", target)
    assert ("local/bootstrap.py" in commands) is (target != "help")


@pytest.mark.parametrize("command", COMMANDS)
def test_what_runs_the_cloud_goes_to_one_program(command: str) -> None:
    assert f"-m local.up {command}" in make("-n", command, "PART=tick")


def test_a_part_and_a_bench_can_be_named() -> None:
    assert "local.up restart tick" in make("-n", "restart", "PART=tick")
    assert "benchmarks webhook" in make("-n", "bench", "NAME=webhook")


def test_the_test_command_checks_style_types_and_behaviour() -> None:
    commands = make("-n", "test")
    for step in ("ruff check", "ruff format --check", "mypy", "local.browser", "pytest -n auto"):
        assert step in commands


def test_ci_runs_what_a_person_runs() -> None:
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == "make test"
