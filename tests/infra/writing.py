"""Rules for the style of the Terraform, which no plan shows."""

import re
from collections.abc import Iterator, Mapping

#: path of a file → its text
Texts = Mapping[str, str]
DESCRIBED = re.compile(r'(?m)^  description = "[A-Z].+\."$')
#: variables whose values must be in no plan, state or output
SECRET = re.compile(
    r": (bot_tokens|webhook_secret|console_secret|console_login_secret|gemini_api_key|model_provider_keys|value)$"
)
#: write-only arguments need this version of Terraform; another major version of the provider changes defaults
VERSIONS = ('required_version = ">= 1.11"', 'source  = "hashicorp/google"', 'version = "~> 8.7"')


def blocks(texts: Texts, kind: str) -> Iterator[tuple[str, str]]:
    """Yield every block of a kind: its place and name, and its text."""
    for file, text in texts.items():
        for found in re.finditer(rf'^{kind} "([^"]+)"(?: "([^"]+)")? \{{\n(.*?)^\}}', text, re.S | re.M):
            yield f"{file}: {found[2] or found[1]}", found[3]


def mistakes(texts: Texts) -> Iterator[str]:
    """Yield a sentence for each place that breaks a rule."""
    yield from _of_variables(texts)
    yield from _of_versions(texts)
    described = [*blocks(texts, "variable"), *blocks(texts, "output")]
    yield from (f"{name} has no description" for name, text in described if not DESCRIBED.search(text))
    named = (name for name, _ in blocks(texts, "resource"))
    yield from (f"{name} is no name" for name in named if name.endswith((": default", ": main")))
    yield from (f"{file} has more than 300 lines" for file, text in texts.items() if text.count("\n") > 300)
    yield from (f"{file} runs commands" for file, text in texts.items() if "provisioner" in text or "-exec" in text)


def _of_variables(texts: Texts) -> Iterator[str]:
    for name, text in blocks(texts, "variable"):
        wanted = ["type", "sensitive", "ephemeral"] if SECRET.search(name) else ["type"]
        yield from (f"{name} has no {word}" for word in wanted if not re.search(rf"(?m)^  {word} += (?!false)", text))


def _of_versions(texts: Texts) -> Iterator[str]:
    for file, text in texts.items():
        if file.endswith("versions.tf") and not file.startswith("aws/"):
            lines = {line.strip() for line in text.splitlines()}
            yield from (f"{file} does not say {line}" for line in VERSIONS if line not in lines)
