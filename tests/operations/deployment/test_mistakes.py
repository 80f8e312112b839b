"""Mistakes in terraform.tfvars: each is one sentence that says what is wrong, and Terraform itself has read it."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from infra.bundle import ROOT
from operations.deployment.mistakes import check_mistakes
from operations.deployment.options import CannotDeploy
from tests.operations.deployment.conftest import Site

GOOD: Mapping[str, str] = {"project": '"acme-lull"', "alert_emails": '["ann@mail.test"]'}


def mistakes(folder: Path, values: Mapping[str, str], text: str = "", **env: str) -> list[str]:
    """What is said of a file with good values, but for these."""
    for file in (ROOT / "infra").glob("variables*.tf"):
        (folder / file.name).write_text(file.read_text())
    given = {name: value for name, value in {**GOOD, **values}.items() if value}
    (folder / "terraform.tfvars").write_text("".join(f"{n} = {v}\n" for n, v in given.items()) + text)
    try:
        check_mistakes(folder, {"PATH": Site.path(), "TF_CLI_CONFIG_FILE": "/dev/null", **env})
    except CannotDeploy as wrong:
        return str(wrong).splitlines()
    return []


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"alert_emails": "[]"},
        {"region": '"us-central1"', "database_location": '"eur3"', "agents": '["lull", "moss"]'},
        {"settings": '{ LULL_MODEL = "gemini-3.5-flash-lite", LULL_DAY_MESSAGES = 5 }', "media_days": '"7"'},
        {
            "paused": "true",
            "backups": "{ daily_days = 3 }",
            "billing_account": "null",
            "labels": '{ owner = "ann", b = "" }',
        },
        {
            "alert_limits": '{ model_usd_per_day = null, errors = "5" }',
            "instances": "{ tick = { max = 3 }, erase = {} }",
        },
    ],
)
def test_what_is_right_is_not_complained_of(tmp_path: Path, values: dict[str, str]) -> None:
    assert mistakes(tmp_path, values) == []


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("project", "", 'names no project: write project = "ID"'),
        ("project", '""', "no project's id"),
        ("project", '"My Project"', "no project's id"),
        ("project", '"ACME-lull"', "no project's id"),
        ("project", "123456789012", "no project's id"),
        ("project", '["acme-lull"]', "write a text in quotes"),
        ("region", '"europe-wast1"', "do you mean `europe-west1`?"),
        ("region", '"europe-west1-b"', "is no region (do you mean `europe-west1`?)"),
        ("region", '"EUROPE-WEST1"', "is no region"),
        ("region", '""', "is no region"),
        ("region", '"europe-west12"', "has not all that lull needs"),
        ("region", "{}", "write a text in quotes"),
        ("database_location", '"eur33"', "do you mean `eur3`?"),
        ("setings", '{ LULL_MODEL = "x" }', "do you mean `settings`?"),
        ("alert_emails", "", "does not say who is told"),
        ("alert_emails", '["me@example.com"]', "an example that is nobody's"),
        ("alert_emails", '["you@your.domain"]', "an example that is nobody's"),
        ("alert_emails", '["me@mail.example"]', "an example that is nobody's"),
        ("alert_emails", '["ann"]', "no e-mail address"),
        ("alert_emails", '["ann@mail"]', "no e-mail address"),
        ("alert_emails", '["ann@@mail.test"]', "no e-mail address"),
        ("alert_emails", '["ann@mail.test, bob@mail.test"]', "no e-mail address"),
        ("alert_emails", '[""]', "no e-mail address"),
        ("alert_emails", '"ann@mail.test"', "write a list of texts"),
        ("agents", "[]", "at least one folder of agents/"),
        ("agents", '[""]', "at least one folder of agents/"),
        ("agents", '"lull"', "write a list of texts"),
        ("paused", '"maybe"', "write true or false"),
        ("media_days", '"a week"', "write a number"),
        ("settings", '{ LULL_MODLE = "x" }', "LULL_MODLE (do you mean `LULL_MODEL`?)"),
        ("settings", '"LULL_MODEL=x"', "write texts by name"),
        ("agents", '["Lull"]', "is no folder of agents/ (do you mean `lull`?)"),
        ("agents", '["lull", "my agent"]', "no folder of agents/"),
        ("labels", '{ "My Label" = "ann" }', "small letters, digits"),
        ("labels", '{ owner = "Ann Smith" }', "small letters, digits"),
        ("monthly_budget", "{ units = -4 }", "not below 0"),
        ("backups", "7", "write an object"),
        ("backups", "{ weekly_dys = 3 }", "has `weekly_dys`, which it does not take (do you mean `weekly_days`?)"),
        ("backups", '{ daily_days = "few" }', '`backups.daily_days` in terraform.tfvars is "few"; write a number'),
        ("alert_limits", "{ model_usd_per_dya = 3 }", "do you mean `model_usd_per_day`?"),
        ("monthly_budget", "{ dollars = 3 }", "it has units"),
        ("instances", "{ tick = { mx = 3 } }", "`instances.tick` in terraform.tfvars has `mx`"),
        ("instances", "{ tick = 3 }", "`instances.tick` in terraform.tfvars is 3; write an object"),
        ("archive_s3", '{ bucket = "b", regin = "eu-west-1" }', "do you mean `region`?"),
    ],
)
def test_each_mistake_is_one_sentence(tmp_path: Path, name: str, value: str, said: str) -> None:
    (line,) = mistakes(tmp_path, {name: value})
    assert said in line
    assert name in line
    assert line.endswith(".")


def test_all_names_that_are_no_variables_are_told_or_counted(tmp_path: Path) -> None:
    lines = mistakes(tmp_path, {}, "".join(f"wrong_{n} = {n}\n" for n in range(6)))
    assert sum("is no variable" in line for line in lines) + 4 == 6
    assert "terraform.tfvars has 4 more names that are no variables" in lines[-1]


@pytest.mark.parametrize("text", ["agents = [\n", "setings {\n}\n", 'name = "lull\n', "region = europe-west1\n", "=\n"])
def test_a_file_that_cannot_be_read_says_in_which_line(tmp_path: Path, text: str) -> None:
    lines = mistakes(tmp_path, {}, text)
    assert lines
    for line in lines:
        assert "terraform.tfvars cannot be read in line " in line
        assert line.endswith("as in terraform.tfvars.example.")


def test_all_mistakes_are_told_at_once_also_those_of_the_shell(tmp_path: Path) -> None:
    env = {"TF_VAR_project": "My Project", "TF_VAR_alert_emails": '["me@example.com"]', "TF_CLI_ARGS": "-no-color"}
    told = mistakes(tmp_path, {"project": "", "alert_emails": "", "region": '"mars1"'}, **env)
    assert [line.split("`")[1] for line in told] == ["project", "region", "alert_emails"]


async def test_nothing_is_begun_and_nobody_asked_where_something_is_wrong(site: Site) -> None:
    site.write(region="europe-wast1")
    site.safe.unlink()
    code, said = await site.run("deploy")
    assert (code, "do you mean `europe-west1`?" in said) == (1, True), said
    assert "Initializing" not in said
    assert "[2/7]" not in said


async def test_a_model_without_a_price_says_which_setting_gives_one(site: Site) -> None:
    site.write(settings={"LULL_MODEL": "gpt-5"})
    code, said = await site.run("deploy")
    assert (code, "LULL_MODEL" in said, "LULL_PRICES" in said, "[2/7]" in said) == (1, True, True, False), said


async def test_what_terraform_alone_finds_is_its_sentence_and_nothing_around_it(site: Site) -> None:
    site.write(name="Lull", media_days=0)
    code, said = await site.run("deploy")
    assert code == 1
    told = next(line for line in said.splitlines() if "cannot be used" in line)
    assert "name is 2 to 13 small letters" in told
    assert "media_days is a whole number of days, at least 1." in told
    assert not [noise for noise in ("gemini_api_key", "on variables", "This was checked", "{\\") if noise in told]


async def test_everything_is_looked_at_before_a_secret_is_asked_for(site: Site) -> None:
    site.safe.unlink()
    site.apis.is_paid = False
    code, said = await site.run("deploy")
    assert (code, "Nobody pays for the project" in said) == (1, True), said
    assert "Secrets are looked for" not in said
