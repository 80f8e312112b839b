"""The options of a deployment command, from the command line and the shell."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from infra.bundle import ROOT

#: address of Google's APIs by name
GOOGLE_APIS = "https://{api}.googleapis.com"
TELEGRAM = "https://api.telegram.org"
GEMINI = "https://generativelanguage.googleapis.com"


class CannotDeploy(Exception):
    """The command cannot continue. The text says why, and which command fixes it if there is one."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a command: deploy, register, canary or destroy.

    `infra` is the folder of the Terraform configuration, `secrets` the folder with one secrets file for each
    project. `is_agreed`: do not ask for confirmation. `with_data`: destroy the data too.
    """

    command: str
    is_agreed: bool = False
    with_data: bool = False
    infra: Path = ROOT / "infra"
    secrets: Path = Path()
    google_apis: str = GOOGLE_APIS
    telegram_url: str = TELEGRAM
    gemini_url: str = GEMINI
    env: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def bundles(self) -> Path:
        """The folder in which Terraform expects the functions' zips (infra/variables.tf)."""
        return self.infra.parent / "build"


def options_from(argv: Sequence[str], env: Mapping[str, str]) -> Options:
    """Return the parsed options; exit with a message if they are wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m operations.deployment", description="Deploys and removes lull in Google Cloud."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="deploy | register | canary | destroy")
    deploying = commands.add_parser("deploy", help="check, bundle, apply and register; repeat it after each change")
    commands.add_parser("register", help="set each bot's webhook at Telegram")
    commands.add_parser(
        "canary", help="send a test update the whole way that a message takes, and show each step's result"
    )
    destroying = commands.add_parser("destroy", help="delete everything except the conversations")
    for command in (deploying, destroying):
        command.add_argument("--yes", action="store_true", help="do not ask before Terraform changes anything")
    destroying.add_argument("--data", action="store_true", help="also delete the conversations")
    asked = parser.parse_args(argv)
    config = Path(env.get("XDG_CONFIG_HOME") or Path(env.get("HOME", "/")) / ".config")
    return Options(
        command=asked.command,
        is_agreed=getattr(asked, "yes", False),
        with_data=getattr(asked, "data", False),
        infra=infra_of(env),
        secrets=Path(env.get("LULL_SECRETS") or config / "lull"),
        google_apis=env.get("LULL_GOOGLE_APIS") or GOOGLE_APIS,
        telegram_url=env.get("TELEGRAM_API_URL") or TELEGRAM,
        gemini_url=env.get("GEMINI_BASE_URL") or GEMINI,
        env=dict(env),
    )


def infra_of(env: Mapping[str, str]) -> Path:
    """Return the folder of the Terraform configuration: LULL_INFRA, or else `infra` in this checkout."""
    return Path(env.get("LULL_INFRA") or ROOT / "infra").absolute()
