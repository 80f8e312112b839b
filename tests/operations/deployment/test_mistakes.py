"""Each mistake in terraform.tfvars gives one sentence. The file is read by Terraform itself."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from infra.bundle import ROOT
from operations.deployment.mistakes import check_mistakes
from operations.deployment.options import CannotDeploy
from tests.operations.deployment.conftest import Site

GOOD: Mapping[str, str] = {"project": '"acme-lull"', "alert_emails": '["ann@mail.test"]'}


def mistakes(folder: Path, values: Mapping[str, str], text: str = "", **env: str) -> list[str]:
    """Return the messages for a valid file with these changes."""
    for file in (ROOT / "infra").glob("variables*.tf"):
        (folder / file.name).write_text(file.read_text())
    given = {name: value for name, value in {**GOOD, **values}.items() if value}
    (folder / "terraform.tfvars").write_text("".join(f"{n} = {v}\n" for n, v in given.items()) + text)
    try:
        return check_mistakes(folder, {"PATH": Site.path(), "TF_CLI_CONFIG_FILE": "/dev/null", **env})
    except CannotDeploy as wrong:
        return str(wrong).splitlines()


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
        {"vertex_ai": "true", "settings": '{ GOOGLE_CLOUD_LOCATION = "europe-west4" }', "bundles": '"../build"'},
        {"alert_emails": '["me@mydomain.de"]'},
        {"model_providers": '{ groq = "", my_llm-2 = "https://llm.my.net:8443/v1" }'},
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
        ("project", "", 'does not set `project`: write project = "ID"'),
        ("project", '""', "not a project id"),
        ("project", '"My Project"', "not a project id"),
        ("project", '"ACME-lull"', "not a project id"),
        ("project", "123456789012", "not a project id"),
        ("project", '["acme-lull"]', "write a string in quotes"),
        ("region", '"europe-wast1"', "do you mean `europe-west1`?"),
        ("region", '"europe-west1-b"', "is not a region (do you mean `europe-west1`?)"),
        ("region", '"EUROPE-WEST1"', "is not a region"),
        ("region", '""', "is not a region"),
        ("region", '"europe-west12"', "lacks services that lull needs"),
        ("region", "{}", "write a string in quotes"),
        ("database_location", '"eur33"', "do you mean `eur3`?"),
        ("setings", '{ LULL_MODEL = "x" }', "do you mean `settings`?"),
        ("alert_emails", "", "does not say who is notified"),
        ("alert_emails", '["me@example.com"]', "an example or placeholder"),
        ("alert_emails", '["you@your.domain"]', "an example or placeholder"),
        ("alert_emails", '["me@mail.example"]', "an example or placeholder"),
        ("alert_emails", '["ann"]', "not an e-mail address"),
        ("alert_emails", '["ann@mail"]', "not an e-mail address"),
        ("alert_emails", '["ann@@mail.test"]', "not an e-mail address"),
        ("alert_emails", '["ann@mail.test, bob@mail.test"]', "not an e-mail address"),
        ("alert_emails", '[""]', "not an e-mail address"),
        ("alert_emails", '"ann@mail.test"', "write a list of strings"),
        ("agents", "[]", "at least one folder of agents/"),
        ("agents", '[""]', "at least one folder of agents/"),
        ("agents", '"lull"', "write a list of strings"),
        ("paused", '"maybe"', "write true or false"),
        ("media_days", '"a week"', "write a number"),
        ("settings", '{ LULL_MODLE = "x" }', "LULL_MODLE (do you mean `LULL_MODEL`?)"),
        ("settings", '"LULL_MODEL=x"', "write a map of strings"),
        ("agents", '["Lull"]', "is not a folder of agents/ (do you mean `lull`?)"),
        ("agents", '["lull", "my agent"]', "not a folder of agents/"),
        ("labels", '{ "My Label" = "ann" }', "lowercase letters, digits"),
        ("labels", '{ owner = "Ann Smith" }', "lowercase letters, digits"),
        ("monthly_budget", "{ units = -4 }", "a number of at least 0"),
        ("backups", "7", "write an object"),
        (
            "backups",
            "{ weekly_dys = 3 }",
            "`weekly_dys`, which is not a known field (do you mean `weekly_days`?)",
        ),
        ("backups", '{ daily_days = "few" }', '`backups.daily_days` in terraform.tfvars is "few"; write a number'),
        ("alert_limits", "{ model_usd_per_dya = 3 }", "do you mean `model_usd_per_day`?"),
        ("monthly_budget", "{ dollars = 3 }", "Known fields: units"),
        ("instances", "{ tick = { mx = 3 } }", "`instances.tick` in terraform.tfvars has `mx`"),
        ("instances", "{ tick = 3 }", "`instances.tick` in terraform.tfvars is 3; write an object"),
        ("alert_emails", '["you@yourdomain.com"]', "an example or placeholder"),
        ("alert_emails", '["mailto:ann@mail.test"]', "not an e-mail address"),
        ("region", '"eu-west-1"', "do you mean `europe-west1`?"),
        ("region", '"Europe West1"', "do you mean `europe-west1`?"),
        ("database_location", '"EUR3"', "do you mean `eur3`?"),
        ("settings", '{ lull_model = "x" }', "do you mean `LULL_MODEL`?"),
        ("settings", '{ GEMINI_API_KEY = "AIza" }', "GEMINI_API_KEY, a secret, which must not be in a file"),
        ("settings", '{ LULL_BOT_TOKENS = "{}" }', "LULL_BOT_TOKENS, a secret"),
        ("settings", '{ LULL_AGENTS = "lull" }', "which is made from other variables of terraform.tfvars"),
        ("settings", '{ GOOGLE_CLOUD_LOCATION = "europe" }', "where Vertex AI is not available"),
        ("settings", '{ LULL_DAY_USD = "" }', 'LULL_DAY_USD = "": write the value without spaces or quotes around it'),
        ("settings", '{ LULL_READER_HOSTS = " " }', "or remove it"),
        ("settings", '{ TELEGRAM_API_URL = "http://x:1\\n" }', "write the value without spaces"),
        ("settings", "{ GEMINI_BASE_URL = \"'http://x:1'\" }", "write the value without spaces or quotes"),
        ("settings", '{ GOOGLE_CLOUD_LOCATION = "europe-west1" }', "which only applies to Vertex AI"),
        ("settings", '{ LULL_PROVIDER_KEYS = "{}" }', "LULL_PROVIDER_KEYS, a secret"),
        ("settings", '{ LULL_PROVIDERS = "{}" }', "set model_providers = { NAME = ADDRESS }"),
        ("model_providers", '["groq"]', "write a map of strings"),
        ("model_providers", '{ grok = "" }', "grok without an address (do you mean `groq`?)"),
        ("model_providers", '{ Groq = "" }', "not a valid name of a provider (do you mean `groq`?)"),
        ("model_providers", '{ home = "" }', "home without an address: write the address of its API"),
        ("model_providers", '{ home = "http://llm.my.net/v1" }', "home with an address that is not https"),
        ("model_providers", '{ home = "https://u:p@llm.my.net/v1" }', "or has a user"),
        ("model_providers", '{ gemini = "" }', "has gemini: remove it"),
        ("model_provider_keys", '{ groq = "gsk" }', "which must not be in a file"),
        ("LULL_MODEL", '"gemini-3.5-flash-lite"', "is a setting: write settings = { LULL_MODEL = … }"),
        ("bot_tokens", '{ lull = "1:a" }', "which must not be in a file"),
        ("gemini_api_key", '"AIza"', "which must not be in a file"),
        ("bundles", '"../nowhere"', "writes the functions' zips to build/: remove it"),
        ("monthly_budget", "{ units = 20.5 }", "write a whole number"),
        ("instances", "{ tick = { max = 0 } }", "a number of at least 1"),
        ("instances", "{ tick = { min = 5, max = 3 } }", "min 5 above max 3"),
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
    assert sum("is not a variable" in line for line in lines) + 4 == 6
    assert "terraform.tfvars has 4 more names that are not variables" in lines[-1]


@pytest.mark.parametrize("text", ["agents = [\n", "setings {\n}\n", 'name = "lull\n', "region = europe-west1\n", "=\n"])
def test_a_file_that_cannot_be_read_says_in_which_line(tmp_path: Path, text: str) -> None:
    lines = mistakes(tmp_path, {}, text)
    assert lines
    for line in lines:
        assert "terraform.tfvars cannot be read in line " in line
        assert line.endswith("as in terraform.tfvars.example.")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("project = 'acme-lull'\n", 1, "Single quotes are not valid"),
        ("project = “acme-lull”\n", 1, '"Curly quotes" are not valid'),
        ("project = acme-lull\n", 1, "write strings in quotes"),
        ("project: acme\n", 1, 'use the equals sign "="'),
        ('project = "acme-lull",\n', 1, "remove the comma at the end of the line"),
        ('project = "a-project"\nproject = "a-project"\n', 2, "remove one of the two"),
        ('project = "a-project"\nsettings {\n}\n', 2, "write NAME = { … } with an equals sign"),
    ],
)
def test_one_sentence_says_what_is_wrong_in_a_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    (told,) = mistakes(tmp_path, dict.fromkeys(GOOD, ""), text)
    assert told.startswith(f"terraform.tfvars cannot be read in line {line} (")
    assert said in told


def test_how_an_editor_saves_a_file_does_not_matter_as_far_as_terraform_reads_it(tmp_path: Path) -> None:
    assert mistakes(tmp_path, {}) == []
    good = (tmp_path / "terraform.tfvars").read_bytes()

    def told(content: bytes) -> list[str]:
        (tmp_path / "terraform.tfvars").write_bytes(content)
        try:
            return check_mistakes(tmp_path, {"PATH": Site.path(), "TF_CLI_CONFIG_FILE": "/dev/null"})
        except CannotDeploy as wrong:
            return str(wrong).splitlines()

    assert told(good.replace(b"\n", b"\r\n").replace(b" = ", b"\t=\t")) == []
    assert told(b"\xef\xbb\xbf" + good) == []
    (said,) = told(good.decode().encode("utf-16"))
    assert "save it as UTF-8" in said


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("TF_VAR_projct", "x", "TF_VAR_projct, which is not a variable (do you mean `project`?)"),
        ("TF_VAR_PROJECT", "x", "do you mean `project`?"),
        ("TF_VAR_bot_token", "1:secret", "do you mean `bot_tokens`?"),
        ("TF_VAR_agents", "lull", 'write it like TF_VAR_agents=\'["one", "two"]\'.'),
        ("TF_VAR_settings", "LULL_MODEL=x", "write it like TF_VAR_settings='{ NAME = \"value\" }'."),
        ("TF_VAR_paused", "yes", '`paused` in the shell (TF_VAR_…) is "yes"; write true or false.'),
        ("TF_VAR_bundles", "../nowhere", "`bundles` in the shell"),
    ],
)
def test_each_mistake_of_the_shell_is_one_sentence(tmp_path: Path, name: str, value: str, said: str) -> None:
    (line,) = mistakes(tmp_path, {}, **{name: value})
    assert said in line
    assert "secret" not in line


def test_what_of_the_shell_has_no_effect_is_said_and_stops_nothing(tmp_path: Path) -> None:
    told = mistakes(tmp_path, {}, TF_VAR_do_vpc_cidr="x", LULL_MODEL="gemini-3.5-flash-lite", LULL_SECRETS="/s")
    assert told == [
        "TF_VAR_do_vpc_cidr in the shell is not a variable of lull and is ignored.",
        "LULL_MODEL in the shell only applies to this machine. The deployment uses `settings` in terraform.tfvars.",
    ]


@pytest.mark.parametrize("name", ["lull.tfvars", "terraform.tfvars.txt", "../terraform.tfvars"])
def test_a_file_that_is_not_read_is_named(tmp_path: Path, name: str) -> None:
    infra = tmp_path / "infra"
    infra.mkdir()
    (infra / name).write_text('project = "acme-lull"\n')
    told = mistakes(infra, dict.fromkeys(GOOD, ""))
    assert f"{Path('infra', name).resolve().name} is ignored. Terraform reads only infra/terraform.tfvars" in told[-1]


async def test_another_makers_model_is_refused_also_where_nothing_is_limited(site: Site) -> None:
    site.write(vertex_ai=True, settings={"LULL_MODEL": "gpt-5", "LULL_LIMITS": "no"})
    code, said = await site.run("deploy")
    assert (code, "is gpt-5, which is not a model of Google's" in said, "[2/7]" in said) == (1, True, False), said


async def test_a_model_that_vertex_ai_lacks_there_is_refused_before_anything_is_made(site: Site) -> None:
    place = {"GOOGLE_CLOUD_LOCATION": "europe-west4"}
    site.write(vertex_ai=True, settings=place)
    site.safe.unlink()
    site.apis.lacking = {"europe-west4": {"gemini-embedding-2"}}
    code, said = await site.run("deploy")
    told = "LULL_EMBEDDING_MODEL is gemini-embedding-2, but Vertex AI does not have this model in europe-west4"
    assert (code, told in said, "Secrets are read from" in said) == (1, True, False), said
    # the model exists elsewhere, and models for only some agents are checked only if they are set
    site.apis.lacking = {"europe-west4": {"gemini-3.8-flash-lite-tts"}}
    code, said = await site.run("deploy", "--yes")
    assert (code, "The bot token of the agent" in said) == (1, True), said


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
    assert 'var.name is "Lull"; name is' in told
    assert not [noise for noise in ("gemini_api_key", "on variables", "This was checked", "{\\") if noise in told]


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"TF_VAR_bot_tokens": "lull=1:a"}, "TF_VAR_bot_tokens must be JSON like"),
        ({"LULL_INFRA": "/nowhere"}, "LULL_INFRA is /nowhere, which is not a folder"),
        ({"GOOGLE_APPLICATION_CREDENTIALS": "/nowhere.json"}, "unset GOOGLE_APPLICATION_CREDENTIALS"),
        ({"GOOGLE_APPLICATION_CREDENTIALS": "/etc/hostname"}, "unset GOOGLE_APPLICATION_CREDENTIALS"),
    ],
)
async def test_what_the_shell_has_wrong_is_said_before_anything_else(
    site: Site, env: dict[str, str], said: str
) -> None:
    code, told = await site.run("deploy", **env)
    assert (code, said in told.splitlines()[-1], "[2/7]" in told) == (1, True, False), told


async def test_a_value_that_is_no_simple_one_is_told_by_what_it_may_be(site: Site) -> None:
    site.write(instances={"tik": {"max": 3}})
    told = (await site.run("deploy"))[1].splitlines()[-1]
    assert "Terraform says: instances knows the functions console, describe_media, erase, maintain, reader" in told


async def test_everything_is_looked_at_before_a_secret_is_asked_for(site: Site) -> None:
    site.safe.unlink()
    site.apis.is_paid = False
    code, said = await site.run("deploy")
    assert (code, "Billing is not enabled for the project" in said) == (1, True), said
    assert "Secrets are read from" not in said
