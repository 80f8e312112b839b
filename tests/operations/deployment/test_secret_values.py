"""The sources of secrets, their file, and that they are shown to nobody."""

import io
import json
import stat
from pathlib import Path

import pytest
from rich.console import Console

from operations.deployment.options import CannotDeploy
from operations.deployment.secret_values import (
    SecretsFile,
    SecretValues,
    StoredSecrets,
    known_secrets,
    known_tokens,
    placeholders,
    secrets_of,
)
from operations.deployment.terminal import Terminal
from operations.deployment.terraform import Variables
from shared.values.evolve import evolve
from tests.operations.typed import typed_at_a_terminal

VARIABLES = Variables(project="acme-lull", agents=("lull", "moss"), vertex_ai=False, database_location="europe-west1")
FULL = StoredSecrets(
    bot_tokens={"lull": "1:a", "moss": "2:b"}, webhook_secret="w" * 32, console_secret="c" * 32, gemini_api_key="k"
)
LOGIN = evolve(VARIABLES, console_login_bot="123456")
PROVIDERS = evolve(VARIABLES, model_providers={"groq": "", "home": "https://llm.mail.test/v1"}, uses_gemini=False)
ASKING_FOR_THE_LOGIN = """
from operations.deployment.secret_values import secrets_of
from operations.deployment.terminal import Terminal
from tests.operations.deployment.test_secret_values import FULL, LOGIN
found, to_keep = secrets_of(LOGIN, {}, FULL, Terminal(1))
print("kept", found.console_login_secret == to_keep.console_login_secret == "a-secret-of-botfather")
"""
SHELL = {"TF_VAR_bot_tokens": '{"lull": "1:shell", "moss": "2:shell"}', "TF_VAR_gemini_api_key": "shell-key"}


@pytest.fixture
def safe(tmp_path: Path) -> SecretsFile:
    return SecretsFile(tmp_path / "lull" / "acme-lull.json")


@pytest.fixture
def terminal() -> Terminal:
    return Terminal(1, Console(file=io.StringIO()))


def test_what_is_kept_is_used(safe: SecretsFile, terminal: Terminal) -> None:
    safe.write(FULL)
    found, to_keep = secrets_of(VARIABLES, {}, safe.read(), terminal)
    assert to_keep == FULL
    assert (found.bot_tokens, found.webhook_secret, found.gemini_api_key) == (FULL.bot_tokens, "w" * 32, "k")


def test_only_the_owner_can_read_what_is_kept(safe: SecretsFile) -> None:
    safe.write(FULL)
    assert stat.S_IMODE(safe.file.stat().st_mode) == 0o600
    assert safe.read() == FULL
    safe.file.chmod(0o644)
    with pytest.raises(CannotDeploy, match="chmod 600"):
        safe.read()


def test_the_shell_goes_first_and_is_not_kept(terminal: Terminal) -> None:
    found, to_keep = secrets_of(VARIABLES, SHELL, FULL, terminal)
    assert found.bot_tokens == {"lull": "1:shell", "moss": "2:shell"}
    assert found.gemini_api_key == "shell-key"
    assert to_keep == FULL


def test_the_secrets_of_the_webhook_and_the_console_are_made_once(terminal: Terminal) -> None:
    first, kept = secrets_of(VARIABLES, SHELL, StoredSecrets(), terminal)
    assert 32 <= len(first.webhook_secret) <= 256
    assert len(first.console_secret) >= 32
    assert kept == StoredSecrets(webhook_secret=first.webhook_secret, console_secret=first.console_secret)
    assert secrets_of(VARIABLES, SHELL, kept, terminal) == (first, kept)


def test_an_earlier_file_gets_a_secret_for_the_console_that_follows_from_no_other(terminal: Terminal) -> None:
    before = evolve(FULL, console_secret="")
    found, to_keep = secrets_of(VARIABLES, {}, before, terminal)
    assert to_keep == evolve(FULL, console_secret=found.console_secret)
    assert found.console_secret != secrets_of(VARIABLES, {}, before, terminal)[0].console_secret
    assert found.numbers()["console_secret"] != found.numbers()["webhook_secret"]


def test_a_new_secret_of_the_console_is_made_if_the_old_one_is_removed_and_the_shell_goes_first(
    terminal: Terminal,
) -> None:
    found, to_keep = secrets_of(VARIABLES, {"TF_VAR_console_secret": "s" * 32}, FULL, terminal)
    assert (found.for_terraform()["TF_VAR_console_secret"], to_keep) == ("s" * 32, FULL)
    with pytest.raises(CannotDeploy, match=r"The console's secret .* must be 32 characters or more") as caught:
        secrets_of(VARIABLES, {"TF_VAR_console_secret": "short"}, FULL, terminal)
    assert "short" not in str(caught.value)


@pytest.mark.parametrize("secret", ["short", "with a blank in its middle, and long enough"])
def test_a_webhooks_secret_that_telegram_would_not_take_is_told_before_anything_is_made(
    terminal: Terminal, secret: str
) -> None:
    with pytest.raises(CannotDeploy, match="openssl rand -hex 32") as caught:
        secrets_of(VARIABLES, SHELL | {"TF_VAR_webhook_secret": secret}, FULL, terminal)
    assert secret not in str(caught.value)


def test_what_is_known_is_all_that_there_is() -> None:
    found = known_secrets(VARIABLES, {"TF_VAR_bot_tokens": '{"moss": "2:shell"}'}, StoredSecrets(gemini_api_key="k"))
    assert found == SecretValues(bot_tokens={"moss": "2:shell"}, webhook_secret="", gemini_api_key="k")
    assert known_secrets(VARIABLES, SHELL, FULL).bot_tokens == {"lull": "1:shell", "moss": "2:shell"}
    assert known_secrets(VARIABLES, {}, StoredSecrets()).numbers() == {}


def test_the_token_of_an_agent_that_was_taken_out_is_still_known() -> None:
    kept = StoredSecrets(bot_tokens={"fern": "3:kept"})
    assert known_tokens(["fern", "moss", "alf"], SHELL, kept) == {"fern": "3:kept", "moss": "2:shell"}


def test_what_stands_in_for_secrets_is_none() -> None:
    made = placeholders(VARIABLES)
    assert made["TF_VAR_bot_tokens"] == '{"lull": "0:none", "moss": "0:none"}'
    assert "TF_VAR_gemini_api_key" not in placeholders(evolve(VARIABLES, vertex_ai=True))


def test_the_secret_of_the_consoles_login_comes_from_the_shell_or_the_file(terminal: Terminal) -> None:
    kept = evolve(FULL, console_login_secret="kept")
    found, to_keep = secrets_of(LOGIN, {}, kept, terminal)
    assert (found.console_login_secret, to_keep) == ("kept", kept)
    other, to_keep = secrets_of(LOGIN, {"TF_VAR_console_login_secret": "shell"}, kept, terminal)
    assert (other.for_terraform()["TF_VAR_console_login_secret"], to_keep) == ("shell", kept)
    assert other.numbers()["console_login_secret"] != found.numbers()["console_login_secret"]
    assert secrets_of(LOGIN, {"TF_VAR_console_login_secret": "shell"}, FULL, terminal)[1] == FULL


def test_without_a_bot_for_the_login_its_secret_stays_stored_and_is_not_used(terminal: Terminal) -> None:
    kept = evolve(FULL, console_login_secret="kept")
    found, to_keep = secrets_of(VARIABLES, {}, kept, terminal)
    assert to_keep == kept
    assert "TF_VAR_console_login_secret" not in found.for_terraform()


def test_with_vertex_ai_there_is_no_key(terminal: Terminal) -> None:
    found, _ = secrets_of(evolve(VARIABLES, vertex_ai=True), SHELL, StoredSecrets(), terminal)
    assert found.gemini_api_key == ""
    assert "TF_VAR_gemini_api_key" not in found.for_terraform()


def test_the_keys_of_the_named_providers_are_used_and_no_key_of_gemini(terminal: Terminal) -> None:
    kept = evolve(FULL, model_provider_keys={"groq": "kept", "gone": "of-another"})
    found, to_keep = secrets_of(PROVIDERS, {"TF_VAR_model_provider_keys": '{"home": "shell"}'}, kept, terminal)
    assert found.for_terraform()["TF_VAR_model_provider_keys"] == '{"groq": "kept", "home": "shell"}'
    assert "TF_VAR_gemini_api_key" not in found.for_terraform()
    assert found.numbers().keys() == {"bot_tokens", "webhook_secret", "console_secret", "model_provider_keys"}
    assert to_keep == kept
    assert "kept" not in repr(found)


def test_a_key_for_no_provider_is_refused_without_its_name(terminal: Terminal) -> None:
    env = {"TF_VAR_model_provider_keys": '{"gsk_123": "groq"}'}
    with pytest.raises(CannotDeploy, match=r"\(it has groq, home\)") as caught:
        secrets_of(PROVIDERS, env, FULL, terminal)
    assert "gsk_123" not in str(caught.value)


def test_keys_of_the_shell_do_not_stop_a_destroy() -> None:
    assert placeholders(VARIABLES)["TF_VAR_model_provider_keys"] == "{}"
    assert placeholders(PROVIDERS)["TF_VAR_model_provider_keys"] == '{"groq": "none", "home": "none"}'


def test_the_missing_secret_of_the_consoles_login_is_asked_for_and_kept() -> None:
    seen = typed_at_a_terminal(ASKING_FOR_THE_LOGIN, {"is not shown):": "a-secret-of-botfather"}, "kept True")
    assert "The client secret of the console's web login, which @BotFather shows for the bot 123456 " in seen
    assert "a-secret-of-botfather" not in seen


def test_the_missing_secret_of_the_consoles_login_is_named(terminal: Terminal) -> None:
    with pytest.raises(
        CannotDeploy, match=r"^The client secret .* \(123456; .*Web Login\) is missing; .*TF_VAR_console_l"
    ):
        secrets_of(LOGIN, {}, FULL, terminal)


def test_the_missing_key_of_a_provider_is_named(terminal: Terminal) -> None:
    with pytest.raises(CannotDeploy, match=r"The API key of groq is missing; .*TF_VAR_model_provider_keys="):
        secrets_of(PROVIDERS, {}, FULL, terminal)


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({}, "The bot token of the agent lull"),
        ({"TF_VAR_bot_tokens": '{"lull": "1:a"}'}, "The bot token of the agent moss"),
        ({"TF_VAR_bot_tokens": SHELL["TF_VAR_bot_tokens"]}, "The Gemini API key"),
        ({"TF_VAR_bot_tokens": "1:a"}, "TF_VAR_bot_tokens must be JSON"),
        ({"TF_VAR_bot_tokens": '["1:a"]'}, "TF_VAR_bot_tokens must be JSON"),
        ({"TF_VAR_model_provider_keys": "1:a"}, "TF_VAR_model_provider_keys must be JSON"),
    ],
)
def test_what_is_lacking_is_named(terminal: Terminal, env: dict[str, str], said: str) -> None:
    with pytest.raises(CannotDeploy) as caught:
        secrets_of(VARIABLES, env, StoredSecrets(), terminal)
    assert said in str(caught.value)
    assert "1:a" not in str(caught.value)


@pytest.mark.parametrize("text", ["{", '{"bot_token": {"lull": "1:secret"}}', '{"bot_tokens": "1:secret"}', "\x00"])
def test_a_file_that_cannot_be_used_is_told_without_what_it_holds(safe: SecretsFile, text: str) -> None:
    safe.write(FULL)
    safe.file.write_text(text)
    with pytest.raises(CannotDeploy, match=r"acme-lull\.json cannot be read") as caught:
        safe.read()
    assert "1:secret" not in str(caught.value)


def test_another_value_has_another_number_and_the_same_the_same() -> None:
    def numbers(token: str) -> dict[str, int]:
        made = SecretValues(bot_tokens={"lull": token}, webhook_secret="w" * 32, gemini_api_key="k").for_terraform()
        found: dict[str, int] = json.loads(made["TF_VAR_secret_versions"])
        return found

    assert numbers("1:a") == numbers("1:a")
    changed = {name for name in numbers("1:a") if numbers("1:a")[name] != numbers("1:b")[name]}
    assert changed == {"bot_tokens"}


def test_secrets_are_in_no_representation() -> None:
    made = SecretValues(
        bot_tokens={"lull": "1:a"},
        webhook_secret="hush",
        console_secret="quiet",
        gemini_api_key="key!",
        console_login_secret="still",
    )
    assert not any(word in repr(made) for word in ("1:a", "hush", "quiet", "key!", "still"))
