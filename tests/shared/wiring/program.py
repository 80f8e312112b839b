"""Small programs in clean interpreters, since a module of `shared/wiring` reads its settings when it is imported."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.forking import run_forked

ROOT = Path(__file__).resolve().parents[3]
BASE = {
    "GOOGLE_CLOUD_PROJECT": "p",
    "LULL_QUEUE": "projects/p/locations/l/queues/q",
    "LULL_TICK_URL": "http://tick.example/",
    "CLOUD_TASKS_ENDPOINT": "127.0.0.1:1",
    "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1",
    "LULL_LOG_FORMAT": "text",
}
WEBHOOK = BASE | {"LULL_WEBHOOK_SECRET": "hush", "LULL_AGENTS": "lull,moss"}
TICK = WEBHOOK | {"LULL_BOT_TOKENS": '{"lull": "123:token"}', "GEMINI_API_KEY": "the-key"}
DESCRIBE = BASE | {"LULL_BOT_TOKENS": '{"lull": "123:token"}', "GEMINI_API_KEY": "the-key"}
MAINTAIN = WEBHOOK | {
    "LULL_BOT_TOKENS": '{"lull": "123:token", "gone": "124:token"}',
    "LULL_CLOCK": "clock@p.iam.gserviceaccount.com",
    "LULL_SUMMARIZE_URL": "http://summarize.example",
    "LULL_WEBHOOK_URL": "http://webhook.example",
}
SUMMARIZE = BASE | {"LULL_AGENTS": "lull,moss", "GEMINI_API_KEY": "the-key"}


def run(code: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """The program, ended; it sees no other environment. It begins with the packages, and with the modules of lull's
    that bootstrap modules import and that read no settings: what importing them again and again would take is most of
    the time of these tests.
    """
    if sys.platform != "linux":
        return run_alone(code, env)
    return run_forked(("tests.shared.wiring.given", code), {"PATH": os.environ["PATH"], **env})


def run_alone(code: str, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run it in an interpreter without imports, for tests that check imports."""
    given = {"PATH": os.environ["PATH"], **env}
    return subprocess.run(
        [sys.executable, "-c", code], env=given, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
