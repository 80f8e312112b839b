"""The settings that Terraform gives the functions, and those that they read."""

from infra.bundle import function_names
from infra.functions import declared_functions
from shared.wiring.settings import Settings
from tests.infra.workspace import Resource

#: settings for a developer's own machine: another Cloud Tasks, folders that no bundle has,
#: and another model behind the local Gemini
ONLY_LOCAL = {"CLOUD_TASKS_ENDPOINT", "LULL_AGENTS_PATH", "LULL_MODEL_HOST"}
#: set by their own variables, which also give the rights, and by the calls that a function declares
BY_VARIABLES = {
    "LULL_ROUTES",
    "LULL_ARCHIVE_BUCKET",
    "LULL_ARCHIVE_S3",
    "LULL_BACKUP_DAYS",
    "LULL_CONSOLE_URL",
    "LULL_LOGIN_CLIENT",
    "LULL_LOGIN_SECRET",
    "LULL_ERASURE_BUCKET",
    "LULL_INVOKER",
    "LULL_MEDIA_BUCKET",
    "LULL_PRIVACY_URL",
    "LULL_READER_URL",
    "LULL_TAKEOUT_BUCKET",
    "GEMINI_API_KEY",
    "GOOGLE_GENAI_USE_ENTERPRISE",
    "LULL_PROVIDERS",
    "LULL_PROVIDER_KEYS",
}
#: settings for functions-framework, not for lull, which writes its own logs
OF_THE_FRAMEWORK = {"LOG_EXECUTION_ID": "false"}
#: the archive in another cloud, in the form from before the erasing function had its own role; and that role
S3 = {"bucket": "my-copy", "region": "eu-west-1", "role": "arn:aws:iam::123456789012:role/lull-archive"}
ERASE_ROLE = "arn:aws:iam::123456789012:role/lull-archive-erase"
SECRETS = {
    "LULL_CONSOLE_SECRET": "y" * 32,
    "LULL_LOGIN_SECRET": "z" * 32,
    "LULL_WEBHOOK_SECRET": "x" * 32,
    "LULL_BOT_TOKENS": '{"lull": "123456:ABC"}',
    "GEMINI_API_KEY": "a-key",
    "LULL_PROVIDER_KEYS": '{"groq": "a-key-of-groq", "home": "a-key-of-home"}',
}


def settings_of(function: str) -> type[Settings]:
    """The settings class of a function."""
    return declared_functions()[function].settings_kind


def examples_for(function: str) -> dict[str, str]:
    """The environment that is enough for a function to start; none of what it names is there."""
    return settings_of(function).needed_examples()


def optional_settings() -> dict[str, str]:
    """Every setting that `settings` of Terraform takes, with its default as the environment spells it."""
    own = {name: field for function in function_names() for name, field in settings_of(function).variables().items()}
    defaults = {name: _spelled(field.default) for name, field in own.items() if not field.is_required()}
    return {name: value for name, value in defaults.items() if name not in ONLY_LOCAL | BY_VARIABLES}


def _spelled(default: object) -> str:
    if default is None:
        return ""
    return ",".join(sorted(default)) if isinstance(default, frozenset) else str(getattr(default, "value", default))


def functions_of(resources: list[Resource]) -> dict[str, Resource]:
    """The functions by name."""
    return {
        r.values["build_config"][0]["entry_point"]: r for r in resources if r.type == "google_cloudfunctions2_function"
    }


def given_to(function: Resource) -> dict[str, str]:
    """A function's settings; what is secret is made up."""
    service = function.values["service_config"][0]
    secrets = {secret["key"]: SECRETS[secret["key"]] for secret in service["secret_environment_variables"]}
    ours = {k: v for k, v in service["environment_variables"].items() if k not in OF_THE_FRAMEWORK}
    return {**ours, **secrets}
