"""The address and key of a server that speaks OpenAI's protocol."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class OpenAIEndpoint:
    """A server of chat completions. `repr` omits the key, so that no log holds it.

    `provider` is the server's name in settings and errors. `base_url` includes the version, such as
    https://api.openai.com/v1. `reports_progress`: whether the server is llama.cpp, which reports how much of a prompt
    it has read.
    """

    provider: str
    base_url: str
    api_key: str = field(default="", repr=False)
    reports_progress: bool = False

    def full_name(self, model: str) -> str:
        """Return a model's name with its provider, as it is written in settings and price lists."""
        return f"{self.provider}:{model}"
