"""Gives each function's process only those secrets that the function also has in the cloud."""

from collections.abc import Mapping

from infra.functions import declared_functions
from operations.environment import bare_surroundings, surroundings

#: secrets; the last one is the key of a model server, which only the part `model` needs
SECRETS = frozenset(
    (
        "GEMINI_API_KEY",
        "LULL_BOT_TOKENS",
        "LULL_CONSOLE_SECRET",
        "LULL_LOGIN_SECRET",
        "LULL_PROVIDER_KEYS",
        "LULL_WEBHOOK_SECRET",
        "LULL_LOCAL_MODEL_KEY",
    )
)


def confine(target: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a function's process: `settings`, without the secrets that only other functions read.

    A function that reads no secret does not get the shell's environment either, since that may contain the user's own
    secrets.
    """
    own = _secrets_of(target)
    given = {name: value for name, value in settings.items() if name not in SECRETS or name in own}
    if not own:
        return bare_surroundings(given)
    return {name: value for name, value in surroundings(given).items() if name not in SECRETS or name in own}


def _secrets_of(target: str) -> frozenset[str]:
    return SECRETS.intersection(declared_functions()[target].settings_kind.variables())
