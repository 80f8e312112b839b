"""Names of models in settings, and prices of models that lull does not know."""

import re
from datetime import UTC, datetime
from typing import Annotated, Final, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Json, ValidationInfo
from pydantic_core import PydanticCustomError

from shared.values.capabilities import OutputKind, capabilities_of
from shared.values.usage import Price, listed_price
from shared.wiring.settings.environment import refusal

#: the setting for no model
NO_MODEL: Final = "no"
_UNPRICED: Final = "names a model whose price lull does not know; give its price in LULL_PRICES"

_Rate: TypeAlias = Annotated[float, Field(strict=True, ge=0, le=100_000)]


class ModelPrice(BaseModel):
    """The price of a model from the deployment's settings. `cached` defaults to the price of the prompt."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    prompt: _Rate
    output: _Rate
    cached: _Rate | None = None
    sound: _Rate | None = None
    pictures: _Rate | None = None

    @property
    def price(self) -> Price:
        """The price as a `Price`."""
        cached = self.prompt if self.cached is None else self.cached
        return Price(self.prompt, cached, self.output, sound=self.sound, pictures=self.pictures)


JsonPrices: TypeAlias = Annotated[
    Json[dict[str, ModelPrice]],
    refusal(
        "each model has `prompt` and `output`, and perhaps `cached`, `pictures` or `sound`: dollars for a million "
        "tokens, from 0 to 100000"
    ),
]


def _check_price(name: str, info: ValidationInfo) -> str:
    """Refuse a model without a known price if limits hold."""
    limits, prices = info.data.get("limits"), info.data.get("prices", ...)
    if name == NO_MODEL or not limits or prices is ...:  # an invalid `prices` has an error of its own
        return name
    given = {one.removeprefix("models/") for one in prices or ()}
    if name.removeprefix("models/") not in given and listed_price(name, datetime.now(UTC)) is None:
        raise PydanticCustomError("unpriced", _UNPRICED)
    return name


def _check_prices(names: str, info: ValidationInfo) -> str:
    return ",".join(_check_price(name, info) for name in names.split(",") if name)


def _bare_name(name: str) -> str:
    if bare := name.removeprefix("models/"):
        return bare
    raise ValueError("write the name of one model")


def _require_model(name: str) -> str:
    if name == NO_MODEL:
        raise ValueError("write the name of one model: there is no lull without any")
    return name


def _bare_names(text: str) -> str:
    names = [name.strip().removeprefix("models/") for name in text.split(",")]
    if NO_MODEL in names:
        raise ValueError("write names of models with commas between them, or nothing")
    return ",".join(filter(None, names))


def _check_describes(name: str) -> str:
    can = capabilities_of(name)
    if name != NO_MODEL and not (can.takes and OutputKind.TEXT in can.makes):
        why = "write `no`, or a model that is shown files and answers with text, such as gemini-3.5-flash-lite"
        raise ValueError(f"{why}; shared/values/capabilities.py has what each takes and makes")
    return name


def _check_makes(name: str, made: OutputKind, example: str) -> str:
    if name != NO_MODEL and made not in capabilities_of(name).makes:
        why = f"write `no`, or a model that makes {made.value}, such as {example}"
        raise ValueError(f"{why}; shared/values/capabilities.py has what each makes")
    return name


def _check_makes_vectors(name: str) -> str:
    is_other = name.startswith("gemini-") and OutputKind.VECTORS not in capabilities_of(name).makes
    if is_other or not re.fullmatch(r"[\w.-]+", name, re.ASCII):
        raise ValueError("write `no`, or a model that makes vectors of texts, such as gemini-embedding-2")
    return name


_Priced: Final = AfterValidator(_check_price)
Model: TypeAlias = Annotated[str, AfterValidator(_bare_name), AfterValidator(_require_model), _Priced]
#: a model or `no`; so are those below
OptionalModel: TypeAlias = Annotated[str, AfterValidator(_bare_name), _Priced]
#: models, with commas between them
Models: TypeAlias = Annotated[str, AfterValidator(_bare_names), AfterValidator(_check_prices)]
#: models that describe files, speak, draw, and make vectors of texts
MediaModel: TypeAlias = Annotated[str, AfterValidator(_check_describes), _Priced]
SpeechModel: TypeAlias = Annotated[
    str, AfterValidator(lambda name: _check_makes(name, OutputKind.SPEECH, "gemini-3.8-flash-lite-tts")), _Priced
]
ImageModel: TypeAlias = Annotated[
    str, AfterValidator(lambda name: _check_makes(name, OutputKind.PICTURES, "gemini-nano-banana-2.1")), _Priced
]
EmbeddingModel: TypeAlias = Annotated[str, AfterValidator(_check_makes_vectors), _Priced]
