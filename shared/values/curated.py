"""What somebody wrote into the files of a deployment about what a picture or a sticker shows."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from shared.values.media import CURATED, Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.stickers import plain_emoji

#: characters of a description: it stands in prompts again and again
LONGEST_CURATED: Final = 600


class CuratedMedia(BaseModel):
    """One file of `media/`. It is meant by its unique id, or as a sticker by its set and its name there (an emoji)."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    unique_id: str = ""
    kind: MediaKind
    sticker_set_name: str = ""
    sticker_name: str = ""
    description: str = Field(min_length=1, max_length=LONGEST_CURATED)

    @model_validator(mode="after")
    def _means_something(self) -> "CuratedMedia":
        if not self.unique_id and not (self.sticker_set_name and self.sticker_name):
            raise ValueError("say which file is meant: unique_id, or sticker_set_name and sticker_name")
        return self

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """Under which keys it is found: ("", its unique id), and (its set, its name) in the form of `key_of`."""
        by_id = (("", self.unique_id),) if self.unique_id else ()
        by_name = (key_of(self.sticker_set_name, self.sticker_name),) if self.sticker_set_name else ()
        return (*by_id, *by_name)

    @property
    def described(self) -> Description:
        """What is known by it."""
        return Description(outcome=DescriptionOutcome.DESCRIBED, shows=self.description, source=CURATED)


#: what is curated, under all keys by which it may be found (`CuratedMedia.names`, `keys_of`)
ByName: TypeAlias = Mapping[tuple[str, str], CuratedMedia]


def key_of(set_name: str, name: str) -> tuple[str, str]:
    """A sticker by its set, whose name is the same in any case, and its emoji."""
    return set_name.lower(), plain_emoji(name)


def keys_of(ref: MediaRef) -> tuple[tuple[str, str], ...]:
    """Under which keys a file may be found, its own id first."""
    by_name = (key_of(ref.set_name, ref.emoji),) if ref.set_name and ref.emoji else ()
    return (("", ref.unique_id), *by_name) if ref.unique_id else by_name


def curated_of(ref: MediaRef, curated: ByName) -> Description | None:
    """What somebody wrote of a file; none if nobody did."""
    return next((curated[key].described for key in keys_of(ref) if key in curated), None)
