"""Settings that are written as JSON, as an address, or as a model's name. What is wrong is told without a value."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from shared.declaring import Secret, declared_settings
from shared.errors import SettingsWrong
from shared.models.agent import zone_named
from shared.models.capabilities import Made, capabilities_of
from shared.models.usage import Price, price_of
from shared.models.wake import Queue, QueueAddress, Routes


@dataclass(frozen=True, kw_only=True)
class S3Bucket:
    """A bucket of S3, its region, and the role that Google's word for the function is exchanged for."""

    bucket: str
    region: str
    role: str

    def __post_init__(self) -> None:
        """Raises ValueError for a field that S3 would not take."""
        for name, pattern in _OF_S3.items():
            if not re.fullmatch(pattern, getattr(self, name)):
                raise ValueError(f"`{name}` is not of the form that S3 has for it")


_OF_S3 = {
    "bucket": r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]",
    "region": r"[a-z]{2}(-[a-z]+)+-[0-9]",
    "role": r"arn:aws[a-z-]*:iam::[0-9]{12}:role/[\w+=,.@/-]+",
}


_OF_PRICE = {"prompt", "cached", "output", "sound", "pictures"}
_DEAREST = 100_000


#: how the names of settings end that name a model, or several with commas between them
_OF_MODELS: Final = ("_MODEL", "_MODELS")
#: where none is named
_NO_MODEL: Final = frozenset({"", "no"})
_NO_PRICE: Final = "names a model whose price lull does not know; give its price in LULL_PRICES"


def s3_bucket_in(text: str) -> S3Bucket:
    """A bucket written as JSON. Raises ValueError."""
    return S3Bucket(**_texts(_object(text), ("bucket", "region", "role")))


def routes_in(text: str) -> Routes:
    """Routes written as JSON. Raises ValueError."""
    given = _object(text)
    _check_names(given, ("queues", "functions"))
    try:
        queues = {Queue(name): _address(address) for name, address in given.get("queues", {}).items()}
        functions = _texts(dict(given.get("functions", {}).items()))
    except AttributeError:
        raise ValueError("`queues` and `functions` are objects") from None
    except ValueError:
        raise ValueError(
            f"the functions have URLs; the queues are {', '.join(Queue)}, each with a `name` and perhaps an `invoker`"
        ) from None
    return Routes(queues=queues, functions=functions)


def dollars_in(text: str) -> float | None:
    """Dollars; none for `no`. Raises ValueError."""
    if text.strip().casefold() == "no":
        return None
    try:
        dollars = float(text)
    except ValueError:
        dollars = -1.0
    if not 0 <= dollars <= 1_000_000:
        raise ValueError("write dollars from 0 to 1000000, or `no`")
    return dollars


def prices_in(text: str) -> Mapping[str, Price]:
    """Prices by model, written as JSON. Raises ValueError."""
    return {model: _price(model, given) for model, given in _object(text).items()}


def _price(model: str, given: object) -> Price:
    """One price; `cached` is that of the prompt where it is not given."""
    if not isinstance(given, dict) or not {"prompt", "output"} <= given.keys() <= _OF_PRICE:
        raise ValueError(f"each model has `prompt` and `output`, and perhaps others of {', '.join(sorted(_OF_PRICE))}")
    numbers = [value for value in given.values() if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) != len(given) or not all(0 <= one <= _DEAREST for one in numbers):
        raise ValueError(f"prices are dollars for a million tokens, from 0 to {_DEAREST}")
    return Price(**({"cached": given["prompt"]} | given))


def messages_in(text: str) -> int | None:
    """A number of messages; none for `no`. Raises ValueError."""
    written = text.strip().casefold()
    if written == "no":
        return None
    if not (written.isascii() and written.isdecimal() and int(written) <= 10_000_000):
        raise ValueError("write a number of messages from 0 to 10000000, or `no`")
    return int(written)


def tokens_in(text: str) -> dict[str, Secret]:
    """The tokens by agent, written as JSON. Raises ValueError."""
    return {agent: Secret(token) for agent, token in _texts(_object(text)).items()}


def origins_in(text: str) -> dict[str, str]:
    """Origins, each with the place that is asked instead, written as JSON. Raises ValueError."""
    places = _texts(_object(text))
    if not all(_is_place(place) for pair in places.items() for place in pair):
        raise ValueError("both are addresses such as https://api.example.org")
    return {origin.rstrip("/"): place.rstrip("/") for origin, place in places.items()}


def place_in(text: str) -> str:
    """An address that is asked. Raises ValueError."""
    if not _is_place(text):
        raise ValueError("write an address such as https://api.example.org")
    return text.rstrip("/")


def zone_in(text: str) -> str:
    """The name of a time zone. Raises ValueError."""
    try:
        zone_named(text)
    except ValueError as cause:
        raise ValueError("write the name of a time zone such as Europe/Kyiv") from cause
    return text


def search_in(text: str) -> str:
    """Who searches the web: `google`, `no`, or an address. Raises ValueError."""
    if text not in {"google", "no"} and not _is_place(text):
        raise ValueError("write `google`, `no`, or an address such as https://searx.example.org")
    return text.rstrip("/")


def model_in(text: str) -> str:
    """One model's name. Raises ValueError."""
    name = optional_model_in(text)
    if name == "no":
        raise ValueError("write the name of one model: there is no lull without any")
    return name


def optional_model_in(text: str) -> str:
    """One model's name, or `no`. Raises ValueError."""
    name = text.strip().removeprefix("models/")
    if not name:
        raise ValueError("write the name of one model")
    return name


def models_in(text: str) -> str:
    """Names of models with commas between them, or nothing. Raises ValueError."""
    names = [name.strip().removeprefix("models/") for name in text.split(",")]
    if "no" in names:
        raise ValueError("write names of models with commas between them, or nothing")
    return ",".join(filter(None, names))


def media_model_in(text: str) -> str:
    """The model that describes files, or `no`. Raises ValueError."""
    name = text.strip()
    can = capabilities_of(name)
    if name != "no" and not (can.takes and Made.TEXT in can.makes):
        why = "write `no`, or a model that is shown files and answers with text, such as gemini-3.5-flash-lite"
        raise ValueError(f"{why}; shared/models/capabilities.py has what each takes and makes")
    return name


def speech_model_in(text: str) -> str:
    """The model that speaks, or `no`. Raises ValueError."""
    return _maker_in(text, Made.SPEECH, "gemini-3.8-flash-lite-tts")


def image_model_in(text: str) -> str:
    """The model that draws, or `no`. Raises ValueError."""
    return _maker_in(text, Made.PICTURES, "gemini-nano-banana-2.1")


def embedding_model_in(text: str) -> str:
    """The model that makes vectors of texts, or `no`. Raises ValueError."""
    name = text.strip()
    is_other = name.startswith("gemini-") and Made.VECTORS not in capabilities_of(name).makes
    if is_other or not re.fullmatch(r"[\w.-]+", name, re.ASCII):
        raise ValueError("write `no`, or a model that makes vectors of texts, such as gemini-embedding-2")
    return name


def _maker_in(text: str, made: Made, example: str) -> str:
    name = text.strip()
    if name != "no" and made not in capabilities_of(name).makes:
        why = f"write `no`, or a model that makes {made.value}, such as {example}"
        raise ValueError(f"{why}; shared/models/capabilities.py has what each makes")
    return name


def _is_place(text: str) -> bool:
    return re.fullmatch(r"https?://[^\s/?#@\"']+(/[^\s?#\"']*)?", text) is not None


def _address(given: Any) -> QueueAddress:
    if not isinstance(given, dict) or "name" not in given:
        raise ValueError
    return QueueAddress(**{"invoker": "", **_texts(given, known=("name", "invoker"))})


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ValueError("write a JSON object") from None
    return found


def _texts(given: Mapping[str, Any], required: tuple[str, ...] = (), known: tuple[str, ...] = ()) -> dict[str, str]:
    missing = [name for name in required if name not in given]
    if missing:
        raise ValueError(f"`{'`, `'.join(missing)}` is missing")
    if required or known:
        _check_names(given, (*required, *known))
    if not all(isinstance(value, str) for value in given.values()):
        raise ValueError("its values are texts")
    return dict(given)


def _check_names(given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    if set(given) - set(known):
        raise ValueError(f"it has no other fields than {', '.join(known)}")


def check_prices(settings: Any, now: datetime) -> None:
    """Raise SettingsWrong with a line for each setting that names a model whose price nobody knows."""
    wrong = []
    for name, declared in declared_settings(type(settings)).items():
        value = str(getattr(settings, name))
        named = value.split(",") if declared.name.endswith("_MODELS") else [value]
        if declared.name.endswith(_OF_MODELS) and any(
            one not in _NO_MODEL and price_of(one, now) is None for one in named
        ):
            wrong.append(declared.complaint(_NO_PRICE))
    if wrong:
        raise SettingsWrong("\n".join(wrong))
