"""Builds the jobs of the function `maintain`, by name."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import SecretStr

from shared.chat.store.bots import FirestoreOwners
from shared.cloud.deployed_functions import DeployedFunctions
from shared.telegram.outbound.bot import TelegramAccount
from shared.upkeep.job_record import record_run
from shared.upkeep.jobs.canary import Canary, send_canary
from shared.upkeep.jobs.register import Registrar, register_all, show_consoles
from shared.upkeep.store.canaries import FirestoreCanaries
from shared.upkeep.store.job_results import FirestoreJobResults
from shared.wiring import begin, now
from shared.wiring.settings import MaintainSettings

SETTINGS = begin(MaintainSettings)
CLOCK = SETTINGS.clock


@dataclass(frozen=True)
class JobResult:
    """The result of a job, as JSON. If `is_well` is false, the response is an error, so that the job is repeated."""

    told: Mapping[str, Any]
    is_well: bool = True


@cache
def jobs() -> Mapping[str, Callable[[], Awaitable[JobResult]]]:
    """Return every job by the name in infra/schedules.yaml."""
    return {"register": _register, "canary": _canary}


async def _register() -> JobResult:
    return JobResult(dict(await record_run(_results(), now, "register", _register_all(), is_stored=True)))


async def _register_all() -> Mapping[str, int]:
    registered = await register_all(_registrar(), SETTINGS.webhook_url)
    registered["consoles"] = await _show_consoles()
    return registered


async def _show_consoles() -> int:
    owners = FirestoreOwners(_sender().kept.client)
    return await show_consoles(_registrar(), owners, SETTINGS.console_url) if SETTINGS.console_url else 0


async def _canary() -> JobResult:
    # a canary ends each deployment, so that /console works from then on
    await _show_consoles()
    report = await record_run(_results(), now, "canary", send_canary(_sender()), is_stored=True)
    return JobResult(report.as_json, report.is_well)


@cache
def _results() -> FirestoreJobResults:
    return FirestoreJobResults(_sender().kept.client)


@cache
def _registrar() -> Registrar:
    tokens = {name: token.get_secret_value() for name, token in _tokens().items()}
    accounts = {name: TelegramAccount(token, SETTINGS.telegram_url) for name, token in tokens.items()}
    return Registrar(accounts=accounts, secret=SETTINGS.webhook_secret.get_secret_value(), clock=now)


@cache
def _sender() -> Canary:
    return Canary(
        doors=DeployedFunctions(SETTINGS.webhook_url, SETTINGS.summarize_url, SETTINGS.routes.functions),
        kept=FirestoreCanaries(SETTINGS.project),
        agents=_tokens().keys(),
        secret=SETTINGS.webhook_secret.get_secret_value(),
        clock=now,
        registrar=_registrar(),
        webhook_url=SETTINGS.webhook_url,
    )


def _tokens() -> Mapping[str, SecretStr]:
    return {name: token for name, token in SETTINGS.bot_tokens.items() if name in SETTINGS.agent_names}
