"""`python -m local.telegram --port P --data DIR`: the local Telegram as a process of its own."""

import argparse
import os
import sys
from pathlib import Path

from local.telegram.serving import run
from local.telegram.settings import TelegramSettings


def main() -> int:
    """Serve until Ctrl-C. Return 1 if the port is taken."""
    parser = argparse.ArgumentParser(prog="python -m local.telegram", description="Runs a simulated Telegram.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8081, help="0 means any free port; the address is printed")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder for the data; without it, nothing is kept")
    parser.add_argument(
        "--clock-scale", type=float, default=1.0, help="factor for the delays between retries: 0.01 in tests"
    )
    chosen = parser.parse_args()
    settings = TelegramSettings(
        data_dir=chosen.data,
        clock_scale=chosen.clock_scale,
        seed=os.environ.get("LULL_LOCAL_SEED", ""),
        login_client=os.environ.get("LULL_LOGIN_CLIENT", ""),
        login_back=os.environ.get("LULL_LOCAL_LOGIN_BACK", ""),
        console=os.environ.get("LULL_CONSOLE_URL", ""),
    )
    try:
        run(settings, chosen.host, chosen.port)
    except OSError as taken:
        print(
            f"Telegram cannot listen on {chosen.host}:{chosen.port}: {taken.strerror}. Choose another --port.",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
