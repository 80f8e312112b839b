"""The sticker sets of this Telegram: the built-in set, and sets that people add."""

from dataclasses import dataclass, replace

from local.telegram.counters import Counters
from local.telegram.errors import WorldRefused
from local.telegram.files import FileStore, StoredFile
from local.telegram.stickers import SET_NAME, SET_TITLE, add_sticker_set
from local.telegram.store import DocumentKind, WorldStore

_FIRST_CUSTOM_EMOJI = 5_368_324_170_671_202_000


@dataclass(frozen=True, kw_only=True)
class LocalStickerSet:
    """A sticker set. `type` is regular or custom_emoji. `stickers` are the unique ids of the stickers' files."""

    name: str
    title: str
    type: str = "regular"
    stickers: tuple[str, ...] = ()


class StickerSets:
    """All sticker sets. A set is found by its name, in upper or lower case."""

    def __init__(self, store: WorldStore, files: FileStore, counters: Counters) -> None:
        self._files = files
        self._counters = counters
        self._shelf = DocumentKind(store, "sticker set", LocalStickerSet)
        drawn = tuple(file.unique_id for file in add_sticker_set(files))
        self._keep(LocalStickerSet(name=SET_NAME, title=SET_TITLE, stickers=drawn))

    def find(self, name: str) -> LocalStickerSet | None:
        """Return the set with this name (in upper or lower case), or None if there is none."""
        return self._shelf.get(name.lower())

    def stickers_of(self, set_: LocalStickerSet) -> tuple[StoredFile, ...]:
        """Return the stickers of a set, in their order."""
        return tuple(file for id_ in set_.stickers if (file := self._files.get(id_)) is not None)

    def regular(self) -> tuple[StoredFile, ...]:
        """Return the stickers that a person can choose: all except custom emoji."""
        return tuple(one for set_ in self._shelf.values() if set_.type == "regular" for one in self.stickers_of(set_))

    def custom_emoji(self, id_: str) -> StoredFile | None:
        """Return the sticker that shows the custom emoji with this id, or None if there is none."""
        return next((one for one in self.custom() if one.custom_emoji_id == id_), None)

    def custom(self) -> tuple[StoredFile, ...]:
        """Return the stickers of all custom emoji."""
        return tuple(one for set_ in self._shelf.values() if set_.type != "regular" for one in self.stickers_of(set_))

    def add(self, set_: LocalStickerSet, file: StoredFile, content: bytes) -> StoredFile:
        """Add a sticker to the end of the set with the name of `set_`, and return the sticker's file. If no set has
        this name, `set_` itself is added first. Raises WorldRefused if the existing set is of another type.
        """
        known = self.find(set_.name) or set_
        if known.type != set_.type:
            raise WorldRefused(f"The set {known.name} exists and is of type {known.type}; choose another name.")
        if known.type == "custom_emoji":
            number = _FIRST_CUSTOM_EMOJI + self._counters.next("custom emoji")
            file = replace(file, custom_emoji_id=str(number))
        kept = self._files.add(replace(file, set_name=known.name), content)
        others = tuple(id_ for id_ in known.stickers if id_ != kept.unique_id)
        self._keep(replace(known, stickers=(*others, kept.unique_id)))
        return kept

    def _keep(self, set_: LocalStickerSet) -> None:
        self._shelf.put(set_.name.lower(), set_)
