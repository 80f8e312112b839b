"""Descriptions of pictures and stickers that were written by hand in a deployment's files."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from shared.values.media import CURATED, Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.stickers import plain_emoji

#: characters of a description; it is repeated in many prompts
LONGEST_CURATED: Final = 600


class CuratedMedia(BaseModel):
    """One file of `media/`: a description, with the unique id of a picture, or the set and name (an emoji) of a
    sticker.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    unique_id: str = ""
    kind: MediaKind
    sticker_set_name: str = ""
    sticker_name: str = ""
    description: str = Field(min_length=1, max_length=LONGEST_CURATED)

    @model_validator(mode="after")
    def _means_something(self) -> "CuratedMedia":
        if not self.unique_id and not (self.sticker_set_name and self.sticker_name):
            raise ValueError("no file is named; give unique_id, or sticker_set_name and sticker_name")
        return self

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """The keys of the described file: ("", unique id), and (set, name) in the form of `key_of`."""
        by_id = (("", self.unique_id),) if self.unique_id else ()
        by_name = (key_of(self.sticker_set_name, self.sticker_name),) if self.sticker_set_name else ()
        return (*by_id, *by_name)

    @property
    def as_description(self) -> Description:
        return Description(outcome=DescriptionOutcome.DESCRIBED, shows=self.description, source=CURATED)


#: curated descriptions by all keys (`CuratedMedia.names`, `keys_of`)
ByName: TypeAlias = Mapping[tuple[str, str], CuratedMedia]


def key_of(set_name: str, name: str) -> tuple[str, str]:
    """Return the key of a sticker: its set in lower case, and its plain emoji."""
    return set_name.lower(), plain_emoji(name)


def keys_of(ref: MediaRef) -> tuple[tuple[str, str], ...]:
    """Return the keys under which a file may have a curated description, the key with its unique id first."""
    by_name = (key_of(ref.set_name, ref.emoji),) if ref.set_name and ref.emoji else ()
    return (("", ref.unique_id), *by_name) if ref.unique_id else by_name


def curated_of(ref: MediaRef, curated: ByName) -> Description | None:
    """Return the curated description of a file, or None."""
    return next((curated[key].as_description for key in keys_of(ref) if key in curated), None)
