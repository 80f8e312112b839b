"""Checks of models' names in settings, and the setting for prices that lull does not know."""

import re
from datetime import UTC, datetime
from typing import Annotated, Final, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Json, ValidationInfo
from pydantic_core import PydanticCustomError

from shared.values.capabilities import InputKind, OutputKind, is_listed
from shared.values.model_name import KNOWN_PROVIDERS, parse_model_name, split_model_name
from shared.values.usage import Price, listed_price
from shared.wiring.settings.environment import refusal
from shared.wiring.settings.providers import check_provider, given_capabilities, is_free

#: the setting for no model
NO_MODEL: Final = "no"
_UNPRICED: Final = "names a model whose price lull does not know; set its price in LULL_PRICES"
#: added to that error if the name has a colon: the part before the colon may be meant as a provider
_NO_PROVIDER: Final = "; if the part before `:` is a provider, set its address in LULL_PROVIDERS"

_Rate: TypeAlias = Annotated[float, Field(strict=True, ge=0, le=100_000)]


class ModelPrice(BaseModel):
    """The price of a model, as the settings give it. `cached` defaults to the price of the prompt."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    prompt: _Rate
    output: _Rate
    cached: _Rate | None = None
    sound: _Rate | None = None
    pictures: _Rate | None = None

    @property
    def price(self) -> Price:
        """This price as a `Price`, from which costs are computed."""
        cached = self.prompt if self.cached is None else self.cached
        return Price(self.prompt, cached, self.output, sound=self.sound, pictures=self.pictures)


JsonPrices: TypeAlias = Annotated[
    Json[dict[str, ModelPrice]],
    refusal(
        "for each model, write `prompt` and `output`, and optionally `cached`, `pictures` or `sound`, in dollars for "
        "a million tokens, from 0 to 100000"
    ),
]


def _check_price(name: str, info: ValidationInfo) -> str:
    """Refuse a model without a known price if spending limits are enforced. Models on this machine cost nothing."""
    if name == NO_MODEL or not info.data.get("limits") or not {"prices", "providers"} <= info.data.keys():
        return name  # invalid prices and providers have errors of their own
    prices, configured = info.data["prices"], info.data["providers"] or ()
    given = {str(parse_model_name(one, configured)) for one in prices or ()}
    if name in given or is_free(name, info.data) or listed_price(name, datetime.now(UTC)) is not None:
        return name
    is_doubtful = split_model_name(name).provider not in {*KNOWN_PROVIDERS, *configured}
    raise PydanticCustomError("unpriced", _UNPRICED + (_NO_PROVIDER if is_doubtful else ""))


def _check_prices(names: str, info: ValidationInfo) -> str:
    return ",".join(_check_price(name, info) for name in names.split(",") if name)


def _read_name(name: str, info: ValidationInfo) -> str:
    """Return the canonical name of one model, or `no`."""
    if name == NO_MODEL:
        return name
    check_provider(name, info.data)
    if found := str(parse_model_name(name, info.data.get("providers") or ())):
        return found
    raise ValueError("write the name of one model")


def _require_model(name: str) -> str:
    if name == NO_MODEL:
        raise ValueError("write the name of one model; lull cannot run without a model")
    return name


def _read_names(text: str, info: ValidationInfo) -> str:
    names = [name for part in text.split(",") if (name := part.strip())]
    if NO_MODEL in names:
        raise ValueError("write names of models, separated by commas, or leave it empty")
    return ",".join(_read_name(name, info) for name in names)


def _check_writes(names: str, info: ValidationInfo) -> str:
    """Refuse models that answer without text, such as embedding models."""
    for name in names.split(",") if names not in {"", NO_MODEL} else ():
        if OutputKind.TEXT not in given_capabilities(name, info.data).makes:
            raise ValueError(f"write a model that answers with text, such as gemini-3.8-flash{_or_say(name)}")
    return names


def _check_describes(name: str, info: ValidationInfo) -> str:
    can = given_capabilities(name, info.data)
    if name != NO_MODEL and not (can.takes - {InputKind.TEXT} and OutputKind.TEXT in can.makes):
        why = "write `no`, or a model that reads files and writes text, such as gemini-3.5-flash-lite"
        raise ValueError(f"{why}; shared/values/capabilities.py lists what each model takes and makes{_or_say(name)}")
    return name


def _check_makes(name: str, info: ValidationInfo, made: OutputKind, example: str) -> str:
    if name != NO_MODEL and made not in given_capabilities(name, info.data).makes:
        why = f"write `no`, or a model that makes {made.value}, such as {example}"
        raise ValueError(f"{why}; shared/values/capabilities.py lists what each model makes{_or_say(name)}")
    return name


def _check_makes_vectors(name: str, info: ValidationInfo) -> str:
    is_other = is_listed(name) and OutputKind.VECTORS not in given_capabilities(name, info.data).makes
    characters = r"[\w.-]+" if split_model_name(name).is_gemini else r"[\w./:-]+"
    if is_other or not re.fullmatch(characters, name, re.ASCII):
        why = "write `no`, or a model that makes vectors of texts, such as gemini-embedding-2"
        raise ValueError(f"{why}{_or_say(name)}")
    return name


def _or_say(name: str) -> str:
    return "" if split_model_name(name).is_gemini else "; LULL_CAPABILITIES can describe other models"


_Priced: Final = AfterValidator(_check_price)
_Read: Final = AfterValidator(_read_name)
_Writes: Final = AfterValidator(_check_writes)
Model: TypeAlias = Annotated[str, _Read, AfterValidator(_require_model), _Writes, _Priced]
#: a model, or `no`; the same holds for the types below, except for `Models`
OptionalModel: TypeAlias = Annotated[str, _Read, _Writes, _Priced]
#: models, with commas between them
Models: TypeAlias = Annotated[str, AfterValidator(_read_names), _Writes, AfterValidator(_check_prices)]
#: models that describe files, speak, draw, and make vectors of texts
MediaModel: TypeAlias = Annotated[str, _Read, AfterValidator(_check_describes), _Priced]
SpeechModel: TypeAlias = Annotated[
    str,
    _Read,
    AfterValidator(lambda name, info: _check_makes(name, info, OutputKind.SPEECH, "gemini-3.8-flash-lite-tts")),
    _Priced,
]
ImageModel: TypeAlias = Annotated[
    str,
    _Read,
    AfterValidator(lambda name, info: _check_makes(name, info, OutputKind.PICTURES, "gemini-nano-banana-2.1")),
    _Priced,
]
EmbeddingModel: TypeAlias = Annotated[str, _Read, AfterValidator(_check_makes_vectors), _Priced]
