"""Settings: read once; errors have name, purpose and example, never the value."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.base.errors import InvalidSettings
from shared.values.prompt_format import PromptFormat
from shared.values.usage import price_of, set_prices
from shared.values.wake import Queue
from shared.wiring.settings import (
    EraseSettings,
    MaintainSettings,
    ProjectSettings,
    ReaderSettings,
    Settings,
    WebhookSettings,
)
from shared.wiring.settings.environment import example_of
from shared.wiring.settings.model_functions import LITE, SummarizeSettings, TickSettings
from shared.wiring.settings.model_names import NO_MODEL
from tests.shared.examples import NOW
from tests.shared.wiring.program import MAINTAIN

ROOT = Path(__file__).resolve().parents[2]
BASE = {
    "GOOGLE_CLOUD_PROJECT": "p",
    "LULL_QUEUE": "projects/p/locations/l/queues/q",
    "LULL_TICK_URL": "http://tick",
}
WEBHOOK = BASE | {"LULL_WEBHOOK_SECRET": "hush", "LULL_AGENTS": "lull,moss"}
TICK = BASE | {"LULL_BOT_TOKENS": '{"lull": "123:token"}', "LULL_WEBHOOK_SECRET": "hush", "GEMINI_API_KEY": "key"}
SUMMARIZE = BASE | {"LULL_AGENTS": "lull,moss", "GEMINI_API_KEY": "the-key"}
NUMBERS = [name for name, field in TickSettings.variables().items() if isinstance(field.default, int | float)]


def complaint(kind: type[ProjectSettings], env: dict[str, str]) -> str:
    with pytest.raises(InvalidSettings) as caught:
        kind.from_environment(env)
    assert caught.value.__suppress_context__
    assert caught.value.__cause__ is None
    return str(caught.value)


def test_what_is_set_is_read_and_the_rest_has_defaults() -> None:
    env = TICK | {"LULL_LEASE_S": "30", "LULL_PROMPT_FORMAT": "compact", "PATH": "/bin"}
    found = TickSettings.from_environment(env)
    assert (found.lease_s, found.prompt_format, found.task_tries) == (30.0, PromptFormat.COMPACT, 10)
    assert found.bot_tokens["lull"].get_secret_value() == "123:token"
    assert {kind: quiet.total_seconds() for kind, quiet in found.quiet.items()} == {
        "private": 1.5,
        "group": 3.0,
        "supergroup": 3.0,
    }


def test_an_empty_value_is_none() -> None:
    assert WebhookSettings.from_environment(WEBHOOK | {"LULL_LATER_S": ""}).later_s == 60
    assert "LULL_WEBHOOK_SECRET is not set" in complaint(WebhookSettings, WEBHOOK | {"LULL_WEBHOOK_SECRET": ""})


@pytest.mark.parametrize("kind", [WebhookSettings, TickSettings, SummarizeSettings])
def test_everything_that_is_missing_is_named_at_once_with_purpose_and_example(kind: type[Settings]) -> None:
    lines = complaint(kind, {}).splitlines()
    fields = kind.variables()
    required = [name for name, field in fields.items() if field.is_required() or name == "GEMINI_API_KEY"]
    assert len(lines) == len(required) >= 4
    for line, name in zip(lines, required, strict=True):
        purpose, example = fields[name].description, example_of(fields[name])
        assert line == f"{name} is not set: it is {purpose}. Example: {name}={example}"
    assert [*kind.needed_examples()] == required


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", ["-1", "nan", "inf", "1e300", "S3CRET"])
def test_a_number_without_sense_is_refused_and_not_repeated(name: str, value: str) -> None:
    text = complaint(TickSettings, TICK | {name: value})
    assert text.startswith(f"{name} is wrong (")
    assert "Example: " in text
    assert "S3CRET" not in text


@pytest.mark.parametrize("value", ["S3CRET", '["S3CRET"]', '{"lull": ["S3CRET"]}', '{"lull": "S3CRET"', '"S3CRET"'])
def test_a_secret_that_is_wrong_is_not_told(value: str) -> None:
    text = complaint(TickSettings, TICK | {"LULL_BOT_TOKENS": value})
    assert "LULL_BOT_TOKENS is wrong" in text
    assert "S3CRET" not in text


def test_a_key_is_needed_unless_vertex_ai_is_used() -> None:
    without = {name: value for name, value in TICK.items() if name != "GEMINI_API_KEY"}
    found = TickSettings.from_environment(without | {"GOOGLE_GENAI_USE_ENTERPRISE": "true"})
    assert (found.vertex_ai, found.vertex_location, found.gemini_api_key.get_secret_value()) == (True, "global", "")
    for env in (without, without | {"GOOGLE_GENAI_USE_ENTERPRISE": "false"}, TICK | {"GEMINI_API_KEY": ""}):
        assert complaint(TickSettings, env).startswith("GEMINI_API_KEY is not set: it is the key of Gemini's API")
    said = complaint(TickSettings, without | {"GOOGLE_GENAI_USE_ENTERPRISE": "S3CRET"})
    assert [line.split()[0] for line in said.splitlines()] == ["GOOGLE_GENAI_USE_ENTERPRISE"]
    assert said.startswith("GOOGLE_GENAI_USE_ENTERPRISE is wrong (")
    assert "S3CRET" not in said


def test_secrets_do_not_show() -> None:
    shown = repr(TickSettings.from_environment(TICK)) + repr(WebhookSettings.from_environment(WEBHOOK))
    assert "123:token" not in shown
    assert "hush" not in shown
    assert "'key'" not in shown


def test_every_setting_says_what_it_is_for_and_its_example_is_taken() -> None:
    for kind, base in ((WebhookSettings, WEBHOOK), (TickSettings, TICK), (SummarizeSettings, SUMMARIZE)):
        for name, field in kind.variables().items():
            assert field.description
            kind.from_environment(base | {name: example_of(field)})


def test_the_folders_of_agents_keep_their_order_and_lie_beside_the_code() -> None:
    paths = os.pathsep.join(("mine", "", "/elsewhere/agents"))
    found = WebhookSettings.from_environment(WEBHOOK | {"LULL_AGENTS_PATH": paths}).agent_folders
    assert found == (ROOT / "mine", Path("/elsewhere/agents"))


@pytest.mark.parametrize(
    ("module", "kind", "env"),
    [
        ("settings", "WebhookSettings", WEBHOOK),
        ("settings.model_functions", "ModelSettings", TICK),
        ("settings", "ProjectSettings", {"GOOGLE_CLOUD_PROJECT": "p"}),
        ("settings", "Settings", BASE),
    ],
)
def test_a_process_reads_its_own_environment(module: str, kind: str, env: dict[str, str]) -> None:
    code = f"from shared.wiring.{module} import {kind}; print({kind}.from_environment().project)"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "p\n"


@pytest.mark.parametrize(
    ("model", "models", "expected"),
    [
        ("", "", ("gemini-3.8-flash", LITE)),
        (LITE, "", (LITE,)),
        ("mine", "", ("mine",)),
        ("mine", " other, mine,,third ", ("mine", "other", "third")),
        ("gemini-3.8-flash", "a, b,a", ("gemini-3.8-flash", "a", "b")),
    ],
)
def test_the_usual_model_is_the_first_of_those_that_are_offered(
    model: str, models: str, expected: tuple[str, ...]
) -> None:
    settings = TickSettings.from_environment(TICK | {"LULL_MODEL": model, "LULL_MODELS": models, "LULL_LIMITS": "no"})
    assert settings.offered_models == expected


def test_jobs_go_to_the_ticks_and_wherever_else_the_routes_lead() -> None:
    usual = WebhookSettings.from_environment(WEBHOOK | {"LULL_INVOKER": "ticks@p"}).routes
    assert {queue: (at.name, at.invoker) for queue, at in usual.queues.items()} == {
        "ticks": (BASE["LULL_QUEUE"], "ticks@p")
    }
    assert usual.functions == {"tick": BASE["LULL_TICK_URL"]}
    more = '{"queues": {"background": {"name": "b", "invoker": "i"}}, "functions": {"summarize": "s", "tick": "t"}}'
    routes = WebhookSettings.from_environment(WEBHOOK | {"LULL_ROUTES": more}).routes
    assert (routes.queues[Queue.BACKGROUND].name, set(routes.queues)) == ("b", {"ticks", "background"})
    assert routes.functions == {"tick": BASE["LULL_TICK_URL"], "summarize": "s"}


def test_routes_that_are_misspelt_stop_the_start() -> None:
    assert "LULL_ROUTES is wrong (" in complaint(WebhookSettings, WEBHOOK | {"LULL_ROUTES": '{"functoins": {}}'})


PRICED = '{"gemini-next": {"prompt": 1.5, "output": 9}}'


@pytest.fixture(autouse=True)
def the_table_alone() -> Iterator[None]:
    yield
    set_prices({})


@pytest.mark.parametrize(
    ("setting", "model"),
    [
        ("LULL_MODEL", "gemini-2.5-flash"),
        ("LULL_MODEL", "gemini-flash-latest"),
        ("LULL_MODEL", "gemini-3.8-flash-preview-11-2026"),
        ("LULL_MODEL", "gpt-5"),
        ("LULL_MODELS", "gemini-3.6-flash, gemini-next"),
        ("LULL_JUDGE_MODEL", "gemini-next"),
        ("LULL_EMBEDDING_MODEL", "hashed"),
        ("LULL_MODEL", "GEMINI-3.8-FLASH"),
        ("LULL_MODEL", "gemini-3.8-flash,gemini-3.6-flash"),
        ("LULL_JUDGE_MODEL", "gemini-3.8-flash,gemini-3.6-flash"),
        ("LULL_MEDIA_MODEL", "gemini-3.8-flash,gemini-3.6-flash"),
        ("LULL_MODELS", "gemini-3.8-flash-preview,gemini-3.6-flash"),
    ],
)
def test_a_model_without_a_price_is_refused_with_what_to_do(setting: str, model: str) -> None:
    with pytest.raises(InvalidSettings, match=f"{setting} names a model whose price .* LULL_PRICES"):
        TickSettings.from_environment(TICK | {setting: model})
    assert TickSettings.from_environment(TICK | {setting: model, "LULL_LIMITS": "no"})


@pytest.mark.parametrize("name", ["gemini-3.8-flash", " gemini-3.8-flash ", "models/gemini-3.8-flash"])
def test_a_model_is_known_by_its_bare_name(name: str) -> None:
    named = {f"LULL_{what}": name for what in ("MODEL", "MODELS", "JUDGE_MODEL")}
    found = TickSettings.from_environment(TICK | named)
    assert (found.offered_models, found.judge_model) == (("gemini-3.8-flash",), "gemini-3.8-flash")
    notes = SummarizeSettings.from_environment(SUMMARIZE | {"LULL_NOTES_MODEL": name})
    assert notes.notes_model == "gemini-3.8-flash"


@pytest.mark.parametrize(("name", "value"), [("MODEL", "no"), ("MODELS", "no")])
def test_no_model_is_no_name_of_one(name: str, value: str) -> None:
    with pytest.raises(InvalidSettings, match=f"LULL_{name} is wrong"):
        TickSettings.from_environment(TICK | {f"LULL_{name}": value, "LULL_LIMITS": "no"})


def test_so_is_one_of_the_notes() -> None:
    with pytest.raises(InvalidSettings, match="LULL_NOTES_MODEL"):
        SummarizeSettings.from_environment(SUMMARIZE | {"LULL_NOTES_MODEL": "gemini-next"})


def test_a_given_price_makes_it_good() -> None:
    TickSettings.from_environment(TICK | {"LULL_MODEL": "gemini-next", "LULL_PRICES": PRICED})
    found = price_of("gemini-next", NOW)
    assert found is not None
    assert (found.prompt, found.cached, found.output) == (1.5, 1.5, 9)


def test_what_is_used_if_nothing_is_set_has_prices() -> None:
    tick, summarize = TickSettings.from_environment(TICK), SummarizeSettings.from_environment(SUMMARIZE)
    named = [value for one in (tick, summarize) for name, value in one if name.endswith("model")]
    models = {*named, *tick.offered_models} - {NO_MODEL}
    assert {name for name in models if price_of(name, NOW) is None} == set()
    assert len(models) >= 4


@pytest.mark.parametrize(
    "prices",
    [
        "7",
        '{"m": 3}',
        '{"m": {"prompt": 1}}',
        '{"m": {"prompt": 1, "output": -1}}',
        '{"m": {"prompt": true, "output": 1}}',
        '{"m": {"prompt": NaN, "output": 1}}',
        '{"m": {"prompt": "1", "output": 1}}',
        '{"m": {"prompt": 1, "output": 1, "input": 1}}',
    ],
)
def test_what_is_no_price_is_told(prices: str) -> None:
    with pytest.raises(InvalidSettings, match="LULL_PRICES is wrong"):
        TickSettings.from_environment(TICK | {"LULL_PRICES": prices})


def test_what_erases_needs_no_token_and_no_archive() -> None:
    found = EraseSettings.from_environment(BASE)
    assert (found.archive_bucket, found.archive_s3, found.media_bucket, found.backup_days) == ("", None, "", 0)
    assert not hasattr(found, "bot_tokens")


def test_backups_are_kept_for_some_days() -> None:
    assert EraseSettings.from_environment(BASE | {"LULL_BACKUP_DAYS": "98"}).backup_days == 98
    with pytest.raises(InvalidSettings, match="LULL_BACKUP_DAYS"):
        EraseSettings.from_environment(BASE | {"LULL_BACKUP_DAYS": "some"})


def test_what_keeps_the_deployment_right_hides_its_secrets() -> None:
    found = MaintainSettings.from_environment(MAINTAIN)
    assert (found.clock, found.webhook_url) == ("clock@p.iam.gserviceaccount.com", "http://webhook.example")
    assert "hush" not in repr(found)
    assert "123:token" not in repr(found)


@pytest.mark.parametrize(
    "url", ["w.example", "https://w.example/path", "https://w.example?x", "ftp://w.example", "https://"]
)
def test_bots_are_sent_to_a_functions_address_alone(url: str) -> None:
    with pytest.raises(InvalidSettings, match="LULL_WEBHOOK_URL is wrong"):
        MaintainSettings.from_environment(MAINTAIN | {"LULL_WEBHOOK_URL": url})


def test_hosts_are_named_with_commas_between_them() -> None:
    env = BASE | {"LULL_READER_PRIVATE_HOSTS": "Wiki.lan, 10.0.0.7:8080,", "LULL_READER_REFUSED_HOSTS": "a.example"}
    found = ReaderSettings.from_environment(env)
    assert set(found.reader_private_hosts) == {"wiki.lan", "10.0.0.7:8080"}
    assert (set(found.reader_hosts), set(found.reader_refused_hosts)) == (set(), {"a.example"})


@pytest.mark.parametrize("name", ["lull – mine", "lull\nX-Other: 1"])
def test_what_no_header_takes_is_no_name(name: str) -> None:
    with pytest.raises(InvalidSettings, match="LULL_READER_USER_AGENT is wrong"):
        ReaderSettings.from_environment(BASE | {"LULL_READER_USER_AGENT": name})


@pytest.mark.parametrize(
    "hosts",
    [
        "https://a.example",
        "a.example/path",
        "user@a.example",
        "*.a.example",
        ".a.example",
        "a.example.",
        "a.example b.example",
        "a.example;b.example",
        '"a.example"',
        "bücher.example",
    ],
)
@pytest.mark.parametrize("name", ["LULL_READER_HOSTS", "LULL_READER_REFUSED_HOSTS", "LULL_READER_PRIVATE_HOSTS"])
def test_what_no_page_has_is_no_host(name: str, hosts: str) -> None:
    with pytest.raises(InvalidSettings, match=f"{name} is wrong"):
        ReaderSettings.from_environment(BASE | {name: f"b.example,{hosts}"})


@pytest.mark.parametrize("name", ["LULL_READER_HOSTS", "LULL_READER_REFUSED_HOSTS"])
def test_a_public_host_has_no_port(name: str) -> None:
    with pytest.raises(InvalidSettings, match=f"{name} is wrong"):
        ReaderSettings.from_environment(BASE | {name: "a.example:8080"})


def test_numbers_and_names_in_ascii_are_hosts() -> None:
    given = {"LULL_READER_HOSTS": "10.0.0.7, A_b.example,xn--bcher-kva.de", "LULL_READER_PRIVATE_HOSTS": "::1,nas:8080"}
    found = ReaderSettings.from_environment(BASE | given)
    assert set(found.reader_hosts) == {"10.0.0.7", "a_b.example", "xn--bcher-kva.de"}
    assert set(found.reader_private_hosts) == {"::1", "nas:8080"}


@pytest.mark.parametrize("value", ["0", "-1", "nan", "S3CRET"])
def test_a_grace_is_some_time(value: str) -> None:
    assert "LULL_SWEEP_GRACE_S is wrong (" in complaint(SummarizeSettings, SUMMARIZE | {"LULL_SWEEP_GRACE_S": value})


def test_the_agents_are_those_that_are_named_and_have_a_persona() -> None:
    found = SummarizeSettings.from_environment(SUMMARIZE | {"LULL_AGENTS": " moss, gone,,lull,"})
    assert found.agent_names == {"lull", "moss"}


def test_an_archive_in_another_cloud_is_whole_or_none() -> None:
    place = '{"bucket": "my-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive"}'
    found = SummarizeSettings.from_environment(SUMMARIZE | {"LULL_ARCHIVE_S3": place}).archive_s3
    assert found is not None
    assert (found.bucket, found.region) == ("my-copy", "eu-west-1")
    assert SummarizeSettings.from_environment(SUMMARIZE).archive_s3 is None
    said = complaint(SummarizeSettings, SUMMARIZE | {"LULL_ARCHIVE_S3": '{"bucket": "my-copy"}'})
    assert said.startswith("LULL_ARCHIVE_S3 is wrong (`region`, `role` is missing)")
