"""Reads settings from an environment, and makes the errors for missing and invalid settings.

No error repeats a value, since a value may be a secret.
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

#: this process's environment, which only this module reads
OWN: Final[Mapping[str, str]] = os.environ
#: the spellings of a switch, with their values
SWITCHES: Final = dict.fromkeys(("true", "t", "yes", "y", "1", "on", "enabled"), True) | dict.fromkeys(
    ("false", "f", "no", "n", "0", "off", "disabled"), False
)
#: how similar a misspelt name must be to a setting (0 to 1); no two settings are that similar
ALIKE: Final = 0.9
_PREFIX: Final = "LULL_"


def setting(purpose: str, example: str, default: Any = PydanticUndefined, *, name: str | None = None) -> Any:
    """Return a field of a settings class; a setting without a default is required.

    `name` is the environment variable; if it is None, the variable is called LULL_ and the field's name.
    """
    return Field(default, description=purpose, examples=[example], validation_alias=name)


class EnvironmentSettings(BaseSettings):
    """The base class of all classes of settings. Only `from_environment` reads the environment."""

    model_config = SettingsConfigDict(
        frozen=True,
        env_prefix=_PREFIX,
        enable_decoding=False,
        validate_default=False,
        allow_inf_nan=False,
        loc_by_alias=False,
        hide_input_in_errors=True,
        # a function builds only the class that it reads
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
        """Keep pydantic from reading the environment of this process: `make deploy` and tests pass another one."""
        return (init_settings,)

    @classmethod
    def from_environment(cls, env: Mapping[str, str] = OWN) -> Self:
        """Read the settings from `env`. Blanks around a value are ignored, and an empty value counts as not set.

        Raises InvalidSettings with a line for each missing or invalid setting.
        """
        source = EnvSettingsSource(cls)
        # the source ignores case; a name in small letters would be a misspelling
        source.env_vars = {name.lower(): text for name in cls.variables() if (text := env.get(name, "").strip())}
        try:
            return cls(**source())
        except ValidationError as wrong:
            lines = [cls._complaint(one) for one in wrong.errors(include_url=False, include_input=False)]
            raise InvalidSettings("\n".join(lines)) from None

    @classmethod
    def variables(cls) -> dict[str, FieldInfo]:
        """Return the fields by the names of their environment variables."""
        return {_variable(name, field): field for name, field in cls.model_fields.items()}

    @classmethod
    def needed_examples(cls) -> dict[str, str]:
        """Return the examples of all required settings, by the names of their environment variables."""
        try:
            cls()
        except ValidationError as wrong:
            missing = {str(one["loc"][0]) for one in wrong.errors() if one["type"] == "missing"}
            return {_variable(n, field): example_of(field) for n, field in cls.model_fields.items() if n in missing}
        return {}

    @classmethod
    def find_misspelt(cls, env: Mapping[str, str] = OWN) -> list[str]:
        """Return a sentence for each name in the environment that is likely a misspelt setting of this class.

        Only very similar names count, since the environment may also have settings of other functions.
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
    """Return a setting's example, as errors and the documentation show it."""
    return str((field.examples or [""])[0])


def is_lulls(name: str) -> bool:
    """Return whether a name looks like a setting of lull, even if it is misspelt."""
    return name.upper().startswith("LUL")


def nearest_setting(name: str, known: Collection[str], likeness: float = 0.8) -> str:
    """Return the setting that a misspelt name likely means; empty if none is similar enough."""
    import difflib  # imported here because only misspelt names need it, and starts should be fast

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
    """Return a validator whose error is `sentence`, unless a field is missing or the value is not a JSON object."""

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
#: a word in capital or small letters
AnyCase: Final = BeforeValidator(str.casefold)

#: seconds from 0, seconds above 0, and a count; times are at most a day, so that none overflows
Pause: TypeAlias = Annotated[float, Field(ge=0, le=86_400)]
Span: TypeAlias = Annotated[float, Field(gt=0, le=86_400)]
Count: TypeAlias = Annotated[int, Field(ge=1, le=10_000)]

#: an address to call
Place: TypeAlias = Annotated[
    str,
    Field(pattern=r"^https?://[^\s/?#@\"']+(/[^\s?#\"']*)?$"),
    AfterValidator(lambda text: text.rstrip("/")),
    refusal("write an address such as https://api.example.org"),
]
#: the search service
Search: TypeAlias = Annotated[
    Literal["google", "no"] | Place, refusal("write `google`, `no`, or an address such as https://searx.example.org")
]
JsonOrigins: TypeAlias = Annotated[
    Json[dict[Place, Place]], refusal("write two addresses such as https://api.example.org for each service")
]
JsonTokens: TypeAlias = Annotated[Json[dict[str, SecretStr]], refusal("each value must be a string")]
