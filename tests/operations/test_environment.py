"""The environment that lull's processes inherit."""

import pytest

from operations.environment import surroundings


def test_a_process_inherits_the_shell_less_what_would_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "PORT",
        "GEMINI_API_KEY",
        "GROQ_API_KEY",
        "LULL_PROVIDER_KEYS",
        "TELEGRAM_BOT_TOKEN",
        "FUNCTION_TARGET",
        "PYTHONDONTWRITEBYTECODE",
    ):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("NO_PROXY", "intern.example")
    monkeypatch.setenv("KEPT", "yes")
    env = surroundings({"MORE": "1"})
    assert (env["KEPT"], env["MORE"]) == ("yes", "1")
    assert env["NO_PROXY"] == "intern.example,127.0.0.1,localhost"
    assert "x" not in env.values()
