"""The deployments that are pinned: the usual one, one with all that can be wanted, and one that is to go."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from tests.infra.given import ERASE_ROLE, S3

Variables: TypeAlias = Mapping[str, Any]

#: by the name of the file that says what they must be; between them each branch of a condition is taken
SCENARIOS: Mapping[str, Variables] = {
    "usual": {},
    "everything": {
        "agents": ["moss", "lull"],
        "bot_tokens": {"lull": "123456:not-a-token-of-any-bot", "moss": "234567:not-a-token-of-any-bot"},
        "archive": True,
        "billing_account": "012345-6789AB-CDEF01",
        "alert_emails": ["a@mail.test", "b@mail.test"],
        "alert_limits": {"errors": 4, "tick_seconds": 130, "late_seconds": 70, "model_usd_per_day": 6, "refused": 90},
        "monthly_budget": {"units": 30},
        "backups": {"daily_days": 8, "weekly_days": 21},
        "instances": {
            "tick": {"max": 30, "min": 1},
            "describe_media": {"max": 2, "min": 1},
            "maintain": {"max": 2, "min": 1},
        },
        "media_days": 14,
        "settings": {"LULL_MODEL": "another-model", "TELEGRAM_API_URL": "https://telegram.example.com"},
        "labels": {"team": "moss"},
        "paused": True,
        "environment": "other",
        "runtime": "python312",
    },
    "going": {
        "archive": True,
        "archive_s3": S3 | {"erase_role": ERASE_ROLE},
        "backups": {"daily_days": 2, "weekly_days": 3},
        "delete_data": True,
        "gemini_api_key": "",
        "vertex_ai": True,
    },
}
