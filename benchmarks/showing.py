"""Turns a conversation into one with many pictures and stickers, some of which are described at once and others later.

The same stickers are sent again and again, so lull knows most of them when they arrive. Most photos are new, so they
are described a little later.
"""

import random
from collections.abc import Iterable, Iterator

from shared.values.evolve import evolve
from shared.values.media import Description, DescriptionOutcome, MediaKind, MediaRef
from shared.values.message import AnyEntry, MediaDescribed, Message

#: the share of messages that are pictures or stickers, as in real groups
SHARE = 0.4
#: the share of stickers among pictures and stickers; and the shares of stickers, and of pictures, that are known when
#: they arrive
STICKERS = 0.5
KNOWN = {MediaKind.STICKER: 0.8, MediaKind.PHOTO: 0.1}
#: the share of photos with a caption
CAPTIONED = 0.4
#: the most entries between a photo and its late description
LATEST = 3
SHOWS = (
    "A small brown dog lies on a kitchen floor next to an upturned bowl and looks into the camera.",
    'A whiteboard with three columns, "to do", "doing" and "done"; most notes hang in the first one.',
    "A cat in a cardboard box, laughing until it cries.",
    'A street at night in the rain. A sign above a door reads "4 Mill Lane"; two bicycles lean against the wall.',
    "A screenshot of a failed test: the expected date is one day later than the one that came out.",
)


def with_media(entries: Iterable[AnyEntry]) -> Iterator[AnyEntry]:
    """Yield the conversation's entries, renumbered, with some messages turned into pictures and stickers. The same
    conversation always gives the same result.

    It is assumed that the plan of each message by the agent saw all entries before that message. A description that
    arrives after the model saw the picture's entry becomes a separate entry.
    """
    dice = random.Random(20_261_124)
    shown = 0  # the number of the newest entry that a model was shown
    waiting: list[tuple[int, Message]] = []
    seq = 0
    for entry in entries:
        for due, message in [one for one in waiting if one[0] <= seq]:
            waiting.remove((due, message))
            seq += 1
            yield _description_of(message, seq, is_seen=message.seq <= shown)
        seq += 1
        told = evolve(entry, seq=seq)
        if isinstance(told, Message) and told.author.is_agent:
            shown = seq - 1
        elif isinstance(told, Message) and dice.random() < SHARE:
            told = _showing(told, dice)
            if told.media_refs[0].description is None:
                waiting.append((seq + dice.randint(0, LATEST), told))
        yield told


def _showing(message: Message, dice: random.Random) -> Message:
    """Return the message changed into a picture or a sticker."""
    kind = MediaKind.STICKER if dice.random() < STICKERS else MediaKind.PHOTO
    description = _description(message) if dice.random() < KNOWN[kind] else None
    ref = MediaRef(
        kind=kind,
        file_id=f"file-{message.message_id}",
        unique_id=f"unique-{message.message_id}",
        emoji="😂" if kind is MediaKind.STICKER else "",
        set_name="Moods_by_lull" if kind is MediaKind.STICKER else "",
        description=description,
    )
    is_captioned = kind is MediaKind.PHOTO and dice.random() < CAPTIONED
    words = "a sticker: 😂 face with tears of joy" if kind is MediaKind.STICKER else "a photo"
    changes = {"media": words, "media_refs": (ref,), "text": message.text if is_captioned else ""}
    return message.model_copy(update=changes)


def _description(message: Message) -> Description:
    shows = SHOWS[message.message_id % len(SHOWS)]
    return Description(outcome=DescriptionOutcome.DESCRIBED, shows=shows, source="gemini-3.5-flash-lite")


def _description_of(message: Message, seq: int, *, is_seen: bool) -> MediaDescribed:
    ref = message.media_refs[0]
    return MediaDescribed(
        seq=seq,
        at=message.at,
        message_ids=(message.message_id,),
        kind=ref.kind,
        unique_id=ref.unique_id,
        description=_description(message),
        is_with_message=not is_seen,
        holds_outside=True,
    )
