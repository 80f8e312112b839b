"""Prepares a file for a model with the decoder for the file's real type."""

from shared.base.errors import FileUnsupported, FileUnusable
from shared.reader.decode.decode_options import STICKER_FRAMES, decode_options_for
from shared.reader.decode.documents import prepared_pdf, prepared_text
from shared.reader.decode.films import has_pictures, prepared_film, prepared_frames
from shared.reader.decode.kinds import DecoderKind, DetectedType, real_type
from shared.reader.decode.lottie import prepared_sticker
from shared.reader.decode.pictures import prepared_picture
from shared.reader.decode.sentences import NOT_READ, TOO_MUCH
from shared.reader.decode.sound import LONGEST_S, prepared_sound
from shared.values.prepared import MOST_PREPARED_BYTES, FileFacts, PreparedFile


def prepare_file(kind: str, mime_type: str, content: bytes, longest_s: float = LONGEST_S) -> PreparedFile:
    """Prepare a file for a model; of a sound or film, only the first `longest_s` seconds.

    If that fails, `problem` in the result says why.
    """
    real = real_type(content)
    try:
        found = _prepare_by_kind((kind, mime_type), content, real, longest_s)
    except FileUnusable as failure:
        is_unsupported = isinstance(failure, FileUnsupported)
        facts = FileFacts(type=real.mime_type)
        return PreparedFile(facts=facts, problem=str(failure), is_unsupported=is_unsupported)
    if sum(len(part.content) for part in found.parts) > MOST_PREPARED_BYTES:
        return PreparedFile(facts=found.facts, problem=TOO_MUCH)
    return found


def _prepare_by_kind(claimed: tuple[str, str], content: bytes, real: DetectedType, longest_s: float) -> PreparedFile:
    kind, mime_type = claimed
    options = decode_options_for(kind)
    match real.family:
        case DecoderKind.PICTURE:
            return prepared_picture(content, real, options.side, options.frames)
        case DecoderKind.LOTTIE:
            return prepared_sticker(content, real, STICKER_FRAMES)
        case DecoderKind.CLIP if not has_pictures(content, real):
            return prepared_sound(content, real, longest_s)
        case DecoderKind.CLIP if options.is_frames_only:
            return prepared_frames(content, real, options.frames, options.side)
        case DecoderKind.CLIP:
            return prepared_film(content, real, options.side, longest_s)
        case DecoderKind.PDF:
            return prepared_pdf(content, real)
        case DecoderKind.TEXT:
            return prepared_text(content, real, mime_type)
    raise FileUnsupported(NOT_READ.format(name=real.name))
