"""How settings are written in an environment and read from it, and what is said of what is missing or wrong.

No sentence repeats a value: it may be a secret.
"""

import os
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    Json,
    SecretStr,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticUndefined
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from shared.base.errors import InvalidSettings

#: this process's environment, which nothing else reads
OWN: Final[Mapping[str, str]] = os.environ
#: how a switch is written
SWITCHES: Final = dict.fromkeys(("true", "t", "yes", "y", "1", "on", "enabled"), True) | dict.fromkeys(
    ("false", "f", "no", "n", "0", "off", "disabled"), False
)
#: how much two names have in common of which one is a misspelling; no two settings of lull's have so much
ALIKE: Final = 0.9
_PREFIX: Final = "LULL_"


def setting(purpose: str, example: str, default: Any = PydanticUndefined, *, name: str | None = None) -> Any:
    """A field of a class of settings; without a default it is required. `name`: not LULL_ and the field's name."""
    return Field(default, description=purpose, examples=[example], validation_alias=name)


class EnvironmentSettings(BaseSettings):
    """Settings that `from_environment` reads, and that read nothing by themselves."""

    model_config = SettingsConfigDict(
        frozen=True,
        env_prefix=_PREFIX,
        enable_decoding=False,
        validate_default=False,
        allow_inf_nan=False,
        loc_by_alias=False,
        hide_input_in_errors=True,
        # a function builds the class that it reads, and none of the others
        defer_build=True,
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what is given: `make deploy` and tests read other environments than their own."""
        return (init_settings,)

    @classmethod
    def from_environment(cls, env: Mapping[str, str] = OWN) -> Self:
        """Read the settings of this process. An empty value is none; blanks and line ends around one do not count.

        Raises InvalidSettings with one line for each that is missing or wrong.
        """
        source = EnvSettingsSource(cls)
        # the source takes small letters for capitals; a name in small letters is a misspelling
        source.env_vars = {name.lower(): text for name in cls.variables() if (text := env.get(name, "").strip())}
        try:
            return cls(**source())
        except ValidationError as wrong:
            lines = [cls._complaint(one) for one in wrong.errors(include_url=False, include_input=False)]
            raise InvalidSettings("\n".join(lines)) from None

    @classmethod
    def variables(cls) -> dict[str, FieldInfo]:
        """The fields by the names of their environment variables."""
        return {_variable(name, field): field for name, field in cls.model_fields.items()}

    @classmethod
    def needed_examples(cls) -> dict[str, str]:
        """The examples of all that has to be set, by the names of their environment variables."""
        try:
            cls()
        except ValidationError as wrong:
            missing = {str(one["loc"][0]) for one in wrong.errors() if one["type"] == "missing"}
            return {_variable(n, field): example_of(field) for n, field in cls.model_fields.items() if n in missing}
        return {}

    @classmethod
    def find_misspelt(cls, env: Mapping[str, str] = OWN) -> list[str]:
        """Return a sentence for each name of an environment that is likely to be one of these settings, misspelt.

        Other settings may be there, too: one that is not very much like one of these is not told.
        """
        known = set(cls.variables())
        given = {name for name, value in env.items() if value}
        meant = {name: nearest_setting(name, known - given, ALIKE) for name in sorted(given - known) if is_lulls(name)}
        ignored = "is not a setting of this function and is ignored."
        return [f"{name} {ignored} Did you mean {one}?" for name, one in meant.items() if one]

    @classmethod
    def _complaint(cls, wrong: ErrorDetails) -> str:
        name = str(wrong["loc"][0])
        field = cls.model_fields[name]
        variable = _variable(name, field)
        return (
            f"{variable} {_problem(field, wrong)}: it is {field.description}. Example: {variable}={example_of(field)}"
        )


def example_of(field: FieldInfo) -> str:
    """The value of a setting that its complaint and the documentation show."""
    return str((field.examples or [""])[0])


def is_lulls(name: str) -> bool:
    """Whether a name is meant to be lull's own, however it is spelt."""
    return name.upper().startswith("LUL")


def nearest_setting(name: str, known: Collection[str], likeness: float = 0.8) -> str:
    """Return the setting that a misspelt name is likely to mean; empty if none is so much like it."""
    import difflib  # only for what is misspelt: a start that somebody waits for does without

    close = difflib.get_close_matches(name.upper(), known, n=1, cutoff=likeness)
    return close[0] if close else ""


def _variable(name: str, field: FieldInfo) -> str:
    return str(field.validation_alias or f"{_PREFIX}{name.upper()}")


_SENTENCES: Final = {
    "bool_parsing": "write `yes` or `no`",
    "int_parsing": "write a whole number",
    "int_parsing_size": "write a whole number",
    "float_parsing": "write a number",
    "finite_number": "write a number",
    "string_unicode": "write it in UTF-8",
}


def _problem(field: FieldInfo, wrong: ErrorDetails) -> str:
    kind, about = wrong["type"], wrong.get("ctx", {})
    if kind == "missing":
        return "is not set"
    if kind == "unpriced":
        return wrong["msg"]
    if kind in {"enum", "literal_error"}:
        known = about["expected"].replace("'", "`").replace(", ", " or ")
        return f"is wrong (write {known})"
    return f"is wrong ({_SENTENCES.get(kind) or about.get('error') or _bounds(field)})"


def _bounds(field: FieldInfo) -> str:
    bounds = {by: getattr(mark, by) for mark in field.metadata for by in ("gt", "ge", "le") if hasattr(mark, by)}
    least = f"above {bounds['gt']:g}" if "gt" in bounds else f"from {bounds['ge']:g}"
    return f"write a number {least} to {bounds['le']:g}"


def refusal(sentence: str) -> WrapValidator:
    """Have one sentence say whatever is wrong with a value, but that it is no JSON object, or which fields it lacks."""

    def read(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(value)
        except ValidationError as wrong:
            errors = wrong.errors(include_url=False, include_input=False)
        missing = [str(one["loc"][0]) for one in errors if one["type"] == "missing" and len(one["loc"]) == 1]
        if missing:
            raise ValueError(f"`{'`, `'.join(missing)}` is missing")
        is_object = errors[0]["loc"] or errors[0]["type"] not in _NO_OBJECT
        raise ValueError(sentence if is_object else "write a JSON object")

    return WrapValidator(read)


_NO_OBJECT: Final = {"json_invalid", "dict_type", "mapping_type", "model_type", "dataclass_type"}


def _refuse_quotes(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        raise ValueError("write it without quotes")
    return text


def _read_switch(text: str) -> bool | str:
    return SWITCHES.get(text.casefold(), text)


Text: TypeAlias = Annotated[str, BeforeValidator(_refuse_quotes)]
Secret: TypeAlias = Annotated[SecretStr, BeforeValidator(_refuse_quotes)]
Switch: TypeAlias = Annotated[bool, BeforeValidator(_read_switch)]
#: one of some words, in small letters or capitals
AnyCase: Final = BeforeValidator(str.casefold)

#: a time that may be nothing, one that may not, and a number of things; a day bounds them, so that none overflows
Pause: TypeAlias = Annotated[float, Field(ge=0, le=86_400)]
Span: TypeAlias = Annotated[float, Field(gt=0, le=86_400)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=10_000)]

#: an address that is asked
Place: TypeAlias = Annotated[
    str,
    Field(pattern=r"^https?://[^\s/?#@\"']+(/[^\s?#\"']*)?$"),
    AfterValidator(lambda text: text.rstrip("/")),
    refusal("write an address such as https://api.example.org"),
]
#: who searches the web
Search: TypeAlias = Annotated[
    Literal["google", "no"] | Place, refusal("write `google`, `no`, or an address such as https://searx.example.org")
]
JsonOrigins: TypeAlias = Annotated[
    Json[dict[Place, Place]], refusal("both are addresses such as https://api.example.org")
]
JsonTokens: TypeAlias = Annotated[Json[dict[str, SecretStr]], refusal("its values are texts")]
