"""Each function's process is given the secrets that it is given in the cloud, and no others."""

from collections.abc import Mapping

from infra.functions import declared_functions
from operations.environment import bare_surroundings, surroundings

#: secrets; the last is the key of a server that the local Gemini asks
SECRETS = frozenset(("GEMINI_API_KEY", "LULL_BOT_TOKENS", "LULL_WEBHOOK_SECRET", "LULL_LOCAL_MODEL_KEY"))


def confine(target: str, settings: Mapping[str, str]) -> dict[str, str]:
    """The environment of a function's process, which holds what the function reads of `settings`.

    One that reads no secret is not given the shell's environment either, in which its user may have some.
    """
    own = _secrets_of(target)
    given = {name: value for name, value in settings.items() if name not in SECRETS or name in own}
    if not own:
        return bare_surroundings(given)
    return {name: value for name, value in surroundings(given).items() if name not in SECRETS or name in own}


def _secrets_of(target: str) -> frozenset[str]:
    return SECRETS.intersection(declared_functions()[target].settings_kind.variables())
