"""The declarations of functions: rules that every reader of them relies on."""

import pytest
from pydantic import ValidationError

from infra.bundle import ROOT
from infra.functions import EVERYBODY, SCHEDULE, DeployedFunction, declared_functions
from infra.schedules import SCHEDULES, read_jobs
from shared.values.wake import Queue
from shared.wiring.settings import Settings

LIMITS = {"memory": "512Mi", "timeout_s": 30, "concurrency": 80, "max_instances": 10}
ENTRY = {"description": "x", "settings": "Settings", "called_by": [EVERYBODY], "database": "inbox", "limits": LIMITS}


@pytest.mark.parametrize("name", declared_functions())
def test_a_declaration_names_what_there_is(name: str) -> None:
    function = declared_functions()[name]
    assert (ROOT / "functions" / name / "main.py").is_file()
    assert function.description.endswith(".")
    assert issubclass(function.settings_kind, Settings)
    assert function.called_by
    assert set(function.called_by) <= {EVERYBODY, SCHEDULE, *Queue, *declared_functions()}
    assert set(function.enqueues) <= set(Queue)
    assert set(function.calls) <= set(declared_functions())
    assert all((ROOT / "shared" / "wiring" / f"{module}.py").is_file() for module in (name, *function.wiring))


@pytest.mark.parametrize("name", declared_functions())
def test_a_declared_setting_is_one_that_the_function_reads(name: str) -> None:
    function = declared_functions()[name]
    read = set(function.settings_kind.variables())
    assert {*function.given, *function.optional, *function.secrets} <= read


def test_what_jobs_and_schedules_call_lets_them_in() -> None:
    for job in read_jobs(SCHEDULES, list(declared_functions())):
        assert SCHEDULE in declared_functions()[job.function].called_by, job.name
    for name, function in declared_functions().items():
        for called in function.calls:
            assert set(function.enqueues) & set(declared_functions()[called].called_by), (name, called)


def test_the_queues_are_those_of_terraform() -> None:
    text = (ROOT / "infra" / "queues.tf").read_text()
    assert all(f"    {queue} = {{" in text for queue in Queue)


def test_a_field_that_is_misspelt_is_refused() -> None:
    assert DeployedFunction.model_validate(ENTRY).settings_kind is Settings
    mistakes: tuple[dict[str, object], ...] = ({"callers": []}, {"limits": LIMITS | {"memroy": "1Gi"}})
    for wrong in mistakes:
        with pytest.raises(ValidationError):
            DeployedFunction.model_validate(ENTRY | wrong)


def test_a_function_reads_its_own_settings_and_carries_what_it_imports_late() -> None:
    # Terraform uses neither, so no plan would show a change
    kinds = {
        "webhook": "WebhookSettings",
        "tick": "TickSettings",
        "describe_media": "ModelSettings",
        "summarize": "SummarizeSettings",
        "erase": "EraseSettings",
        "maintain": "MaintainSettings",
        "console": "ConsoleSettings",
    }
    assert {name: declared_functions()[name].settings_kind.__name__ for name in kinds} == kinds
    # maintain.tf sets these itself, as they are made of the other functions' values
    assert [*declared_functions()["maintain"].given] == [
        "LULL_AGENTS",
        "LULL_CLOCK",
        "LULL_CONSOLE_URL",
        "LULL_SUMMARIZE_URL",
        "LULL_WEBHOOK_URL",
    ]
    parts = {name: list(f.wiring) for name, f in declared_functions().items() if f.wiring}
    assert parts == {
        "tick": [
            "channels",
            "embedding",
            "exports",
            "media_generation",
            "models",
            "rehearsing",
            "spending",
            "stores",
            "tick_probes",
            "web",
        ],
        "describe_media": ["models", "spending"],
        "summarize": ["archiving", "embedding", "exports", "models", "notes", "spending"],
        "erase": ["archiving", "exports"],
        "console": ["console_views", "spending"],
    }
