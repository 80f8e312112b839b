"""The commands that a newcomer types."""

import re
import subprocess

import pytest

from local.processes import ROOT
from local.up import COMMANDS

RUNNING = ("dev", "up", "status", "logs", "restart", "down")
TARGETS = (
    *RUNNING,
    "incidents",
    "replay",
    "describe",
    "rebuild",
    "export",
    "archive",
    "restore",
    "test",
    "check",
    "fmt",
    "bench",
    "bundle",
    "inventory",
    "mutants",
    "deploy",
    "register",
    "canary",
    "destroy",
    "clean",
    "help",
)


def make(*arguments: str) -> str:
    ended = subprocess.run(
        ["make", "--no-print-directory", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return ended.stdout


def test_make_alone_tells_every_command_and_what_it_does() -> None:
    told = dict(re.findall(r"^  make (\w+) +(.+)$", make(), re.MULTILINE))
    assert told.keys() == set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_every_command_makes_the_checkout_ready_first(target: str) -> None:
    commands = make("-n", target, "TO=gs://a", "FROM=gs://a")
    assert ("local/bootstrap.py" in commands) is (target != "help")


@pytest.mark.parametrize("command", COMMANDS)
def test_what_runs_the_cloud_goes_to_one_program(command: str) -> None:
    assert f"-m local.up {command}" in make("-n", command, "PART=tick")


def test_which_conversations_and_where_to_can_be_named() -> None:
    assert "operations export --chat=-100/7 --to=x" in " ".join(make("-n", "export", "CHAT=-100/7", "TO=x").split())
    assert "operations archive gs://a" in make("-n", "archive", "TO=gs://a")
    assert "operations restore s3://a --add" in make("-n", "restore", "FROM=s3://a", "ADD=yes")


def test_a_part_and_a_bench_can_be_named() -> None:
    assert "local.up restart tick" in make("-n", "restart", "PART=tick")
    assert "benchmarks webhook" in make("-n", "bench", "NAME=webhook")


def test_incidents_are_listed_and_replayed_by_one_program() -> None:
    assert "-m operations incidents" in make("-n", "incidents")
    assert "operations incidents --kind dead_letter --all" in make("-n", "incidents", "KIND=dead_letter", "ALL=yes")
    assert make("-n", "replay").rstrip().endswith("-m operations replay")
    assert "operations replay dead-1" in make("-n", "replay", "ID=dead-1")
    assert "operations replay --all" in make("-n", "replay", "ID=--all")


def test_the_test_command_checks_style_types_and_behaviour() -> None:
    commands = make("-n", "test")
    for step in ("ruff check", "ruff format --check", "mypy", "local.browser", "pytest -n auto"):
        assert step in commands


def test_ci_runs_what_a_person_runs() -> None:
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == "make test"


def test_a_deployment_is_made_and_taken_away_by_one_program() -> None:
    assert make("-n", "deploy").rstrip().endswith("-m operations.deployment deploy")
    assert "operations.deployment deploy --yes" in make("-n", "deploy", "YES=1")
    assert make("-n", "destroy").rstrip().endswith("-m operations.deployment destroy")
    assert make("-n", "destroy", "DATA=no").rstrip().endswith("-m operations.deployment destroy")
    assert make("-n", "destroy", "DATA=yes").rstrip().endswith("--data")
    assert make("-n", "register").rstrip().endswith("-m operations.deployment register")


@pytest.mark.parametrize(("target", "told"), [("archive", "make archive TO=gs://"), ("restore", "make restore FROM=")])
def test_what_is_missing_is_told_as_it_is_typed(target: str, told: str) -> None:
    ended = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode != 0
    assert told in ended.stderr


@pytest.mark.parametrize("word", ["no", "No", "0", "false", "off", "nein", " "])
def test_who_says_no_is_not_taken_to_have_agreed(word: str) -> None:
    for target, name in (("deploy", "YES"), ("destroy", "YES"), ("rebuild", "YES"), ("restore", "ADD")):
        named = f" {target} gs://a" if target == "restore" else f" {target}"
        assert make("-n", target, "FROM=gs://a", f"{name}={word}").rstrip().endswith(named)


@pytest.mark.parametrize("word", ["yes", "YES", "1", "true", "y"])
def test_yes_is_written_in_several_ways(word: str) -> None:
    assert make("-n", "destroy", f"YES={word}").rstrip().endswith("destroy --yes")
