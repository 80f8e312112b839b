"""Showing: which files a model is shown as they are, and how many. One rule, for whoever shows and whoever waits."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from shared.values.capabilities import Capabilities, InputKind, expected_input_kind
from shared.values.media import SPOKEN, DescriptionOutcome, MediaKind, MediaRef
from shared.values.prepared import MOST_FILE_BYTES

#: what a sound or a film counts that does not say how long it is, in seconds
UNKNOWN_S: Final = 60
#: what any counts at least: a sender says how long it is, and each is fetched
LEAST_S: Final = 5
_UNUSABLE: Final = frozenset({DescriptionOutcome.UNSUPPORTED, DescriptionOutcome.PERMANENT_FAILURE})


@dataclass(frozen=True, kw_only=True)
class FileLimits:
    """How much a model is shown for one plan: pictures, a PDF being one, and seconds of sound and film."""

    pictures: int = 4
    sound_s: int = 120
    #: whether it will be known of each file, sooner or later, if text stands in it; else nobody describes any
    is_described: bool = True


def file_key(ref: MediaRef) -> str:
    """What a file is known by: its bytes are the same wherever this is."""
    return ref.unique_id or ref.file_id


def files_to_show(files: Iterable[tuple[MediaRef, bool]], takes: Capabilities, limits: FileLimits) -> Iterator[int]:
    """The places of the files that a model is shown, of those given, the most important first.

    Beside each stands whether somebody replies to it. A file that is there twice is shown once.
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
    """Which files of a message a model is shown when it answers that message alone, by their names."""
    some = list(refs)
    return frozenset(file_key(some[n]) for n in files_to_show(((ref, False) for ref in some), takes, limits))


def _is_useful(ref: MediaRef, takes: Capabilities, *, is_meant: bool) -> bool:
    """Whether a model can take a file, and learns more by it than by what is told of it.

    A sticker that is described needs no bytes unless somebody replies to it, nor does a note whose words are known.
    """
    known = ref.description
    is_told = known is not None and (
        known.outcome in _UNUSABLE
        or (ref.kind in SPOKEN and bool(known.says))
        or (ref.kind is MediaKind.STICKER and known.outcome is DescriptionOutcome.DESCRIBED and not is_meant)
    )
    return not is_told and expected_input_kind(ref.kind, ref.mime_type) in takes.takes and ref.size <= MOST_FILE_BYTES


def _cost(ref: MediaRef) -> tuple[InputKind, int]:
    """Which budget a file takes from, and how much."""
    if expected_input_kind(ref.kind, ref.mime_type) in {InputKind.SOUND, InputKind.FILMS}:
        return InputKind.SOUND, max(ref.duration_s or UNKNOWN_S, LEAST_S)
    return InputKind.PICTURES, 1
