"""The settings of the tick function."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from shared.declaring import Between, Secret, Spelled, setting
from shared.models.prompt_format import REPLY_TOKENS, PromptFormat
from shared.settings import LITE, Count, EmbeddingSettings, ModelSettings, Pause, Span, TakeoutSettings
from shared.settings_in_json import (
    image_model_in,
    model_in,
    models_in,
    optional_model_in,
    origins_in,
    search_in,
    speech_model_in,
    zone_in,
)


@dataclass(frozen=True, kw_only=True)
class TickSettings(ModelSettings, EmbeddingSettings, TakeoutSettings):
    """What the tick function needs."""

    webhook_secret: Secret = setting(
        "LULL_WEBHOOK_SECRET", "the webhook's secret, which claim codes are derived from", "a-long-random-string"
    )
    privacy_url: str = setting(
        "LULL_PRIVACY_URL",
        "the page that /privacy links to, for agents that name no other; empty: none",
        "https://lull-webhook-x.run.app/privacy.html",
        "",
    )
    model_host: str = setting(
        "LULL_MODEL_HOST",
        "the host of the model that answers, as /privacy tells it; empty: that of GEMINI_BASE_URL, or Google's",
        "llm.example.org",
        "",
    )
    model: Annotated[str, Spelled(model_in)] = setting(
        "LULL_MODEL", "the Gemini model that plans", "gemini-3.5-flash-lite", "gemini-3.8-flash"
    )
    models: Annotated[str, Spelled(models_in)] = setting(
        "LULL_MODELS",
        "the models that /model offers besides LULL_MODEL, separated by commas; empty: the smallest of Gemini's",
        "gemini-3.6-flash,gemini-3.5-flash-lite",
        "",
    )
    open: bool = setting(
        "LULL_OPEN",
        "whether every agent answers everybody everywhere, as on your own computer; else its persona says so",
        "yes",
        False,
    )
    zone: Annotated[str, Spelled(zone_in)] = setting(
        "LULL_ZONE",
        "the time zone of people who told none, as far as it is not an agent's; empty: guessed by their language",
        "Europe/Kyiv",
        "",
    )
    lease_s: Span = setting("LULL_LEASE_S", "seconds that a tick holds a chat without a sign of life", "60", 60.0)
    longest_wait_s: Pause = setting(
        "LULL_LONGEST_WAIT_S", "seconds after which a chat that never rests is answered all the same", "10", 10.0
    )
    active_s: Pause = setting(
        "LULL_ACTIVE_S", "seconds that an agent counts as taking part in a chat after a message", "120", 120.0
    )
    follow_up_s: Pause = setting(
        "LULL_FOLLOW_UP_S", "seconds in which what is said in a group may go on with the agent's last words", "60", 60.0
    )
    judge_model: Annotated[str, Spelled(optional_model_in)] = setting(
        "LULL_JUDGE_MODEL",
        "the small model that judges what the rules cannot tell, for agents with `judge: true`; `no`: none does",
        "gemini-3.5-flash-lite",
        "gemini-3.5-flash-lite",
    )
    judge_timeout_s: Span = setting("LULL_JUDGE_TIMEOUT_S", "seconds after which the judge's answer is no", "4", 4.0)
    prompt_format: PromptFormat = setting(
        "LULL_PROMPT_FORMAT",
        "`meta`: a header for each message, without what those above it told; `full`: all of it in each header; "
        "`compact`: a short line without ids: no quotes, no reactions",
        "compact",
        PromptFormat.META,
    )
    context_messages: Count = setting(
        "LULL_CONTEXT_MESSAGES", "how many recent messages are kept at hand for the model", "200", 200
    )
    person_memories: Annotated[int, Between(1, 500)] = setting(
        "LULL_PERSON_MEMORIES", "how many facts are remembered of a person, of a chat, and by an agent", "100", 50
    )
    context_tokens: Annotated[int, Between(2_000, 128_000)] = setting(
        "LULL_CONTEXT_TOKENS", "how large a prompt may be, in tokens, by lull's own estimate", "32000", 16_000
    )
    reply_tokens: Annotated[int, Between(256, 65_536)] = setting(
        "LULL_REPLY_TOKENS", "how many tokens a reply of the model may have, thoughts included", "4096", REPLY_TOKENS
    )
    streaming: bool = setting(
        "LULL_STREAMING", "whether a private chat sees the answer while it is written, as a draft", "no", True
    )
    compression: bool = setting(
        "LULL_COMPRESSION",
        "whether the model summarises the older part of a long conversation; else it is cut",
        "no",
        True,
    )
    retry_s: Pause = setting("LULL_RETRY_S", "seconds between the tries of a task or of a failed plan", "10", 10.0)
    model_ticks: Count = setting(
        "LULL_MODEL_TICKS", "how many ticks try a model that does not answer before the person is told", "4", 4
    )
    task_tries: Count = setting("LULL_TASK_TRIES", "how often a task is tried before its plan is dropped", "10", 10)
    recall: bool = setting(
        "LULL_RECALL",
        "whether a question that points at what is not shown has what was said before searched for it",
        "no",
        True,
    )
    rest_s: Span = setting(
        "LULL_REST_S", "seconds without a message after which a conversation rests, and is noted", "600", 600.0
    )
    early_titles: bool = setting(
        "LULL_EARLY_TITLES",
        "whether a conversation gets its first title at its fifth turn; else it gets it once it rests",
        "no",
        True,
    )
    media_wait_s: Pause = setting(
        "LULL_MEDIA_WAIT_S", "seconds that a message may wait for what its files show or say", "20", 20.0
    )
    media_pictures: Annotated[int, Between(0, 16)] = setting(
        "LULL_MEDIA_PICTURES", "how many pictures the model that plans is shown at once, the newest first", "4", 4
    )
    media_sound_s: Annotated[int, Between(0, 3_600)] = setting(
        "LULL_MEDIA_SOUND_S", "seconds of sound and film that the model that plans is given at once", "120", 120
    )
    speech_model: Annotated[str, Spelled(speech_model_in)] = setting(
        "LULL_SPEECH_MODEL",
        "the Gemini model that speaks, for agents with a `voice`; `no`: none does, and they write",
        "gemini-3.8-flash-tts",
        "gemini-3.8-flash-lite-tts",
    )
    image_model: Annotated[str, Spelled(image_model_in)] = setting(
        "LULL_IMAGE_MODEL",
        "the Gemini model that draws, for agents that may `draw`; `no`: none does",
        "gemini-nano-banana-2.1",
        "no",
    )
    services: Annotated[Mapping[str, str] | None, Spelled(origins_in)] = setting(
        "LULL_SERVICES",
        "other places for the services that tools ask (weather, rates), as JSON: origin → the place asked instead",
        '{"https://api.open-meteo.com": "https://meteo.my.net"}',
        None,
    )
    search: Annotated[str, Spelled(search_in)] = setting(
        "LULL_SEARCH",
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
