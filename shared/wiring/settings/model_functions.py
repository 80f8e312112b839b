"""Settings of the functions that call models: limits, models, and answers."""

from collections.abc import Mapping
from typing import Annotated, Final, Self, TypeAlias

from pydantic import (
    AfterValidator,
    Field,
    ValidationInfo,
    field_validator,
)

from shared.values.agent import parse_zone
from shared.values.model_name import parse_model_name
from shared.values.usage import Price, set_prices
from shared.wiring.settings import (
    AgentsSettings,
    ArchiveSettings,
    BotSettings,
    ExportSettings,
    MediaBucketSettings,
)
from shared.wiring.settings.common import MediaBudgetSettings, PromptSettings, SummarySettings
from shared.wiring.settings.environment import (
    OWN,
    Count,
    JsonOrigins,
    Pause,
    Search,
    Secret,
    Span,
    Switch,
    Text,
    refusal,
    setting,
)
from shared.wiring.settings.limits import LimitSettings, OpenSettings
from shared.wiring.settings.model_access import ModelAccessSettings
from shared.wiring.settings.model_names import (
    EmbeddingModel,
    ImageModel,
    JsonPrices,
    MediaModel,
    Model,
    Models,
    OptionalModel,
    SpeechModel,
)
from shared.wiring.settings.providers import is_free

#: the cheapest model that plans well enough (ai.google.dev/gemini-api/docs/models)
LITE: Final = "gemini-3.5-flash-lite"
_FREE: Final = Price(0.0, 0.0, 0.0)


def _check_zone(text: str) -> str:
    parse_zone(text)
    return text


Zone: TypeAlias = Annotated[
    str, AfterValidator(_check_zone), refusal("write the name of a time zone such as Europe/Kyiv")
]


class SpendingSettings(ModelAccessSettings, LimitSettings):
    """Settings of spending limits, and of prices."""

    prices: JsonPrices | None = setting(
        "prices of models that lull does not know, in dollars for a million tokens, as JSON: model → "
        "`prompt` and `output`; optional: `cached`, `sound`, `pictures`",
        '{"gemini-5-flash": {"prompt": 1.5, "cached": 0.15, "output": 9}}',
        None,
    )

    @classmethod
    def from_environment(cls, env: Mapping[str, str] = OWN) -> Self:
        """Read the settings, and register the given prices of models in this process. Raises InvalidSettings."""
        found = super().from_environment(env)
        free = {model: _FREE for model in found.named_models if is_free(model, dict(found))}
        given = {name: given.price for name, given in (found.prices or {}).items()}
        given = {str(parse_model_name(name, found.providers or ())): price for name, price in given.items()}
        set_prices({**free, **given})
        return found


class EmbeddingSettings(SpendingSettings):
    """Settings of functions that search by meaning."""

    embedding_model: EmbeddingModel = setting(
        "the model that makes vectors of texts, for searching by meaning; `no`: searches use words only",
        "gemini-embedding-001",
        "gemini-embedding-2",
    )


class ModelSettings(MediaBucketSettings, MediaBudgetSettings, SpendingSettings, BotSettings):
    """Settings of functions that send people's messages or files to a model."""

    reader_url: Text = setting(
        "the URL of the reader, which reads pages and decodes files; empty: neither can be read",
        "https://lull-reader-x.run.app",
        "",
    )
    media_model: MediaModel = setting("the model that describes files; `no`: files are not described", LITE, LITE)


class SummarizeSettings(EmbeddingSettings, SummarySettings, ArchiveSettings, AgentsSettings, ExportSettings):
    """Settings of the function `summarize`. It has no bot token, and leaves work that needs one to other functions."""

    sweep_grace_s: Span = setting(
        "seconds after which the sweep wakes a chat with unread updates; must be longer than LULL_LATER_S "
        "and a quiet time",
        "150",
        150.0,
    )
    notes_model: OptionalModel = setting(
        "the model that makes notes of resting conversations and summaries of chats; `no`: neither is made",
        LITE,
        LITE,
    )
    notes_timeout_s: Span = setting("seconds that one call for notes may take; it is tried at most twice", "30", 60.0)


class TickSettings(ModelSettings, PromptSettings, EmbeddingSettings, ExportSettings, OpenSettings):
    """Settings of the function `tick`: its models, its times and limits, and services such as the web search."""

    webhook_secret: Secret = setting("the webhook's secret, from which claim codes are derived", "a-long-random-string")
    privacy_url: Text = setting(
        "the page that /privacy links to, unless the persona names another; empty: no link",
        "https://lull-webhook-x.run.app/privacy.html",
        "",
    )
    model_host: Text = setting(
        "the host of models that are reached through this machine, as shown by /privacy",
        "llm.example.org",
        "127.0.0.1",
    )
    model: Model = setting(
        "the model that plans: `provider:name`, or the bare name of one of Gemini's",
        "gemini-3.5-flash-lite",
        "gemini-3.8-flash",
    )
    models: Models = setting(
        "the models that /model offers besides LULL_MODEL, separated by commas; empty: the smallest Gemini model",
        "gemini-3.6-flash,gemini-3.5-flash-lite",
        "",
    )
    zone: Zone = setting(
        "the time zone of people who set none, unless their agent has one; empty: guessed from their language",
        "Europe/Kyiv",
        "",
    )
    lease_s: Span = setting("seconds until a tick's lease on a chat ends if the tick does not renew it", "60", 60.0)
    longest_wait_s: Pause = setting("seconds after which a chat is answered even if messages keep arriving", "10", 10.0)
    active_s: Pause = setting("seconds that an agent counts as taking part in a chat after a message", "120", 120.0)
    follow_up_s: Pause = setting(
        "seconds in which a group message may count as a reply to the agent's last message", "60", 60.0
    )
    judge_model: OptionalModel = setting(
        "the small model that decides whether a group message is meant for the agent if the rules cannot, "
        "for agents with `judge: true`; `no`: no model",
        "gemini-3.5-flash-lite",
        "gemini-3.5-flash-lite",
    )
    judge_timeout_s: Span = setting("seconds after which a judge that has not answered counts as “no”", "4", 4.0)
    context_messages: Count = setting("how many recent messages a chat's window stores for prompts", "200", 200)
    streaming: Switch = setting(
        "whether a private chat shows an answer as a draft while the model writes it", "no", True
    )
    compression: Switch = setting(
        "whether the older part of a long conversation is summarised in prompts; `no`: it is left out", "no", True
    )
    retry_s: Pause = setting("seconds between the tries of a task or of a failed plan", "10", 10.0)
    model_ticks: Count = setting(
        "how many ticks call a model that does not answer before the person gets an apology", "4", 4
    )
    task_tries: Count = setting("how often a task is tried before its plan is dropped", "10", 10)
    recall: Switch = setting(
        "whether earlier messages are searched if a question refers to something that the prompt does not show",
        "no",
        True,
    )
    rest_s: Span = setting(
        "seconds without a message after which a conversation rests and notes of it are made", "600", 600.0
    )
    early_titles: Switch = setting(
        "whether a conversation gets its first title at its fifth turn; `no`: when it rests", "no", True
    )
    media_wait_s: Pause = setting("seconds that a message may wait for the descriptions of its files", "20", 20.0)
    media_pictures: Annotated[int, Field(ge=0, le=16)] = setting(
        "how many pictures one prompt of the planning model may contain; the newest are chosen", "4", 4
    )
    media_sound_s: Annotated[int, Field(ge=0, le=3_600)] = setting(
        "how many seconds of sound and film one prompt of the planning model may contain", "120", 120
    )
    speech_model: SpeechModel = setting(
        "the Gemini model that makes speech, for agents with a `voice`; `no`: they write instead",
        "gemini-3.8-flash-tts",
        "gemini-3.8-flash-lite-tts",
    )
    image_model: ImageModel = setting(
        "the Gemini model that makes pictures, for agents with the task `draw`; `no`: no pictures are made",
        "gemini-nano-banana-2.1",
        "no",
    )
    services: JsonOrigins | None = setting(
        "other servers for the services that tools call (weather, rates), as JSON: usual origin → origin to "
        "call instead",
        '{"https://api.open-meteo.com": "https://meteo.my.net"}',
        None,
    )
    search: Search = setting(
        "the web search: `google` (through Gemini), the URL of a SearXNG server, or `no`",
        "https://searx.my.net",
        "google",
    )

    @field_validator("search")
    @classmethod
    def _check_search(cls, search: str, info: ValidationInfo) -> str:
        vertex, key = info.data.get("vertex_ai", True), info.data.get("gemini_api_key")
        if search == "google" and not vertex and key is not None and not key.get_secret_value():
            raise ValueError(
                "`google` searches through Gemini, which needs a key: write `no`, or the address of a SearXNG server"
            )
        return search

    @property
    def offered_models(self) -> tuple[str, ...]:
        """The models that a conversation may use. The first one plans until somebody chooses another."""
        named = [name.strip() for name in self.models.split(",") if name.strip()]
        if not named and self.model.startswith("gemini-"):
            named = [LITE]
        return tuple(dict.fromkeys((self.model, *named)))

    @property
    def search_model(self) -> str:
        """The Gemini model that searches with Google; empty if Google does not search."""
        if self.search != "google":
            return ""
        geminis = (name for name in self.offered_models if parse_model_name(name, self.providers or ()).is_gemini)
        return next(geminis, LITE)
