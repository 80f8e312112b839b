"""The deployments to plan, each once for a run of the tests."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias

from tests.infra.given import ERASE_ROLE, S3, optional_settings

Variables: TypeAlias = Mapping[str, Any]

#: the optional settings with a value in the inventory; test_settings.py compares all of them with the code
SHOWN = {"LULL_MODEL": "gemini-3.5-flash-lite", "TELEGRAM_API_URL": "https://telegram.example.com"}
#: other providers than Gemini, one that lull knows and one with an address, and their keys
PROVIDERS = {"groq": "", "home": "https://llm.mail.test/v1"}
PROVIDER_KEYS = {"groq": "not-a-key-of-groq", "home": "not-a-key-of-home"}
#: models of theirs alone; the settings that are missing here name none then
OTHER_MODELS = {
    "LULL_EMBEDDING_MODEL": "home:bge-m3",
    "LULL_JUDGE_MODEL": "groq:openai/gpt-oss-20b",
    "LULL_LIMITS": "no",
    "LULL_MODEL": "groq:openai/gpt-oss-120b",
    "LULL_MODELS": "home:qwen3:8b, groq:openai/gpt-oss-20b",
    "LULL_NOTES_MODEL": "no",
}


@cache
def scenarios() -> Mapping[str, Variables]:
    """Map each scenario to its variables. Together the scenarios take each branch of every condition."""
    settings = optional_settings() | SHOWN
    return {
        "usual": {},
        "everything": {
            "agents": ["moss", "lull"],
            "bot_tokens": {"lull": "123456:not-a-token-of-any-bot", "moss": "234567:not-a-token-of-any-bot"},
            "archive": True,
            "billing_account": "012345-6789AB-CDEF01",
            "alert_emails": ["a@mail.test", "b@mail.test"],
            "alert_limits": {"errors": 4, "tick_seconds": 130, "model_usd_per_day": 6, "refused": 90},
            "instances": {
                "tick": {"max": 30, "min": 1},
                "console": {"max": 2, "min": 1},
                "describe_media": {"max": 2, "min": 1},
                "maintain": {"max": 2, "min": 1},
                "reader": {"max": 2, "min": 1},
            },
            "secret_versions": {
                "bot_tokens": 2,
                "webhook_secret": 3,
                "gemini_api_key": 4,
                "console_secret": 5,
                "console_login_secret": 6,
            },
            "console_login_bot": "123456",
            "console_login_secret": "not-a-secret-of-any-login",
            "model_providers": PROVIDERS,
            "model_provider_keys": PROVIDER_KEYS,
            "settings": settings,
            "labels": {"team": "moss"},
            "paused": True,
            "environment": "other",
            "runtime": "python312",
        },
        # only the archive in another cloud, in the form from before the erasing function had its own role
        "vertex": {
            "vertex_ai": True,
            "gemini_api_key": "",
            "archive_s3": S3,
            "alert_limits": {"late_seconds": 5, "refused": 7},
            "backups": {"daily_days": 2, "weekly_days": 3},
            "media_days": 3,
            "settings": settings,
        },
        # no model of Gemini's
        "providers": {
            "gemini_api_key": "",
            "model_providers": PROVIDERS,
            "model_provider_keys": PROVIDER_KEYS,
            "secret_versions": {"model_provider_keys": 5},
            "settings": OTHER_MODELS,
        },
        "going": {"archive": True, "archive_s3": S3 | {"erase_role": ERASE_ROLE}, "delete_data": True},
    }
