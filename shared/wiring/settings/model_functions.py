"""Settings of the functions that call models: limits, models, and answers."""

from collections.abc import Mapping
from typing import Annotated, Final, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticKnownError

from shared.values.agent import parse_zone
from shared.values.prompt_format import REPLY_TOKENS, PromptFormat
from shared.values.usage import set_prices
from shared.wiring.settings import (
    AgentsSettings,
    ArchiveSettings,
    BotSettings,
    ExportSettings,
    MediaBucketSettings,
    ProjectSettings,
)
from shared.wiring.settings.environment import (
    OWN,
    AnyCase,
    Count,
    JsonOrigins,
    Pause,
    Place,
    Search,
    Secret,
    Span,
    Switch,
    Text,
    refusal,
    setting,
)
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

#: the cheapest model that plans well enough (ai.google.dev/gemini-api/docs/models)
LITE: Final = "gemini-3.5-flash-lite"


def _check_zone(text: str) -> str:
    parse_zone(text)
    return text


Days: TypeAlias = Annotated[float, Field(gt=0, le=365)]
_NoLimit: Final = BeforeValidator(lambda text: None if text.casefold() == "no" else text)
Dollars: TypeAlias = Annotated[
    float | None, Field(ge=0, le=1_000_000), _NoLimit, refusal("write dollars from 0 to 1000000, or `no`")
]
Messages: TypeAlias = Annotated[
    int | None, Field(ge=0, le=10_000_000), _NoLimit, refusal("write a number of messages from 0 to 10000000, or `no`")
]

Zone: TypeAlias = Annotated[
    str, AfterValidator(_check_zone), refusal("write the name of a time zone such as Europe/Kyiv")
]
SummarySize: TypeAlias = Annotated[int, Field(ge=64, le=16_384)]


class GeminiSettings(ProjectSettings):
    """Settings of the access to Gemini, and of its time-outs."""

    vertex_ai: Switch = setting(
        "whether Gemini is reached through Vertex AI, in the name of the function's account and without a key",
        "true",
        False,
        name="GOOGLE_GENAI_USE_ENTERPRISE",
    )
    vertex_location: Text = setting(
        "where Vertex AI is asked: a region, or `global`", "europe-west1", "global", name="GOOGLE_CLOUD_LOCATION"
    )
    gemini_api_key: Annotated[Secret, Field(validate_default=True)] = setting(
        "the key of Gemini's API; needed without Vertex AI", "AIza…", "", name="GEMINI_API_KEY"
    )
    gemini_url: Place = setting(
        "another place for Gemini's API; empty: Google's", "http://x:1", "", name="GEMINI_BASE_URL"
    )
    model_timeout_s: Span = setting("seconds that one call of the model may take", "90", 90.0)
    model_tries: Count = setting("how often one call is tried on 429 and 5xx", "4", 4)

    @field_validator("gemini_api_key")
    @classmethod
    def _is_needed(cls, key: SecretStr, info: ValidationInfo) -> SecretStr:
        # `vertex_ai` is missing here if it is invalid itself; then no key is required
        if not key.get_secret_value() and not info.data.get("vertex_ai", True):
            raise PydanticKnownError("missing")
        return key


class SpendingSettings(GeminiSettings):
    """Settings of spending limits."""

    limits: Switch = setting("whether limits hold: those of the deployment, and those that personas set", "no", True)
    day_usd: Dollars = setting(
        "dollars that all agents together may spend on models in a day of UTC; `no`: any", "5", 1.0
    )
    month_usd: Dollars = setting(
        "dollars that all agents together may spend on models in a month; `no`: any", "30", 5.0
    )
    day_messages: Messages = setting(
        "messages that all agents together may answer in a day of UTC; `no`: any", "1000", None
    )
    month_messages: Messages = setting(
        "messages that all agents together may answer in a month; `no`: any", "20000", None
    )
    soft_share: Annotated[float, Field(ge=0.1, le=1)] = setting(
        "the share of a limit from which the cheapest of the offered models answers", "0.9", 0.8
    )
    owner_share: Annotated[float, Field(ge=0, le=0.9)] = setting(
        "the share of all agents' and of an agent's limits that its owner alone may use", "0.3", 0.2
    )
    background_share: Annotated[float, Field(ge=0.05, le=1)] = setting(
        "the share of all agents' limits that notes, summaries and vectors take", "0.5", 0.3
    )
    prices: JsonPrices | None = setting(
        "dollars for a million tokens of models whose price lull does not know, as JSON: model → `prompt` and "
        "`output`, perhaps `cached`, `sound`, `pictures`",
        '{"gemini-5-flash": {"prompt": 1.5, "cached": 0.15, "output": 9}}',
        None,
    )

    @classmethod
    def from_environment(cls, env: Mapping[str, str] = OWN) -> Self:
        """Read the settings of this process, and use their prices in it. Raises InvalidSettings."""
        found = super().from_environment(env)
        set_prices({name: given.price for name, given in (found.prices or {}).items()})
        return found


class EmbeddingSettings(SpendingSettings):
    """Settings of functions that search by meaning."""

    embedding_model: EmbeddingModel = setting(
        "the model that makes vectors of texts, so that meanings are found; `no`: none, and words alone are",
        "gemini-embedding-001",
        "gemini-embedding-2",
    )


class ModelSettings(MediaBucketSettings, SpendingSettings, BotSettings):
    """Settings of functions that call a model about what people send."""

    reader_url: Text = setting(
        "the address of the function that reads pages and opens files; empty: none can be read",
        "https://lull-reader-x.run.app",
        "",
    )
    media_model: MediaModel = setting("the Gemini model that describes what people send; `no`: nobody does", LITE, LITE)
    media_budget: Count = setting("how many files one tick, or one run over what is left over, has described", "8", 8)


class SummarizeSettings(EmbeddingSettings, ArchiveSettings, AgentsSettings, ExportSettings):
    """Settings of the scheduled function. It has no bot token: it only has other functions called."""

    sweep_grace_s: Span = setting(
        "seconds after which the sweep wakes a chat that nobody came for; longer than LULL_LATER_S and a quiet time",
        "150",
        150.0,
    )
    notes_model: OptionalModel = setting(
        "the Gemini model that notes conversations once they rest, and summarises chats; `no`: nobody does", LITE, LITE
    )
    notes_tokens: Annotated[int, Field(ge=1_500, le=128_000)] = setting(
        "how many tokens of a conversation are noted at once", "6000", 12_000
    )
    notes_timeout_s: Span = setting(
        "seconds that one call for notes may take, which is tried twice at most", "30", 60.0
    )
    summary_7day_tokens: SummarySize = setting(
        "how many tokens the summary of a chat's last 7 days may have", "512", 1_024
    )
    summary_7day_every_days: Days = setting("days after which it is made anew, if something was said", "1", 3.0)
    summary_30day_tokens: SummarySize = setting(
        "how many tokens the summary of a chat's last 30 days may have", "2048", 4_096
    )
    summary_30day_every_days: Days = setting("days after which it is made anew, if something was said", "7", 14.0)


class TickSettings(ModelSettings, EmbeddingSettings, ExportSettings):
    """Settings of the tick function."""

    webhook_secret: Secret = setting("the webhook's secret, which claim codes are derived from", "a-long-random-string")
    privacy_url: Text = setting(
        "the page that /privacy links to, for agents that name no other; empty: none",
        "https://lull-webhook-x.run.app/privacy.html",
        "",
    )
    model_host: Text = setting(
        "the host of the model that answers, as /privacy tells it; empty: that of GEMINI_BASE_URL, or Google's",
        "llm.example.org",
        "",
    )
    model: Model = setting("the Gemini model that plans", "gemini-3.5-flash-lite", "gemini-3.8-flash")
    models: Models = setting(
        "the models that /model offers besides LULL_MODEL, separated by commas; empty: the smallest of Gemini's",
        "gemini-3.6-flash,gemini-3.5-flash-lite",
        "",
    )
    open: Switch = setting(
        "whether every agent answers everybody everywhere, as on your own computer; else its persona says so",
        "yes",
        False,
    )
    zone: Zone = setting(
        "the time zone of people who told none, as far as it is not an agent's; empty: guessed by their language",
        "Europe/Kyiv",
        "",
    )
    lease_s: Span = setting("seconds that a tick holds a chat without a sign of life", "60", 60.0)
    longest_wait_s: Pause = setting("seconds after which a chat that never rests is answered all the same", "10", 10.0)
    active_s: Pause = setting("seconds that an agent counts as taking part in a chat after a message", "120", 120.0)
    follow_up_s: Pause = setting(
        "seconds in which what is said in a group may go on with the agent's last words", "60", 60.0
    )
    judge_model: OptionalModel = setting(
        "the small model that judges what the rules cannot tell, for agents with `judge: true`; `no`: none does",
        "gemini-3.5-flash-lite",
        "gemini-3.5-flash-lite",
    )
    judge_timeout_s: Span = setting("seconds after which the judge's answer is no", "4", 4.0)
    prompt_format: Annotated[PromptFormat, AnyCase] = setting(
        "`meta`: a header before each message, without what earlier headers said; `full`: the whole header each time; "
        "`compact`: one short line per message, without ids; `plain`: bare words, in groups with names",
        "compact",
        PromptFormat.META,
    )
    context_messages: Count = setting("how many recent messages are kept at hand for the model", "200", 200)
    person_memories: Annotated[int, Field(ge=1, le=500)] = setting(
        "how many facts are remembered of a person, of a chat, and by an agent", "100", 50
    )
    context_tokens: Annotated[int, Field(ge=2_000, le=128_000)] = setting(
        "how large a prompt may be, in tokens, by lull's own estimate", "32000", 16_000
    )
    reply_tokens: Annotated[int, Field(ge=256, le=65_536)] = setting(
        "how many tokens a reply of the model may have, thoughts included", "4096", REPLY_TOKENS
    )
    streaming: Switch = setting("whether a private chat sees the answer while it is written, as a draft", "no", True)
    compression: Switch = setting(
        "whether the model summarises the older part of a long conversation; else it is cut", "no", True
    )
    retry_s: Pause = setting("seconds between the tries of a task or of a failed plan", "10", 10.0)
    model_ticks: Count = setting("how many ticks try a model that does not answer before the person is told", "4", 4)
    task_tries: Count = setting("how often a task is tried before its plan is dropped", "10", 10)
    recall: Switch = setting(
        "whether a question that points at what is not shown has what was said before searched for it", "no", True
    )
    rest_s: Span = setting("seconds without a message after which a conversation rests, and is noted", "600", 600.0)
    early_titles: Switch = setting(
        "whether a conversation gets its first title at its fifth turn; else it gets it once it rests", "no", True
    )
    media_wait_s: Pause = setting("seconds that a message may wait for what its files show or say", "20", 20.0)
    media_pictures: Annotated[int, Field(ge=0, le=16)] = setting(
        "how many pictures the model that plans is shown at once, the newest first", "4", 4
    )
    media_sound_s: Annotated[int, Field(ge=0, le=3_600)] = setting(
        "seconds of sound and film that the model that plans is given at once", "120", 120
    )
    speech_model: SpeechModel = setting(
        "the Gemini model that speaks, for agents with a `voice`; `no`: none does, and they write",
        "gemini-3.8-flash-tts",
        "gemini-3.8-flash-lite-tts",
    )
    image_model: ImageModel = setting(
        "the Gemini model that draws, for agents that may `draw`; `no`: none does", "gemini-nano-banana-2.1", "no"
    )
    services: JsonOrigins | None = setting(
        "other places for the services that tools ask (weather, rates), as JSON: origin → the place asked instead",
        '{"https://api.open-meteo.com": "https://meteo.my.net"}',
        None,
    )
    search: Search = setting(
        "who searches the web: `google`, through Gemini; the address of a SearXNG; `no`: nobody",
        "https://searx.my.net",
        "google",
    )

    @property
    def offered_models(self) -> tuple[str, ...]:
        """The models that a conversation may use; the first is the one that plans until somebody chooses."""
        named = [name.strip() for name in self.models.split(",") if name.strip()]
        if not named and self.model.startswith("gemini-"):
            named = [LITE]
        return tuple(dict.fromkeys((self.model, *named)))
