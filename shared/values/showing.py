"""The rule that selects which files a model is shown, and how many.

Prompts use the rule. Ticks also use it to decide whether an answer waits for the description of a file.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from shared.values.capabilities import Capabilities, InputKind, expected_input_kind
from shared.values.media import SPOKEN, DescriptionOutcome, MediaKind, MediaRef
from shared.values.prepared import MOST_FILE_BYTES

#: a sound or film of unknown length counts as this many seconds
UNKNOWN_S: Final = 60
#: any sound or film counts as at least this many seconds: the sender states the length, which may be too small, and
#: fetching has a cost
LEAST_S: Final = 5
_UNUSABLE: Final = frozenset({DescriptionOutcome.UNSUPPORTED, DescriptionOutcome.PERMANENT_FAILURE})


@dataclass(frozen=True, kw_only=True)
class FileLimits:
    """The most that a model is shown in one plan: pictures (a PDF counts as one), and seconds of sound and video."""

    pictures: int = 4
    sound_s: int = 120
    #: whether files are described here, so that it becomes known whether they hold text
    is_described: bool = True


def file_key(ref: MediaRef) -> str:
    """Return the key of a file, the same wherever the file appears."""
    return ref.unique_id or ref.file_id


def files_to_show(files: Iterable[tuple[MediaRef, bool]], takes: Capabilities, limits: FileLimits) -> Iterator[int]:
    """Yield the indices of the files to show. A repeated file is shown once.

    `files` are pairs of a file and a flag, the most important first. The flag is true if a message replies to the file.
    """
    left = {InputKind.PICTURES: limits.pictures, InputKind.SOUND: limits.sound_s}
    seen: set[str] = set()
    for place, (ref, is_meant) in enumerate(files):
        budget, cost = _cost(ref)
        if file_key(ref) in seen or not _is_useful(ref, takes, is_meant=is_meant) or cost > left[budget]:
            continue
        left[budget] -= cost
        seen.add(file_key(ref))
        yield place


def keys_shown(refs: Collection[MediaRef], takes: Capabilities, limits: FileLimits) -> frozenset[str]:
    """Return the keys of the files that a model is shown when it answers one message alone."""
    some = list(refs)
    return frozenset(file_key(some[n]) for n in files_to_show(((ref, False) for ref in some), takes, limits))


def _is_useful(ref: MediaRef, takes: Capabilities, *, is_meant: bool) -> bool:
    """Return whether the model can take a file and learns more from it than from its description.

    A described sticker is useful only if somebody replies to it. A transcribed voice note is never useful.
    """
    known = ref.description
    is_told = known is not None and (
        known.outcome in _UNUSABLE
        or (ref.kind in SPOKEN and bool(known.says))
        or (ref.kind is MediaKind.STICKER and known.outcome is DescriptionOutcome.DESCRIBED and not is_meant)
    )
    return not is_told and expected_input_kind(ref.kind, ref.mime_type) in takes.takes and ref.size <= MOST_FILE_BYTES


def _cost(ref: MediaRef) -> tuple[InputKind, int]:
    """Return the budget that a file draws from, and the amount."""
    if expected_input_kind(ref.kind, ref.mime_type) in {InputKind.SOUND, InputKind.FILMS}:
        return InputKind.SOUND, max(ref.duration_s or UNKNOWN_S, LEAST_S)
    return InputKind.PICTURES, 1
