"""Settings of spending limits, and the setting that lets agents answer everybody. The console only shows them."""

from typing import Annotated, Final, TypeAlias

from pydantic import BeforeValidator, Field

from shared.wiring.settings.environment import EnvironmentSettings, Switch, refusal, setting

_NoLimit: Final = BeforeValidator(lambda text: None if text.casefold() == "no" else text)
Dollars: TypeAlias = Annotated[
    float | None, Field(ge=0, le=1_000_000), _NoLimit, refusal("write dollars from 0 to 1000000, or `no`")
]
Messages: TypeAlias = Annotated[
    int | None, Field(ge=0, le=10_000_000), _NoLimit, refusal("write a number of messages from 0 to 10000000, or `no`")
]


class LimitSettings(EnvironmentSettings):
    """Settings of spending limits."""

    limits: Switch = setting("whether the limits of the deployment and of personas are enforced", "no", True)
    day_usd: Dollars = setting(
        "dollars that all agents together may spend on models in a UTC day; `no`: unlimited", "5", 1.0
    )
    month_usd: Dollars = setting(
        "dollars that all agents together may spend on models in a month; `no`: unlimited", "30", 5.0
    )
    day_messages: Messages = setting(
        "messages that all agents together may answer in a UTC day; `no`: unlimited", "1000", None
    )
    month_messages: Messages = setting(
        "messages that all agents together may answer in a month; `no`: unlimited", "20000", None
    )
    soft_share: Annotated[float, Field(ge=0.1, le=1)] = setting(
        "the share of a limit after which the cheapest offered model answers", "0.9", 0.8
    )
    owner_share: Annotated[float, Field(ge=0, le=0.9)] = setting(
        "the share of the deployment's and of an agent's limits that is reserved for the agent's owner", "0.3", 0.2
    )
    background_share: Annotated[float, Field(ge=0.05, le=1)] = setting(
        "the largest share of the deployment's limits that notes, summaries and vectors may use", "0.5", 0.3
    )


class OpenSettings(EnvironmentSettings):
    """The setting that decides whether all agents answer everybody."""

    open: Switch = setting(
        "whether all agents answer everybody in all chats, as in `make dev`; `no`: each persona decides",
        "yes",
        False,
    )
