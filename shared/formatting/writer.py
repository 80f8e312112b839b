"""Text in the making: it remembers its entities, and whether a line has just begun."""

from dataclasses import dataclass, field

from shared.models.text import Entity, EntityType, utf16_length


@dataclass
class Writer:
    """A text that grows at its end."""

    pieces: list[str] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    #: in UTF-16 units
    length: int = 0
    #: nothing stands on the last line yet, but for the mark of a list
    is_fresh: bool = True
    #: the mark of a list that is written before whatever comes next
    mark: str = ""
    #: where the open styles of each kind began
    opened: dict[EntityType, list[int]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What has been written."""
        return "".join(self.pieces)

    def write(self, text: str) -> None:
        """Add text."""
        if text:
            self.flush_mark()
            self._append(text)
            self.is_fresh = False

    def write_as(self, kind: EntityType, text: str, language: str = "") -> None:
        """Add text that is an entity of its own; blank text is none."""
        self.flush_mark()
        start = self.length
        self.write(text)
        if text.strip():
            self.entities.append(Entity(kind, start, self.length - start, language=language))

    def begin_line(self, after_blank_line: bool) -> None:
        """Begin a line, unless one has just begun."""
        if not self.is_fresh:
            self._append("\n\n" if after_blank_line else "\n")
        self.is_fresh = True

    def flush_mark(self) -> None:
        """Write the mark that waits; its line still counts as fresh."""
        mark, self.mark = self.mark, ""
        self._append(mark)

    def open(self, kind: EntityType) -> None:
        """Begin a style here."""
        self.flush_mark()
        self.opened.setdefault(kind, []).append(self.length)

    def close(self, kind: EntityType, url: str = "") -> None:
        """End the style opened last; it becomes an entity unless it is empty or inside another of its kind."""
        start = self.opened[kind].pop()
        if not self.opened[kind] and self.length > start and (url or kind is not EntityType.TEXT_LINK):
            self.entities.append(Entity(kind, start, self.length - start, url=url))

    def is_in(self, kind: EntityType) -> bool:
        """Whether such a style is open."""
        return bool(self.opened.get(kind))

    def _append(self, text: str) -> None:
        self.pieces.append(text)
        self.length += utf16_length(text)
