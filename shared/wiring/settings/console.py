"""Settings of the console."""

from typing import Annotated, TypeAlias

from pydantic import Field, SecretStr

from shared.wiring.settings import AgentsSettings, ExportSettings
from shared.wiring.settings.common import MediaBudgetSettings, PromptSettings, SummarySettings
from shared.wiring.settings.environment import Place, Secret, Text, refusal, setting
from shared.wiring.settings.limits import LimitSettings, OpenSettings

ConsoleDoor: TypeAlias = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-]{12,64}$"), refusal("write 12 to 64 letters, digits, _ and -")
]
MiniAppKey: TypeAlias = Annotated[
    str,
    Field(pattern=r"^(production|test|[0-9a-f]{64})$"),
    refusal("write `production`, `test`, or 64 hexadecimal digits"),
]


class ConsoleSettings(
    LimitSettings,
    OpenSettings,
    SummarySettings,
    MediaBudgetSettings,
    PromptSettings,
    ExportSettings,
    AgentsSettings,
):
    """Settings of the function `console`. It has no bot token and no key of a model: it only shows models' names."""

    console_secret: Secret = setting(
        "the secret that signs the cookies of signed-in owners; another value ends all sign-ins",
        "a-long-random-string",
    )
    console_door: ConsoleDoor = setting(
        "the path at which owners sign in to the console; all other addresses look empty to everybody else",
        "v3ry-hard-to-guess",
    )
    mini_app_key: MiniAppKey = setting(
        "the key with which Telegram signs the data of Mini Apps: `production`, `test` (Telegram's test environment), "
        "or a public key in hexadecimal digits",
        "production",
        "production",
    )
    login_client: Text = setting(
        "the id of the bot whose web login owners use in an ordinary browser (BotFather, Web Login); "
        "empty: sign-in works only inside Telegram",
        "123456",
        "",
    )
    login_secret: Secret = setting(
        "the client secret of that bot's web login, from BotFather", "a-long-secret-of-telegrams", SecretStr("")
    )
    login_issuer: Place = setting(
        "the address of Telegram's web login", "https://oauth.telegram.org", "https://oauth.telegram.org"
    )
    # the console only shows these names, so that it needs no prices and no provider of them
    model: Text = setting(
        "the model that plans: `provider:name`, or the bare name of one of Gemini's",
        "gemini-3.5-flash-lite",
        "gemini-3.8-flash",
    )
    models: Text = setting(
        "the models that /model offers besides LULL_MODEL, separated by commas; empty: the smallest Gemini model",
        "gemini-3.6-flash,gemini-3.5-flash-lite",
        "",
    )
    notes_model: Text = setting(
        "the model that makes notes of resting conversations and summaries of chats; `no`: neither is made",
        "gemini-3.5-flash-lite",
        "gemini-3.5-flash-lite",
    )
    media_model: Text = setting(
        "the model that describes files; `no`: files are not described",
        "gemini-3.5-flash-lite",
        "gemini-3.5-flash-lite",
    )
    embedding_model: Text = setting(
        "the model that makes vectors of texts, for searching by meaning; `no`: searches use words only",
        "gemini-embedding-001",
        "gemini-embedding-2",
    )
